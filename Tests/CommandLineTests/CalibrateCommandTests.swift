import Foundation
import Testing

/// `framelock calibrate` on the simulated camera, as a person calls it.
@Suite struct CalibrateCommandTests {
    /// A profile file of one's own.
    private static func profile(_ name: String) throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "framelock-calibrate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "mine.yaml")
        let source = FramelockProgram.repository.appending(path: "hardware/cameras/\(name).yaml")
        try FileManager.default.copyItem(at: source, to: file)
        return file
    }

    private static func run(_ arguments: String...) throws -> (Int32, [String: Any], String) {
        let result = try FramelockProgram.run(["calibrate"] + arguments)
        let json = try? JSONSerialization.jsonObject(with: Data(result.stdout.utf8))
        return (result.status, json as? [String: Any] ?? [:], result.stderr)
    }

    @Test func `timing finds rows of 40 us, and says so to people and programs`() throws {
        let (status, json, stderr) = try Self.run(
            "timing", "--camera", "simulated", "--light", "strobe", "--simulate-row", "40us",
            "--pixels", "GREY", "--size", "320x240", "--flashes", "32", "--json")
        #expect(status == 0, "\(stderr)")
        #expect(json["shutter"] as? String == "rolling")
        let row = try #require(json["row_ps"] as? [Int])
        #expect(row[0] <= 40_000_000 && row[1] >= 40_000_000)
        let text = try FramelockProgram.run(
            "calibrate", "timing", "--camera", "simulated", "--strobe", "sync", "--flashes", "16")
        #expect(text.stdout.contains("found by    strobe"), "\(text.stdout)\(text.stderr)")
    }

    @Test func `a light and a strobe at once, or neither, is a mistake`() throws {
        #expect(try Self.run("timing", "--camera", "simulated").0 == 64)
        #expect(
            try Self.run("timing", "--camera", "simulated", "--light", "a", "--strobe", "b").0
                == 64)
        #expect(try Self.run("lens", "--camera", "simulated", "--write").0 == 64)
    }

    @Test func `a lens's hysteresis is found and stands in the profile's file`() throws {
        let file = try Self.profile("imx708")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let (status, json, stderr) = try Self.run(
            "lens", "--camera", "simulated", "--simulate-hysteresis", "12", "--size", "320x240",
            "--pixels", "GREY", "--trials", "1", "--json")
        #expect(status == 0, "\(stderr)")
        let hysteresis = try #require(json["hysteresis_thousandths"] as? [Int])
        #expect(hysteresis[0] <= 24_000 && hysteresis[1] >= 24_000)
        #expect(json["written_to"] is NSNull)
    }

    @Test func `a profile that names nothing to measure is refused, and leaves no empty table`()
        throws
    {
        let file = try Self.profile("imx708")
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let bare = """
            framelock_camera: 1
            name: mine
            summary: A camera of which only timestamps are known
            shutter: global
            timestamps: {point: start_of_readout, max_delay: 300 us, readout: 0 s}
            """
        try Data(bare.utf8).write(to: file)
        let result = try FramelockProgram.run(
            "calibrate", "latency", "--camera", "simulated", "--profile", file.path)
        #expect(result.status == 69)
        #expect(result.stdout.isEmpty)
        #expect(
            result.stderr.contains("profile `mine` names no control of exposure, gain, focus"),
            "\(result.stderr)")
    }

    @Test func `a dark scene and a format without colour are refused in plain words`() throws {
        let mono = try Self.run(
            "white-balance", "--camera", "simulated", "--illuminant", "2856", "--pixels", "Y12")
        #expect(mono.0 == 69 && mono.2.contains("this format has no colour"))
    }

    @Test func `a grey card's point is measured with its residual`() throws {
        let (status, json, stderr) = try Self.run(
            "white-balance", "--camera", "simulated", "--illuminant", "2856",
            "--simulate-light", "1.3,0.6", "--pixels", "SRGGB12", "--size", "320x240", "--json")
        #expect(status == 0, "\(stderr)")
        let point = try #require(json["point"] as? [String: Int])
        #expect(point["temperature_k"] == 2856)
        #expect(abs((point["red_millionths"] ?? 0) - 1_040_000) < 10_000)
        #expect(abs((point["blue_millionths"] ?? 0) - 420_000) < 10_000)
    }

    @Test func `storage leaves nothing behind and counts the buffers`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "framelock-storage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (status, json, stderr) = try Self.run(
            "storage", folder.path, "--size", "320x240", "--pixels", "GREY", "--rate", "1 fps",
            "--duration", "200ms", "--json")
        #expect(status == 0, "\(stderr)")
        #expect((json["frames"] as? Int ?? 0) > 0)
        #expect((json["bytes_per_second"] as? Int ?? 0) > 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
