public import Devices
internal import Timebase

extension TimingReport {
    /// Lines before the image that a raw sensor's profile must count so that no timestamp lies before the readout.
    ///
    /// - Returns: 0 where timestamps lie after the first row's end, for cameras without a sensor model, and where rows
    ///   are not timed.
    func embeddedLines(_ profile: CameraProfile) -> Int64 {
        guard profile.sensor != nil, let row = rowPicoseconds, row.upperBound > 0 else { return 0 }
        let early = -(delay.map(\.upperBound).min() ?? .zero).nanoseconds
        return early > 0 ? dividedUp(early * 1_000, by: row.upperBound) : 0
    }

    /// The figures for a profile, with what is to be known of each.
    ///
    /// - Parameters:
    ///   - profile: what the camera was taken for.
    ///   - conditions: format, rate and light, for the comments.
    /// - Throws: ``CalibrationError`` where timestamps lie before what any profile can have.
    public func figures(
        for profile: CameraProfile, conditions: String
    ) throws(CalibrationError) -> [MeasuredFigure] {
        var figures: [MeasuredFigure] = []
        let lines = embeddedLines(profile)
        let shift = (rowPicoseconds?.upperBound ?? 0) * lines / 1_000
        let least = (delay.map(\.upperBound).min() ?? .zero).nanoseconds + shift
        guard least >= 0 else {
            throw CalibrationError(
                "a timestamp lies at least \(Interval(nanoseconds: -least)) before the first row's exposure"
                    + " ends, which a profile of such a camera can't have: it marks another moment")
        }
        if let shutter, let readout {
            figures.append(.init(.shutter(shutter), notes: [conditions]))
            let found = shutter == .global ? "at most \(readout.upperBound)" : span(readout)
            if profile.sensor == nil {
                figures.append(
                    .init(
                        .readout(shutter == .global ? .zero : middle(readout)),
                        notes: [found, conditions]))
            }
        }
        if lines > 0 { figures.append(.init(.embeddedLines(lines), notes: [conditions])) }
        let most = Interval(nanoseconds: max(0, latest.nanoseconds + shift))
        let isAfterReadout =
            shutter == .rolling && readout.map { earliestMiddle >= middle($0) } == true
        let bound = isAfterReadout ? most - (readout?.lowerBound ?? .zero) : most
        let note =
            "seen in \(delay.count) frames: \(earliest) to \(latest) after the first row's exposure"
        if shutter == .rolling {
            figures.append(
                .init(
                    .timestampPoint(isAfterReadout ? .endOfReadout : .startOfReadout),
                    notes: [conditions]))
        }
        figures.append(.init(.delay(wholeMicroseconds(bound)), notes: [note, conditions]))
        return figures
    }

    /// The middle of the earliest frame's bounds.
    private var earliestMiddle: Interval { delay.map(middle).min() ?? .zero }

    private func middle(_ span: Span) -> Interval {
        Interval(nanoseconds: (span.lowerBound + span.upperBound).nanoseconds / 2)
    }

    /// Rounded up, as a bound must be; drivers cut timestamps off to microseconds.
    private func wholeMicroseconds(_ span: Interval) -> Interval {
        .microseconds(dividedUp(span.nanoseconds, by: 1_000))
    }

    private func span(_ range: Span) -> String { "\(range.lowerBound) to \(range.upperBound)" }
}
