import Devices
import Foundation
import Testing
import Timebase

@testable import LinuxDevices

/// Which of a board's sensors says how warm it is.
struct BoardThermometerTests {
    private static let time = Instant<Session>(nanoseconds: 0)

    private func withTree(
        _ files: [String: String], _ body: (SystemTree) throws -> Void
    ) throws {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "framelock-thermal-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(SystemTree(root: root.path))
    }

    @Test func `the processor's zone comes before others`() throws {
        try withTree([
            "sys/class/thermal/thermal_zone0/type": "acpitz\n",
            "sys/class/thermal/thermal_zone0/temp": "16800\n",
            "sys/class/thermal/thermal_zone2/type": "x86_pkg_temp\n",
            "sys/class/thermal/thermal_zone2/temp": "61500\n",
            "sys/class/thermal/cooling_device0/type": "cpu fan\n",
        ]) { tree in
            let found = try #require(BoardThermometer(tree: tree))
            #expect(found.name == "thermal_zone2 (x86_pkg_temp)")
            #expect(found.read(at: Self.time) == Temperature(millidegrees: 61_500))
        }
    }

    @Test func `a zone that can't be read is passed over, and hwmon serves without zones`() throws {
        try withTree([
            "sys/class/thermal/thermal_zone0/type": "cpu-thermal\n",
            "sys/class/hwmon/hwmon1/name": "rp1_adc\n",
            "sys/class/hwmon/hwmon1/temp1_input": "-4250\n",
            "sys/class/hwmon/hwmon1/in1_input": "3300\n",
        ]) { tree in
            let found = try #require(BoardThermometer(tree: tree))
            #expect(found.name == "hwmon1 (rp1_adc temp1_input)")
            #expect("\(try #require(found.read(at: Self.time)))" == "-4.25 degC")
        }
    }

    @Test func `a board without sensors has no thermometer`() throws {
        try withTree(["sys/class/hwmon/hwmon0/name": "nothing\n"]) { tree in
            #expect(BoardThermometer(tree: tree) == nil)
        }
    }
}
