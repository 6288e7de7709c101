import Devices
import Foundation
import Notation
import Testing

@testable import LinuxDevices

@Suite("Reports of media devices") struct MediaReportTests {
    @Test(arguments: try GraphFixtures.names())
    func `a report that is read is the report that was written`(name: String) throws {
        let report = try GraphFixtures.report(name)
        let again = try MediaReport(report.json)
        #expect(again == report)
        #expect(again.json.text(.pretty) == report.json.text(.pretty))
        #expect(!report.devices.isEmpty)
    }

    @Test(arguments: [
        ("pi5-imx477", ["rp1-cfe-downstream"]), ("pi5-mainline-imx219", ["rp1-cfe"]),
        ("pi5-two-cameras", ["rp1-cfe-downstream", "rp1-cfe-downstream"]),
        ("pi4-imx477", ["unicam-downstream"]), ("pi4-debian-imx219", ["unicam"]), ("vimc", []),
    ])
    func `receivers of one driver are told apart by their parts`(
        name: String, receivers: [String]
    ) throws {
        let found = try GraphFixtures.report(name).devices.compactMap {
            try GraphFixtures.receiver(of: $0)?.name
        }
        #expect(found == receivers)
    }

    @Test(arguments: [
        ("links", "report.media[0].links is not a list"),
        ("driver", "report.media[0].driver is not a text"),
    ])
    func `a report that lacks something says what`(member: String, message: String) throws {
        let report = try GraphFixtures.report("vimc")
        var root = try #require(report.json.objectValue)
        var device = try #require(root["media"]?[0]?.objectValue)
        device[member] = nil
        root["media"] = .array([.object(device)])
        let error = try #require(throws: ReportReader.Problem.self) {
            try MediaReport(.object(root))
        }
        #expect(error.description == message)
    }
}

@Suite("Names of sensors") struct SensorPlaceTests {
    @Test(arguments: [
        ("imx219 10-0010", "imx219", "csi:imx219:10-0010"),
        ("m00_b_ov5647 4-0036", "ov5647", "csi:ov5647:4-0036"),
    ])
    func `a sensor's id is its kind, bus and address`(
        entity: String, model: String, id: String
    ) {
        let place = SensorPlace(
            entity: entity, device: nil, receiver: "unicam", in: SystemTree(root: "/nowhere"))
        #expect(place.model == model)
        #expect(place.id == id)
    }

    @Test func `a sensor on no such bus has no id of that kind`() {
        let place = SensorPlace(
            entity: "Sensor A", device: nil, receiver: "vimc", in: SystemTree(root: "/nowhere"))
        #expect(place.id == nil)
    }

    @Test func `a sensor that names itself after its lens has the place of its device file`()
        throws
    {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "framelock-place-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let client = "sys/devices/i2c-10/10-001a"
        for folder in ["\(client)/video4linux/v4l-subdev2", "sys/bus/i2c/devices", "sys/dev/char"] {
            try FileManager.default.createDirectory(
                at: root.appending(path: folder), withIntermediateDirectories: true)
        }
        try Data("imx708\n".utf8).write(to: root.appending(path: "\(client)/name"))
        for (link, target) in [
            ("sys/bus/i2c/devices/10-001a", client),
            ("sys/dev/char/81:10", "\(client)/video4linux/v4l-subdev2"),
            ("\(client)/video4linux/v4l-subdev2/device", client),
        ] {
            try FileManager.default.createSymbolicLink(
                at: root.appending(path: link),
                withDestinationURL: root.appending(path: target))
        }
        let place = SensorPlace(
            entity: "imx708_wide_noir", device: DeviceNumber(major: 81, minor: 10),
            receiver: "rp1-cfe", in: SystemTree(root: root.path))
        #expect(place.model == "imx708")
        #expect(place.id == "csi:imx708:10-001a")
    }
}
