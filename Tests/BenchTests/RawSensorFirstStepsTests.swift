import Foundation
import Testing

extension InTheBench {
    /// What a person does first behind a raw sensor: looks what there is, reads and sets the camera, records a few
    /// frames.
    @Suite(.serialized) struct RawSensorFirstSteps {
        private static let scenario: Result<Scenario, any Error> = {
            var options = Bench.Options(timeoutSeconds: 120)
            options.csi = CSIBoard("imx219")
            return Scenario.play("csi-first-steps", options)
        }()

        @Test func `a sensor offers the sizes that it has, whatever its receiver can scale`() throws
        {
            let devices = try Self.scenario.get().decode(DeviceList.self, "devices.stdout")
            let camera = try #require(devices.cameras.first { $0.id == "csi:imx219:0-0010" })
            for pixels in ["SRGGB10P", "SRGGB8"] {
                let formats = camera.formats.filter { $0.pixels == pixels }
                let sizes = formats.map { "\($0.width)x\($0.height)" }
                #expect(sizes == ["3280x2464", "1920x1080", "1640x1232", "640x480"])
            }
            #expect(camera.formats.count == 8)
        }

        @Test func `how a sensor stands is told in time, in the mode that is set`() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("status-before") == 0)
            let before = try scenario.text("status-before.stdout")
            // 1600 lines of 3448 pixels at 182.4 MHz.
            #expect(before.contains("exposure: {duration: 30.245614 ms, gain: 1x}"))
            #expect(try scenario.exitCode("set") == 0)
            let after = try scenario.text("status-after.stdout")
            // 265 lines.
            #expect(after.contains("exposure: {duration: 5.00943 ms, gain: 2x}"))
            #expect(try scenario.text("codes.txt") == "exposure: 265\nanalogue_gain: 128\n")
        }

        @Test func `the newest picture is a file to look at`() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("preview") == 0)
            for name in ["preview.jpg", "zoom.jpg"] {
                let bytes = try Data(
                    contentsOf: scenario.results.appending(path: "pictures/\(name)"))
                #expect(
                    bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2).elementsEqual([0xFF, 0xD9]))
                #expect(bytes.count > 2_000, "\(name)")
            }
        }

        @Test(arguments: [("imx290", "is for imx290, imx327, imx462"), ("generic-uvc", "uvcvideo")])
        func `another camera's profile is refused, whoever names it`(
            profile: String, reason: String
        ) throws {
            let scenario = try Self.scenario.get()
            for name in ["profile-\(profile)", "profile-\(profile)-status"] {
                #expect(try scenario.exitCode(name) == 65)
                let message = try scenario.text("\(name).stderr")
                #expect(
                    message.contains("camera profile `\(profile)`") && message.contains(reason),
                    "\(message)")
                #expect(
                    message.contains("leave `profile` out")
                        || message.contains("Leave `profile` out"))
            }
        }

        @Test func `a size without pixels takes a format that the sensor's driver tells rightly`()
            throws
        {
            let scenario = try Self.scenario.get()
            let said = try scenario.text("set-size.stderr")
            #expect(try scenario.exitCode("set-size") == 0, "\(said)")
        }

        @Test func `without its profile a sensor is recorded as one of which nothing is known`()
            throws
        {
            let scenario = try Self.scenario.get()
            let said = try scenario.text("unknown.stderr")
            #expect(said.contains("no camera profile was found for csi:imx219:0-0010"))
            #expect(said.contains("name the folder that has it with --profiles"))
            #expect(said.contains("finding   nothing is known of this camera"))
            #expect(try scenario.exitCode("measured") == 69)
            #expect(try scenario.text("measured.stdout").isEmpty)
        }

        @Test func `a sensor that is gone when its stream starts is named`() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("gone") == 84)
            #expect(
                try scenario.text("gone.stderr").contains(
                    "the sensor `imx219 0-0010` does not answer"))
        }

        private static let flipped = Scenario.playAll(["imx219", "imx219-legacy-video"]) { board in
            var options = Bench.Options(timeoutSeconds: 120)
            options.csi = CSIBoard(board)
            return Scenario.play("csi-flipped", options, as: "csi-flipped-\(board)")
        }

        @Test(arguments: ["imx219", "imx219-legacy-video"])
        func `flips that were left on move nothing, and are on again afterwards`(board: String)
            throws
        {
            let scenario = try #require(Self.flipped[board.testDescription]).get()
            let devices = try scenario.decode(DeviceList.self, "devices.json")
            let camera = try #require(devices.cameras.first { $0.id == "csi:imx219:0-0010" })
            #expect(camera.formats.allSatisfy { $0.pixels?.hasPrefix("SRGGB") == true })
            let report = try scenario.run("flipped")
            report.expectWhole(exitCode: 0, "trustworthy", slots: 10)
            #expect(try report.contradictions(bits: 10, linesBefore: 2).isEmpty)
            #expect(try !scenario.text("flipped.stderr").contains("not put back"))
            #expect(try scenario.text("flips.txt") == "horizontal_flip: 1\nvertical_flip: 1\n")
            // Without a part of its own a sensor stays in the mode of the run, which has another blanking.
            if board == "imx219" {
                #expect(try scenario.text("blanking.txt") == "vertical_blanking: 1999\n")
            }
        }
    }
}
