internal import Calibration
internal import Devices
internal import Imaging
internal import Instrument
internal import Notation
internal import Timebase

/// What was measured of a camera's latencies, as people and programs read it.
struct LatencyResult {
    /// What was measured, and what was skipped and why.
    let latencies: LatencyReport
    /// When the measurement ended, by the camera's world: of a simulated camera it is the simulation's own time.
    let time: UTCTime
    /// For the profile, with the conditions that go into the comment.
    let figures: [MeasuredFigure]
    private let camera: CameraIdentity
    /// Format, rate and trials in words: a latency measured in another mode may be another.
    private let conditions: String

    /// Takes down the result; called right after the measurement, since it reads the clock.
    init(
        latencies: LatencyReport, camera: OpenCamera, format: CaptureConfiguration, trials: Int
    ) {
        self.latencies = latencies
        self.camera = camera.device.identity
        let now = camera.world.realtime().convert(
            BoundedInstant(camera.world.now(), halfWidth: .zero))
        time = UTCTime(now.instant)
        let rate = format.rate.map { ", \($0)" } ?? ""
        conditions =
            "\(format.pixelFormat.name) \(format.size)\(rate); \(trials) trials at each of five phases"
        figures = latencies.profileFigures(camera.profile, conditions: conditions)
    }

    // MARK: Text

    /// For people: a table of controls, phases where they differ, trials that were repeated, flashes.
    ///
    /// A range of frames means that it was not always the same; the profile takes the most, and the least beside it.
    var text: String {
        var lines = ["camera \(camera.id): \(conditions)", ""]
        let head = ["control", "frames", "how", "seen (frames: trials)"]
        let rows = latencies.measured.map { one in
            let figure = one.figure
            let range =
                figure.leastFrames == figure.frames
                ? "\(figure.frames)" : "\(figure.leastFrames) to \(figure.frames)"
            return [figure.control.name, range, figure.certaintyText, figure.histogramText]
        }
        let table = [head] + rows
        let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        for row in table {
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            lines.append(trimmed(cells.joined(separator: "  ")))
        }
        lines += latencies.measured.flatMap { phases(of: $0.figure) }
        for one in latencies.measured where one.figure.tally.disturbanceCount > 0 {
            lines.append(
                "\(one.figure.control.name): \(one.figure.tally.disturbanceCount) trials were made again"
                    + " (\(one.figure.tally.disturbanceText))")
        }
        if let flash = latencies.flash {
            lines.append(
                "exposure and gain together: \(flash.flashCount) of \(flash.changeCount) changes made a frame that"
                    + " had one without the other")
        }
        return lines.joined(separator: "\n")
    }

    /// What was seen at each phase, where that is not always the same.
    ///
    /// A latency that depends on the phase shows when in a frame the camera takes its writes.
    private func phases(of figure: LatencyFigure) -> [String] {
        guard figure.tally.histogram.count > 1 else { return [] }
        return figure.tally.rows.map { row in
            let seen = row.seen.map { "\($0.frames): \($0.trials)" }.joined(separator: ", ")
            let phase = "0." + String("\(1_000 + row.phase)".dropFirst())
            return
                "  \(figure.control.name) at \(phase) of a frame, \(row.isUpwards ? "up" : "down"): \(seen)"
        }
    }

    /// The line without the spaces that fill its last column.
    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }

    // MARK: JSON

    /// For programs.
    ///
    /// - Parameter path: the profile that took the figures; nil, and null in the object, for none.
    func json(writtenTo path: String?) -> JSONValue {
        .object(
            JSONObject([
                ("camera", .string(camera.id)), ("conditions", .string(conditions)),
                ("time", .string(time.text)),
                ("controls", .array(latencies.measured.map { json($0) })),
                (
                    "skipped",
                    .array(
                        latencies.skipped.map {
                            .object([
                                "subject": .string($0.subject.rawValue),
                                "reason": .string($0.reason),
                            ])
                        })
                ),
                (
                    "flash",
                    latencies.flash.map {
                        .object([
                            "changes": .integer(Int64($0.changeCount)),
                            "flashes": .integer(Int64($0.flashCount)),
                        ])
                    } ?? .null
                ),
                ("written_to", path.map { .string($0) } ?? .null),
            ]))
    }

    /// One control: `frames` is the most, `least_frames` the fewest, and every trial by phase.
    private func json(_ measured: LatencyReport.Measured) -> JSONValue {
        let figure = measured.figure
        return .object([
            "subject": .string(measured.subject.rawValue),
            "control": .string(figure.control.name),
            "frames": .integer(Int64(figure.frames)),
            "least_frames": .integer(Int64(figure.leastFrames)),
            "exact": .bool(figure.isExact),
            "how": .string(figure.certaintyText),
            "trials": .integer(Int64(figure.tally.trialCount)),
            "repeated_trials": .integer(Int64(figure.tally.disturbanceCount)),
            "split_frames": .integer(Int64(figure.tally.splitCount)),
            "phases": .array(figure.tally.rows.map { json($0) }),
        ])
    }

    /// One phase and direction; `phase_thousandths` is the part of a period after the readout of a frame began.
    private func json(_ row: LatencyTally.Row) -> JSONValue {
        .object([
            "phase_thousandths": .integer(row.phase),
            "direction": .string(row.isUpwards ? "up" : "down"),
            "seen": .array(
                row.seen.map {
                    .object(["frames": .integer($0.frames), "trials": .integer(Int64($0.trials))])
                }),
            "between_frames": .integer(Int64(row.rangeCount)),
        ])
    }
}
