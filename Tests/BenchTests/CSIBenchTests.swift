import Testing

extension InTheBench {
    /// The CSI bench itself: what its sensors send is what they say, and what was asked for.
    @Suite struct CSIBench {
        /// Of the frame's own words in its pixels, those that the log has too.
        private static let told: [Substring] = [
            "stream", "exposure_lines", "exposure_ns", "gain_code", "digital_code", "gain_q16",
            "frame_length", "line_length", "start_ns", "pixel_rate", "lens",
        ]

        @Test(arguments: CSIMode.all)
        func `a sensor streams at its own rate, and each picture says what it is`(
            mode: CSIMode
        ) throws {
            let capture = try CSICapture(CSIBoard(mode.board), mode, 6)
            #expect(try capture.values("sequence") == Array(0..<6))
            #expect(try capture.values("number") == Array(0..<6))
            for frame in capture.frames {
                let truth = try #require(capture.truth[try frame.required("number")])
                for column in Self.told { #expect(frame[column] == truth[column]) }
                #expect(truth["sent"] == "1")
                let late = try frame.required("timestamp_ns") - truth.required("start_ns")
                #expect(abs(late) <= 1000, "timestamped \(late) ns after its start")
            }
            for number in 0..<5 {
                let elapsed = try capture.period(after: number)
                #expect(abs(Double(elapsed) - mode.period) < 1, "\(elapsed) ns")
            }
            let all =
                try #require(capture.truth[5]).required("start_ns")
                - #require(capture.truth[0]).required("start_ns")
            #expect(abs(Double(all) - 5 * mode.period) <= 1, "\(all) ns in five periods")
        }

        @Test func `brightness is black level and scene, times exposure, times gain`() throws {
            let capture = try CSICapture(
                CSIBoard("imx219"), .imx219, 9,
                ["exposure=400@start", "exposure=800@1", "gain=128@4"])
            for frame in capture.frames {
                let exposure = try Double(frame.required("exposure_ns"))
                let gain = try Double(frame.required("gain_q16")) / 65536
                let flat = try #require(Double(frame["flat"]))
                #expect(abs(flat - (64 + 12000 * exposure * gain / 1e9)) <= 0.51)
            }
            let gains = Set(try capture.values("gain_q16"))
            #expect(gains == [65536, 131072])
        }

        @Test(arguments: [(1, 0, 0), (2, 1, 1), (4, 3, 2), (0, 0, 4)])
        func `what is written shows after the latency asked for`(
            exposure: Int, gain: Int, vblank: Int
        ) throws {
            let capture = try CSICapture(
                CSIBoard("imx219", options: "exposure=\(exposure),gain=\(gain),vblank=\(vblank)"),
                .imx219, 14, ["exposure=100@5", "gain=100@5", "vblank=2000@5"])
            // All was written between the starts of frames 5 and 6.
            let written = try capture.writes.suffix(3).map { try $0.required("at_ns") }
            let starts = try [5, 6].map { try #require(capture.truth[$0]).required("start_ns") }
            #expect(written.allSatisfy { starts[0] < $0 && $0 < starts[1] })
            #expect(try capture.firstNumber("exposure_lines", is: 100) == 6 + exposure)
            #expect(try capture.firstNumber("gain_code", is: 100) == 6 + gain)
            #expect(try capture.firstNumber("frame_length", is: 3232) == 6 + vblank)
            let short = try capture.period(after: 5 + vblank)
            let long = try capture.period(after: 6 + vblank)
            #expect(abs(short - 33_326_886) <= 1)
            #expect(abs(long - 61_096_140) <= 1, "3232 lines of 3448 pixels")
        }

        @Test func `an imx296 exposes longer when its frame alone is made longer`() throws {
            let capture = try CSICapture(
                CSIBoard("imx296"), .imx296, 8, ["exposure=100@start", "vblank=1030@2"])
            #expect(try capture.firstNumber("exposure_lines", is: 1100) == 4)
            #expect(try #require(capture.truth[3]).required("exposure_lines") == 100)
        }

        @Test func `what an ov9281 writes as a group shows as a group`() throws {
            // On so slow a bus a frame starts between the group's first write and its last.
            let capture = try CSICapture(
                CSIBoard("ov9281", options: "bus-khz=10,exposure=0"), .ov9281, 10,
                ["exposure=200@4"], more: "--timeout 10")
            let exposure = try #require(capture.writes.last { $0["control"] == "exposure" })
            let gain = try #require(capture.writes.last { $0["control"] == "gain" })
            let shown = try capture.firstNumber("exposure_lines", is: 200)
            let between = try capture.truth.values.filter {
                let start = try $0.required("start_ns")
                return try exposure.required("at_ns") < start && start < gain.required("at_ns")
            }
            let start = try #require(capture.truth[shown]).required("start_ns")
            #expect(try start > gain.required("at_ns"))
            #expect(between.count == 1)
            #expect(between.allSatisfy { $0["exposure_lines"] == "642" })
        }
    }
}
