import Devices
import Imaging
import Notation
import Timebase

/// `timestamps`: what the driver's timestamps mean, on which every time of an exposure rests.
enum TimestampKeys {
    private static let point = Key(
        "point", Form<TimestampModel.Point>.word, required: true,
        "The moment that a timestamp marks.")
    /// A guaranteed bound and no average: bounds of session times are made of it.
    private static let delay = Key(
        "max_delay", Form<Interval>.durationOrZero, required: true,
        "A timestamp lies at most this much after that moment, and never before it.")
    /// Nil for `unknown`; 0 for a global shutter, where anything else is refused.
    private static let readout = Key(
        "readout", Form<Interval>.durationOrZero.map { Interval?.some($0) }.or("unknown", nil),
        required: true, "Time from the first to the last row, or `unknown`.")

    /// Nil for frames that are timed by the driver's timestamps alone.
    private static let cameraClock = Key(
        "camera_clock", cameraClockForm,
        "The camera's own clock, where frames are to be timed by that; the timestamp's point and delay stay the check."
    )

    private static let exposureEnd = Key(
        "exposure_end", exposureEndForm,
        "When a row's exposure ends, measured from its readout; at its readout if left out.")

    static let form = Form<TimestampModel>.mapping(
        MappingShape(
            "a timestamp model", "What the driver's timestamps mean.",
            keys: [
                point.shape, delay.shape, readout.shape, cameraClock.shape, exposureEnd.shape,
            ])
    ) { read in
        let (point, delay, readout) = (read(Self.point), read(Self.delay), read(Self.readout))
        let (cameraClock, exposureEnd) = (read(Self.cameraClock), read(Self.exposureEnd))
        guard let point, let delay, let readout else { return nil }
        var model = TimestampModel(point: point, delay: delay, readout: readout)
        model.cameraClock = cameraClock
        if let exposureEnd { model.exposureEnd = exposureEnd }
        return model
    }

    // MARK: The end of the exposure

    private static let before = Key(
        "before", Form<Interval>.durationOrZero, "So long before the row is read out.")
    private static let after = Key(
        "after", Form<Interval>.durationOrZero, "So long after the row began to be read out.")
    private static let within = Key(
        "within", Form<Interval>.durationOrZero, required: true,
        "How far that may be off, either way.")

    /// An offset from a row's readout with a bound, in nanoseconds.
    ///
    /// Negative for `before`, positive for `after`; exactly one of the two is written.
    private static let exposureEndForm = Form<RowReadout.BoundedOffset>.mapping(
        MappingShape(
            "an exposure's end", "When a row's exposure ends, measured from its readout.",
            keys: [before.shape, after.shape, within.shape],
            rules: [.exactlyOne([["before"], ["after"]])])
    ) { read in
        let (before, after, within) = (read(Self.before), read(Self.after), read(Self.within))
        guard let within, let span = after ?? before.map({ .zero - $0 }) else { return nil }
        return .init(span, halfWidth: within)
    }

    // MARK: The camera's own clock

    private static let source = Key(
        "from", Form<CameraClockModel.Source>.word, required: true,
        "Where its readings come from: `uvc`, the headers of a USB camera's packets.")
    private static let capturePoint = Key(
        "point", Form<TimestampModel.Point>.word, required: true,
        "The moment that the camera timestamps (PTS).")
    /// A guaranteed bound, as `max_delay` is one of the driver's timestamps.
    private static let age = Key(
        "max_age", Form<Interval>.duration, required: true,
        "The freshest reading that comes with a frame is at most this old when the host has it.")

    private static let cameraClockForm = Form<CameraClockModel>.mapping(
        MappingShape(
            "a camera's clock", "The camera's own clock, and how its readings reach the host.",
            keys: [source.shape, capturePoint.shape, age.shape])
    ) { read in
        let (source, point, age) = (read(Self.source), read(capturePoint), read(age))
        guard let source, let point, let age else { return nil }
        return CameraClockModel(source: source, point: point, delay: age)
    }
}
