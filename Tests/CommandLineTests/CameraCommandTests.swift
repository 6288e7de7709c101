import Foundation
import Testing

/// `framelock camera` and `framelock meter` on the simulated camera.
struct CameraCommandTests {
    /// A recipe around a `lock:` block that was printed.
    private func recipe(_ block: String) -> String {
        """
        framelock: 1
        name: printed
        camera:
          use: simulated
          format: {pixels: Y12, size: 320x240, rate: 30 fps}
        \(block)
        sequence:
          - capture: 1

        """
    }

    @Test(arguments: [
        ["status"],
        [
            "set", "--exposure", "8.333ms", "--iso", "250", "--lens", "0.4242", "--red", "1.9",
            "--blue", "1.7",
        ],
        ["set", "--exposure", "current", "--gain", "1.5x"], ["lock"], ["unlock", "--focus"],
    ])
    func `what is printed is a lock block that a recipe takes as it is`(arguments: [String]) throws
    {
        let result = try FramelockProgram.run(
            ["camera"] + arguments + ["--camera", "simulated"])
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.stdout.contains("\nlock:\n"))
        let folder = try TemporaryFolder()
        let checked = try FramelockProgram.run("check", try folder.recipe(recipe(result.stdout)))
        #expect(checked.status == 0, "\(checked.stderr)")
    }

    private struct Applied: Decodable {
        struct Settings: Decodable {
            struct Balance: Decodable {
                var red_millionths: Int?
                var blue_millionths: Int?
            }
            var exposure_ns: Int
            var gain_millionths: Int
            var lens_millionths: Int
        }
        struct Sync: Decodable {
            var sequence: Int
            var clock: String
            var timestamp_ns: Int
        }
        struct Request: Decodable {
            var subjects: [String]
            var sync: Sync
        }
        var camera: String
        var applied: [Request]
        var settings: Settings
    }

    @Test func `set tells the first frame that shows each value, and what the camera made of it`()
        throws
    {
        let result = try FramelockProgram.run(
            "camera", "set", "--camera", "simulated", "--exposure", "8ms", "--iso", "101", "--lens",
            "0.4204", "--json")
        #expect(result.status == 0, "\(result.stderr)")
        let applied = try JSONDecoder().decode(Applied.self, from: Data(result.stdout.utf8))
        #expect(applied.camera == "simulated")
        #expect(applied.applied.map(\.subjects) == [["exposure"], ["focus"]])
        #expect(applied.settings.exposure_ns == 8_000_000)
        // Gain goes in steps of 1/64, the lens in steps of a thousandth.
        #expect(applied.settings.gain_millionths == 1_015_625)
        #expect(applied.settings.lens_millionths == 420_000)
        for request in applied.applied {
            #expect(request.sync.clock == "CLOCK_MONOTONIC")
            #expect(request.sync.timestamp_ns > 0)
        }
    }

    @Test(arguments: [
        (["set"], 64, "nothing to set"), (["set", "--exposure", "8"], 64, "--exposure 8:"),
        (["set", "--iso", "100", "--gain", "2x"], 64, "the same setting"),
        (["set", "--lens", "1.5"], 64, "outside 0 (nearest) to 1 (farthest)"),
        (["set", "--tint", "5"], 64, "--tint belongs to a --temperature"),
        (["set", "--red", "2", "--temperature", "5000K"], 64, "and not both"),
        (["set", "--exposure", "3s"], 65, "outside 20 us to 2 s"),
        (["set", "--temperature", "9000K"], 65, "outside 2800 K to 6500 K"),
        (["status", "--pixels", "MJPG"], 69, "no format like that"),
        (["status", "--profile", "nonesuch"], 64, "no camera profile `nonesuch`"),
    ])
    func `what can't be is said, with the range and the way out`(
        arguments: [String], status: Int32, words: String
    ) throws {
        let result = try FramelockProgram.run(
            ["camera"] + arguments + ["--camera", "simulated"])
        #expect(result.status == status)
        #expect(result.stderr.contains(words), "\(result.stderr)")
        #expect(result.stdout.isEmpty)
    }

    @Test func `watch prints a line when something changes, and none when nothing does`() throws {
        let result = try FramelockProgram.run(
            "camera", "watch", "--camera", "simulated", "--frames", "20", "--json")
        #expect(result.status == 0, "\(result.stderr)")
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.count == 1, "the simulated camera holds what it has")
        #expect(lines.first?.contains("\"exposure_ns\":5000000") == true)
    }

    private struct Light: Decodable {
        struct Triple: Decodable {
            var aperture_thousandths: Int
            var exposure_ns: Int
            var iso_thousandths: Int
        }
        var ev100_thousandths: Int
        var offset_thousandths_ev: Int
        var right_exposure: Triple
        var equivalent: Triple?
    }

    @Test func `E9 any two of aperture, ISO and exposure give the third for another camera`() throws
    {
        func meter(_ arguments: [String]) throws -> Light {
            let result = try FramelockProgram.run(
                ["meter", "--camera", "simulated", "--camera-aperture", "f/2.8", "--json"]
                    + arguments)
            #expect(result.status == 0, "\(result.stderr)")
            return try JSONDecoder().decode(Light.self, from: Data(result.stdout.utf8))
        }
        let plain = try meter([])
        let exposure = Double(plain.right_exposure.exposure_ns) / 1e9
        let iso = Double(plain.right_exposure.iso_thousandths) / 1_000
        let expected = (2.8 * 2.8 / exposure / (iso / 100)).logarithm2
        #expect(abs(Double(plain.ev100_thousandths) / 1_000 - expected) < 0.01)
        #expect(plain.equivalent == nil)
        for arguments in [
            ["--aperture", "f/8", "--iso", "400"], ["--aperture", "8", "--exposure", "1/30 s"],
            ["--iso", "800", "--exposure", "5 ms"],
        ] {
            let light = try meter(arguments)
            let other = try #require(light.equivalent)
            let aperture = Double(other.aperture_thousandths) / 1_000
            let seconds = Double(other.exposure_ns) / 1e9
            let ev =
                (aperture * aperture / seconds / (Double(other.iso_thousandths) / 100_000))
                .logarithm2
            #expect(abs(ev - expected) < 0.01, "\(arguments)")
        }
        // The light is the same whatever exposure it is metered with.
        let asIs = try meter(["--as-is"])
        #expect((asIs.ev100_thousandths - plain.ev100_thousandths).magnitude < 30)
        #expect(asIs.offset_thousandths_ev < -500)
    }

    @Test(arguments: [
        (["--aperture", "f/8"], "give two, and the third follows"),
        (["--aperture", "f/8", "--iso", "100", "--exposure", "1 ms"], "give two"),
        (["--aperture", "f/0", "--iso", "100"], "outside f/0.1 to f/1000"),
    ])
    func `a light meter that can't answer says why`(arguments: [String], words: String) throws {
        let result = try FramelockProgram.run(
            ["meter", "--camera", "simulated", "--camera-aperture", "2.8"] + arguments)
        #expect(result.status == 64)
        #expect(result.stderr.contains(words), "\(result.stderr)")
        let without = try FramelockProgram.run("meter", "--camera", "simulated")
        #expect(without.stderr.contains("--camera-aperture"))
    }
}

extension Double {
    /// log2 by halving, so that it shares nothing with the program's.
    fileprivate var logarithm2: Double {
        var (rest, result) = (self, 0.0)
        while rest >= 2 { (rest, result) = (rest / 2, result + 1) }
        while rest < 1 { (rest, result) = (rest * 2, result - 1) }
        var step = 0.5
        for _ in 0..<40 {
            rest *= rest
            if rest >= 2 { (rest, result) = (rest / 2, result + step) }
            step /= 2
        }
        return result
    }
}
