import Testing

extension InTheBench {
    /// Free-running recipes on the kernel's own test camera.
    @Suite(.serialized) struct Vivid {
        private static let scenario = Scenario.play("vivid", .init(timeoutSeconds: 400, vivid: 1))

        @Test func `300 frames of a webcam come without a gap`() throws {
            let run = try Self.scenario.get().run("webcam")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 300)
            #expect(run.frames.count == 300)
            try Self.expectEvenly(run, periodNanoseconds: 1_000_000_000 / 30)
            #expect(run.summary.camera.id == "vivid:platform:vivid-000")
            #expect(run.summary.camera.driver == "vivid")
        }

        @Test("D9 300 frames of HDMI at 1080p60 come without a gap") func hdmi() throws {
            let run = try Self.scenario.get().run("hdmi")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 300)
            #expect(run.frames.count == 300)
            #expect(run.summary.configuration.width == 1920)
            #expect(run.summary.configuration.height == 1080)
            try Self.expectEvenly(run, periodNanoseconds: 1_000_000_000 / 60)
        }

        @Test("D9 the input that was selected before a run is selected again after it")
        func inputPutBack() throws {
            let scenario = try Self.scenario.get()
            let before = try scenario.decode(DeviceList.self, "devices-hdmi.json")
            for after in ["devices-dark.json", "devices-after-hdmi.json"] {
                let list = try scenario.decode(DeviceList.self, after)
                let brightness = list.cameras.map { camera in
                    camera.controls.first { $0.control == "brightness" }?.maximum
                }
                #expect(brightness.contains(255), "the webcam's range: \(after)")
                #expect(list.cameras.map(\.formats.count) == before.cameras.map(\.formats.count))
            }
        }

        @Test("E2 a pinned value that this input does not take is refused, with the range")
        func pinnedOutOfRange() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("dark") == 69)
            #expect(!scenario.has("dark"))
            let message = try scenario.text("dark.stderr")
            #expect(
                message.contains(
                    "camera vivid:platform:vivid-000 can't lock brightness at 128: it takes 384 to 639"
                ))
        }

        @Test func `every frame that the driver drops is one hole with its number`() throws {
            let run = try Self.scenario.get().run("lossy")
            run.expectWhole(exitCode: 80, "missing-frames", slots: 300)
            // One in five is lost; chance moves that by about seven either way.
            #expect((20...120).contains(run.holes.count))
            #expect(run.summary.holesByReason == ["dropped-by-driver": run.holes.count])
            // Of those that come between the last slot and the end of the stream some may be lost too.
            let findings = run.summary.findings.map(\.id).filter { $0 != "lost-frames" }
            #expect(findings == ["dropped"])

            // Nothing is renumbered: slots go by the driver's own count, frames and holes alike.
            let sequences = try run.rows.map { try $0.required("device_sequence") }
            for (before, after) in zip(sequences, sequences.dropFirst()) {
                #expect(after == before + 1)
            }
            // The kernel's timestamps agree: n holes are n periods without a frame.
            for (before, after) in zip(run.frames, run.frames.dropFirst()) {
                let slots = try after.required("slot") - before.required("slot")
                let span =
                    try after.required("raw_timestamp_ns") - before.required("raw_timestamp_ns")
                #expect(abs(span - slots * 1_000_000_000 / 30) <= 2_000_000)
            }
        }

        @Test func `holes have no pixels, and frames have those that the ledger means`() throws {
            let run = try Self.scenario.get().run("lossy")
            let pixels = try run.pixels()
            #expect(pixels.shape == [300, 2, 360, 640])
            #expect(pixels.dataType == "uint8")
            for row in run.holes {
                #expect(try pixels.frame(slot: row.required("slot")) == nil)
            }
            for row in run.frames.prefix(3) + run.frames.suffix(3) {
                let frame = try #require(try pixels.frame(slot: row.required("slot")))
                let crc = String(ShardReader.crc32c(frame), radix: 16)
                #expect(row["crc32c"] == String(repeating: "0", count: 8 - crc.count) + crc)
                let luma = stride(from: 0, to: frame.count, by: 2).reduce(0) { $0 + Int(frame[$1]) }
                let mean = try #require(Double(row["luma_mean"]))
                #expect(abs(mean - Double(luma) / Double(frame.count / 2)) <= 0.0005)
            }
        }

        @Test("D1 D2 the devices are listed by stable ids, with what they offer") func listed()
            throws
        {
            let scenario = try Self.scenario.get()
            let devices = try scenario.decode(DeviceList.self, "devices.json")
            let camera = try #require(
                devices.cameras.first { $0.id == "vivid:platform:vivid-000" })
            #expect(camera.driver == "vivid")
            #expect(camera.backend == "v4l2")
            #expect(camera.location == "platform:vivid-000")
            #expect(camera.inputs.contains { $0.hasPrefix("Webcam") })
            #expect(camera.inputs.contains { $0.hasPrefix("HDMI") })
            #expect(
                camera.formats.contains {
                    $0.pixels == "YUYV" && $0.width == 640 && $0.height == 360 && !$0.rates.isEmpty
                })
            let brightness = try #require(
                camera.controls.first { $0.control == "brightness" })
            #expect(brightness.minimum == 0 && brightness.maximum == 255)
            #expect(brightness.value == 128)
            #expect(devices.cameras.contains { $0.id == "simulated" })

            let chip = try #require(devices.chips.first { $0.label == "bench-gpio" })
            let names = Dictionary(
                chip.lines.map { ($0.offset, $0.name) }, uniquingKeysWith: { first, _ in first })
            #expect(names[17] == "GPIO17" && names[27] == "GPIO27")
            let text = try scenario.text("devices.txt")
            #expect(text.contains("camera vivid:platform:vivid-000\n"))
            #expect(text.contains("chip bench-gpio (/dev/gpiochip0, 28 lines)\n"))
        }

        /// Checks that the sequence has no gap and that timestamps keep to the rate, within the kernel's ticks of 1 ms.
        private static func expectEvenly(_ run: RunReport, periodNanoseconds: Int) throws {
            let sequences = try run.rows.map { try $0.required("device_sequence") }
            let first = try #require(sequences.first)
            #expect(sequences == Array(first..<first + run.rows.count))
            let timestamps = try run.rows.map { try $0.required("raw_timestamp_ns") }
            // The driver makes its first frame when its thread begins, which is on no tick.
            try #require(timestamps.count > 1)
            for (number, timestamp) in timestamps.enumerated() {
                #expect(
                    abs(timestamp - timestamps[1] - (number - 1) * periodNanoseconds) <= 2_000_000)
            }
        }
    }
}

/// What `devices --json` says.
struct DeviceList: Decodable {
    struct Camera: Decodable {
        var id: String
        var driver: String
        var backend: String
        var location: String
        var inputs: [String]
        var formats: [Format]
        var controls: [Control]
    }
    struct Format: Decodable {
        var pixels: String?
        var width: Int
        var height: Int
        var rates: [String]
    }
    struct Control: Decodable {
        var control: String
        var minimum: Int
        var maximum: Int
        var value: Int?
        var inactive: Bool
    }
    struct Chip: Decodable {
        struct Line: Decodable {
            var offset: Int
            var name: String
        }
        var label: String
        var lines: [Line]
    }
    var cameras: [Camera]
    var chips: [Chip]
}
