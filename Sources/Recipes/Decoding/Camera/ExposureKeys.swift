import Devices
import Notation
import Timebase

/// `exposure` of a camera profile: a law, or a table for cameras that jump in steps of their own.
enum ExposureKeys {
    /// What it can be.
    enum Exposure: Sendable {
        /// In units of time.
        case timed(ExposureModel)
        /// In lines of the sensor's mode.
        case lines(SensorModel.LineExposure)
    }

    private static let control = Key(
        "control", ControlForms.control, required: true, "The control that sets it.")
    /// In picoseconds, 1 ps to 1 s; nil for `lines`, whose duration follows from the sensor's mode.
    private static let unit = Key(
        "unit", Form<Int64>.picoseconds.map { Int64?.some($0) }.or("lines", nil),
        "The duration of one code, or `lines` for a raw sensor.")
    /// In nanoseconds; some sensors expose for longer than their register states (imx296: 14.26 µs).
    private static let offset = Key(
        "offset", Form<Interval>.durationOrZero, "What is added whatever the code; 0 if left out.")
    private static let codes = Key(
        "codes", ControlForms.positiveCodes, "Codes that the control takes.")
    /// Measured codes and durations; with a table a code between two of them gives what the lower one gives.
    private static let table = Key(
        "table", rowForm.list(count: 2...1_000),
        "What was measured, for a camera that jumps in steps of its own.")

    /// Exposure in time or in lines; a table excludes unit, codes and offset.
    static let form = Form<Exposure>.mapping(
        MappingShape(
            "an exposure model", "Exposure duration = code × unit + offset, or a measured table.",
            keys: [
                control.shape, unit.shape, offset.shape, codes.shape, table.shape,
                ControlForms.latency.shape,
            ],
            rules: [
                .exactlyOne([["unit", "codes", "offset"], ["table"]]),
                .together(["unit", "codes"]), .companion("offset", of: ["unit"]),
            ])
    ) { read in
        let (control, unit, codes) = (read(Self.control), read(Self.unit), read(Self.codes))
        let (offset, latency) = (read(Self.offset), read(ControlForms.latency))
        let table = read(Self.table)
        guard let control, let latency else { return nil }
        if let table {
            return measured(table, read).map { codes in
                .timed(
                    ExposureModel(
                        control: control, unit: CodeDuration(picoseconds: 1), codes: codes,
                        latencyFrames: latency.frames, latencyOrigin: latency.origin, table: table))
            }
        }
        guard let unit, let codes else { return nil }
        if let unit {
            return .timed(
                ExposureModel(
                    control: control, unitPicoseconds: unit, offset: offset ?? .zero, codes: codes,
                    latencyFrames: latency.frames, latencyOrigin: latency.origin))
        }
        return .lines(
            SensorModel.LineExposure(
                control: control, codes: codes, offset: offset ?? .zero,
                latencyFrames: latency.frames, latencyOrigin: latency.origin))
    }

    // MARK: Table

    private static let code = Key(
        "code", Form<Int64>.integer(0...4_294_967_295), required: true, "The code.")
    private static let duration = Key(
        "duration", Form<Interval>.duration, required: true, "The exposure that it gives.")

    private static let rowForm = Form<ExposureModel.Measured>.mapping(
        MappingShape(
            "a row of the table", "A code and the exposure that was measured.",
            keys: [code.shape, duration.shape])
    ) { read in
        let (code, duration) = (read(Self.code), read(Self.duration))
        guard let code, let duration else { return nil }
        return .init(code: code, duration: duration)
    }

    /// The codes of a table, from its first to its last row.
    ///
    /// - Returns: nil where codes or durations do not ascend, which is reported: one duration must not have two codes.
    private static func measured(
        _ table: [ExposureModel.Measured], _ read: MappingReader
    ) -> CodeRange? {
        let isAscending = zip(table, table.dropFirst()).allSatisfy {
            $0.code < $1.code && $0.duration < $1.duration
        }
        guard let first = table.first, let last = table.last, isAscending else {
            read.context.report(
                "not-ascending", at: read.keyRange(Self.table),
                "codes and durations of `table` must both grow from row to row")
            return nil
        }
        return CodeRange(first.code, last.code)
    }
}
