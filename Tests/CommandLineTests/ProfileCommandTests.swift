import Foundation
import Testing

/// Profiles, formats and wishes on the command line: what people and scripts see of them.
@Suite struct ProfileCommandTests {
    private static let raw = """
        framelock: 1
        name: raw
        camera:
          use: simulated
          format: {pixels: SRGGB12P, size: 2028x1520, rate: 30 fps}
        lock:
          exposure: {duration: 10 ms, gain: 4x}
          white_balance: {temperature: 5000 K}
        sequence:
          - capture: 10

        """

    private struct Planned: Decodable {
        struct Plan: Decodable {
            struct Camera: Decodable {
                struct Timing: Decodable {
                    struct Rate: Decodable, Equatable {
                        var frames: Int
                        var seconds: Int
                    }
                    var frame_lines: Int
                    var rate: Rate
                }
                var timing: Timing
            }
            struct Settings: Decodable {
                struct Code: Decodable {
                    var control: String
                    var code: Int
                }
                var codes: [Code]
            }
            var camera: Camera
            var settings: [Settings]
        }
        struct Limits: Decodable {
            var exposure_maximum_ns: Int
            var iso_maximum: Int
        }
        var plan: Plan
        var limits: Limits
    }

    @Test func `a recipe is checked and planned for a sensor that is not there`() throws {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(Self.raw)
        let checked = try FramelockProgram.run("check", "--profile", "imx477", recipe)
        #expect(checked.status == 0, "\(checked.stderr)")
        let result = try FramelockProgram.run("plan", "--profile", "imx477", "--json", recipe)
        let planned = try JSONDecoder().decode(Planned.self, from: Data(result.stdout.utf8))
        #expect(planned.plan.camera.timing.frame_lines == 2_198)
        #expect(planned.plan.camera.timing.rate == .init(frames: 3_000_000, seconds: 100_009))
        #expect(
            planned.plan.settings[0].codes.map { "\($0.control) \($0.code)" } == [
                "vertical_blanking 678", "exposure 659", "analogue_gain 768",
            ])
        #expect(planned.limits.exposure_maximum_ns == 33_002_667)
        #expect(planned.limits.iso_maximum == 2_226)
        let text = try FramelockProgram.run("plan", "--profile", "imx477", recipe).stdout
        #expect(text.contains("SRGGB12P 2028x1520 at 29.997 fps"))
        #expect(text.contains("10 ms → 9.994833 ms"))
    }

    @Test func `a sensor that can't do it says so with its file`() throws {
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(
            Self.raw.replacingOccurrences(of: "10 ms", with: "50 ms"))
        let result = try FramelockProgram.run("check", "--profile", "imx477", recipe)
        #expect(result.status == 65)
        #expect(
            result.stderr.hasPrefix(
                "\(recipe):7:24: error: exposure 50 ms is outside 60.667 us to 33.002667 ms (exposure"
                    + " of camera profile `imx477`"), "\(result.stderr)")
        #expect(result.stderr.contains("imx477.yaml), 2028x1520 at 30 fps)"))
    }

    @Test func `what is skipped is warned of, and recorded with the run`() throws {
        struct Shown: Decodable {
            struct Skipped: Decodable {
                var setting: String
                var asked: String
                var reason: String
            }
            var verdict: String
            var skipped: [Skipped]
        }
        let folder = try TemporaryFolder()
        let recipe = try folder.recipe(
            """
            framelock: 1
            name: skipping
            camera:
              use: simulated
              format: {pixels: GREY, size: 320x240, rate: 30 fps}
            lock:
              exposure: {duration: 1 ms, gain: 1x}
              white_balance: {temperature: 5000 K, tint: 10, if_supported: true}
            sequence:
              - capture: 2

            """)
        let checked = try FramelockProgram.run("check", recipe)
        #expect(checked.status == 0)
        #expect(checked.stderr.contains(":8:18: warning: camera profile `simulated` has"))
        #expect(checked.stderr.contains("5000 K is skipped, as `if_supported` asks"))
        let run = "\(folder.path)/run"
        let result = try FramelockProgram.run("run", recipe, "--output", run)
        #expect(result.status == 0, "\(result.stderr)")
        let json = try FramelockProgram.run("show", run, "--json").stdout
        let shown = try JSONDecoder().decode(Shown.self, from: Data(json.utf8))
        #expect(shown.verdict == "trustworthy")
        #expect(shown.skipped.map(\.setting) == ["white balance"])
        #expect(shown.skipped.first?.reason == "tint-unsupported")
        let text = try FramelockProgram.run("show", run).stdout
        #expect(text.contains("skipped   white balance 5000 K"))
    }

    @Test func `devices says what each format of a camera can be told`() throws {
        struct Devices: Decodable {
            struct Camera: Decodable {
                struct Format: Decodable {
                    struct Limits: Decodable {
                        var exposure_minimum_ns: Int
                        var exposure_maximum_ns: Int
                        var iso_minimum: Int
                        var iso_maximum: Int
                    }
                    var limits: Limits?
                }
                var id: String
                var profile: String?
                var formats: [Format]
            }
            var cameras: [Camera]
        }
        let json = try FramelockProgram.run("devices", "--json").stdout
        let devices = try JSONDecoder().decode(Devices.self, from: Data(json.utf8))
        let camera = try #require(devices.cameras.first { $0.id == "simulated" })
        #expect(camera.profile == "simulated")
        let limits = camera.formats.compactMap(\.limits)
        #expect(limits.count == camera.formats.count && !limits.isEmpty)
        #expect(limits.allSatisfy { $0.exposure_minimum_ns == 20_000 })
        // A frame of the slowest rate, 1 fps.
        #expect(limits.allSatisfy { $0.exposure_maximum_ns == 1_000_000_000 })
        #expect(limits.allSatisfy { $0.iso_minimum == 100 && $0.iso_maximum == 1_600 })
    }
}
