import Foundation
import Testing

extension InTheBench {
    /// Every mode that a sensor's driver has: offered, planned with the driver's timing and run as planned, with
    /// exposures from the shortest to far beyond a frame; or refused, with the reason.
    @Suite(.serialized) struct RawSensorModes {
        /// A board of the CSI bench with one sensor.
        struct Board: Sendable, CustomTestStringConvertible {
            var name: String
            var sensor: String
            var usesStreams = false
            /// Lines of the longest exposure that is asked for.
            var longest = 30_001
            /// Lines on the bus before the image; nil for a global shutter.
            var linesBefore: Int? = 0
            /// How far the sensor's pixel rate is from what its driver rounds it to, in parts per million.
            var ratePerMillion = 0.0
            /// Modes whose row times the driver does not tell.
            var refused: Set<String> = []

            init(_ name: String, _ sensor: String, linesBefore: Int? = 0) {
                (self.name, self.sensor, self.linesBefore) = (name, sensor, linesBefore)
            }

            /// The same with something else.
            func with<Value>(_ path: WritableKeyPath<Board, Value>, _ value: Value) -> Board {
                var board = self
                board[keyPath: path] = value
                return board
            }

            var testDescription: String { name }
        }

        static let boards: [Board] = [
            Board("imx219", "imx219", linesBefore: 2)
                .with(\.refused, ["SRGGB8-640x480", "SRGGB8-1640x1232"]),
            Board("imx290", "imx290").with(\.longest, 200_001),
            Board("imx296", "imx296", linesBefore: nil).with(\.longest, 500_001)
                .with(\.refused, ["SBGGR10P-728x544"]),
            Board("ov5647", "ov5647").with(\.ratePerMillion, 6),
            Board("ov9281", "ov9281", linesBefore: nil),
            Board("imx219-legacy", "imx219", linesBefore: 2).with(\.refused, ["SRGGB8-1640x1232"]),
            Board("imx477-cfe", "imx477", linesBefore: 1).with(\.longest, 300_001),
            Board("imx708-legacy", "imx708", linesBefore: 2).with(\.longest, 60_001),
        ]

        /// A board is started once, whatever is asked of it.
        private static func play(_ board: Board) -> Result<Scenario, any Error> {
            var options = Bench.Options(timeoutSeconds: 400)
            options.csi = CSIBoard(board.name, streams: board.usesStreams)
            let settings = "\(board.sensor) \(board.longest)\n"
            return Scenario.play(
                "csi-modes", options, files: ["settings.txt": settings],
                as: "csi-modes-\(board.name)")
        }

        private static let played = Scenario.playAll(boards, play)

        @Test(arguments: boards)
        func `every mode is offered and run as planned, or refused with a reason`(board: Board)
            throws
        {
            let scenario = try #require(Self.played[board.testDescription]).get()
            let offered = try SensorModeList(scenario, sensor: board.sensor)
            #expect(offered.missing.isEmpty, "in the driver, and not offered")
            #expect(!offered.names.isEmpty)
            for name in offered.names {
                let isRefused = scenario.has("\(name).refused")
                #expect(isRefused == board.refused.contains(name), "\(name)")
                if isRefused {
                    let reason = try scenario.text("\(name).refused")
                    #expect(reason.contains("[mode-misstated]"), "\(reason)")
                    continue
                }
                for length in ["short", "long"] {
                    try Self.check(scenario, "\(name)-\(length)", board)
                }
            }
            // What the profile has and this driver too is run in one of its pixel formats.
            let run = Set(offered.names.filter { !scenario.has("\($0).refused") })
            let left = offered.ofProfile.filter { run.isDisjoint(with: $0.names) }
            #expect(left.allSatisfy { !board.refused.isDisjoint(with: $0.names) }, "\(left)")
        }

        private static func check(_ scenario: Scenario, _ name: String, _ board: Board) throws {
            let report = try scenario.run(name)
            let slots = name.hasSuffix("short") ? 7 : 3
            report.expectWhole(exitCode: 0, "trustworthy", slots: slots)
            let plan = try scenario.decode(TimedPlan.self, "\(name).plan")
            let timing = plan.timing
            let pixels = name.prefix { $0 != "-" }
            let bits = pixels.contains("12") ? 12 : pixels.contains("10") ? 10 : 8
            let sent = try scenario.table("\(name).truth").rows.suffix(3)
            let rowsInLine = try Self.rowsInLine(
                try #require(sent.last), before: board.linesBefore ?? 0)
            let wrong = try report.contradictions(
                bits: bits, linesBefore: board.linesBefore.map { $0 * rowsInLine },
                ratePerMillion: board.ratePerMillion,
                rowNanoseconds: Self.line(try #require(sent.last)) / Double(rowsInLine))
            #expect(wrong.isEmpty, "\(name): \(wrong.prefix(5))")
            let count = plan.step
            for row in report.frames {
                let asked = Double(try row.required("requested_exposure_ns"))
                let was = Double(try row.required("applied_exposure_ns"))
                #expect(abs(was - asked) <= count / 2 + 1, "\(name), slot \(row["slot"])")
            }
            let starts = try sent.map { try $0.required("start_ns") }
            for (one, next) in zip(starts, starts.dropFirst()) {
                let error = abs(Double(next - one - timing.periodNanoseconds))
                let allowed = 1 + Double(timing.periodNanoseconds) * board.ratePerMillion / 1e6
                #expect(error <= allowed, "\(name): a period of \(next - one) ns was not planned")
            }
        }

        /// Nanoseconds of a line of the sensor's.
        private static func line(_ sent: Table.Row) throws -> Double {
            Double(try sent.required("line_length")) * 1e9 / Double(try sent.required("pixel_rate"))
        }

        /// Rows that go over the bus in a line's time.
        private static func rowsInLine(_ sent: Table.Row, before lines: Int) throws -> Int {
            let time = Double(try sent.required("end_ns") - sent.required("start_ns"))
            let image = time / (try line(sent)) - Double(lines)
            return Int((Double(try sent.required("height")) / image).rounded())
        }
    }
}

/// What `plan --json` says of the timing.
private struct TimedPlan: Decodable {
    struct Plan: Decodable {
        var camera: Camera
    }
    struct Camera: Decodable {
        var timing: Timing
        var profile: Profile
    }
    struct Profile: Decodable {
        var exposure: Exposure
    }
    struct Exposure: Decodable {
        var codes: Codes
    }
    struct Codes: Decodable {
        var step: Int
    }
    struct Timing: Decodable {
        var periodNanoseconds: Int
        var linePicoseconds: Int
        var lineDivisor: Int

        /// Nanoseconds.
        var line: Double { Double(linePicoseconds) / Double(lineDivisor) / 1000 }

        enum CodingKeys: String, CodingKey {
            case periodNanoseconds = "period_ns"
            case linePicoseconds = "line_ps"
            case lineDivisor = "line_divisor"
        }
    }

    var plan: Plan
    var timing: Timing { plan.camera.timing }
    /// Nanoseconds from one exposure to the next.
    var step: Double { Double(plan.camera.profile.exposure.codes.step) * timing.line }
}
