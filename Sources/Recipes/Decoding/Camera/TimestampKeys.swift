import Cameras
import Imaging
import Notation
import Timebase

/// `timestamps`: what the driver's time stamps mean.
enum TimestampKeys {
    private static let point = Key(
        "point", Form<TimestampModel.Point>.word, required: true, "The moment that a stamp marks.")
    private static let lateness = Key(
        "lateness", Form<Interval>.durationOrZero, required: true,
        "A stamp lies at most this much after that moment, and never before it.")
    private static let readout = Key(
        "readout", Form<Interval>.durationOrZero.map { Interval?.some($0) }.or("unknown", nil),
        required: true, "Time from the first to the last row, or `unknown`.")

    static let form = Form<TimestampModel>.mapping(
        MappingShape(
            "a time-stamp model", "What the driver's time stamps mean.",
            keys: [point.shape, lateness.shape, readout.shape])
    ) { read in
        let (point, lateness, readout) = (read(Self.point), read(Self.lateness), read(Self.readout))
        guard let point, let lateness, let readout else { return nil }
        return TimestampModel(point: point, lateness: lateness, readout: readout)
    }
}
