import Foundation
import Testing

/// The modes of a sensor: as its driver names them, as framelock offers them, as the shipped profile has them.
struct SensorModeList {
    /// A mode of the profile.
    struct ProfileMode: CustomStringConvertible {
        /// Its pixel formats, each with the size: `SRGGB10P-640x480`.
        var names: Set<String>
        var description: String { names.sorted().joined(separator: " ") }
    }

    /// What is offered and was tried: `SRGGB10P-640x480`.
    let names: [String]
    /// What the driver has and nothing that is offered stands for: `10 640x480`.
    let missing: Set<String>
    /// The profile's modes that this driver has.
    let ofProfile: [ProfileMode]

    /// Reads what `csi-modes.sh` left, and the profile.
    init(_ scenario: Scenario, sensor: String) throws {
        func words(_ file: String) throws -> [[String]] {
            try scenario.text(file).split(separator: "\n").map { line in
                line.split(separator: " ").map(String.init)
            }
        }
        let inDriver = Set(try words("modes.txt").map { $0.joined(separator: " ") })
        let offered = try words("offered.txt")
        names = offered.map { $0.joined(separator: "-") }
        missing = inDriver.subtracting(offered.map { "\(Self.bits($0[0])) \($0[1])" })
        let file = Bench.repository.appending(path: "hardware/cameras/\(sensor).yaml")
        let mode = /- \{size: (?<size>[0-9x]+), pixels: \[(?<pixels>[^\]]*)\]/
        var modes: [ProfileMode] = []
        for found in try String(contentsOf: file, encoding: .utf8).matches(of: mode) {
            let pixels = found.pixels.split(separator: ", ").map(String.init)
            let isInDriver = pixels.contains {
                inDriver.contains("\(Self.bits($0)) \(found.size)")
            }
            if isInDriver {
                modes.append(ProfileMode(names: Set(pixels.map { "\($0)-\(found.size)" })))
            }
        }
        try #require(!modes.isEmpty, "no mode of \(sensor).yaml is one of its driver")
        ofProfile = modes
    }

    /// The bits of a raw pixel format.
    private static func bits(_ pixels: String) -> Int {
        for bits in [12, 10, 16] where pixels.contains("\(bits)") { return bits }
        return 8
    }
}
