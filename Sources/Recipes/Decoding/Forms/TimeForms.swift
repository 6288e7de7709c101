import Timebase

extension ScalarShape {
    private static let number = #"(0|[1-9][0-9]*)(\.[0-9]+)?(/[1-9][0-9]*)?"#

    static let duration = ScalarShape(
        "duration", "a duration",
        .text(pattern: "^" + number + " ?(ns|us|\u{B5}s|\u{3BC}s|ms|s|min|h)$"),
        "A duration with its unit (ns, us, ms, s, min, h), for example `8 ms` or `1/125 s`.")

    static let rate = ScalarShape(
        "rate", "a frame rate", .text(pattern: "^" + number + " ?fps$"),
        "Frames per second, for example `30 fps` or `30000/1001 fps`.")

    static let picoseconds = ScalarShape(
        "unit_duration", "a duration",
        .text(pattern: #"^(0|[1-9][0-9]*)(\.[0-9]+)? ?(ps|ns|us|µs|μs|ms)$"#),
        "A duration, exact to a picosecond, for example `100 us` or `14.814 ns`.")
}

extension Form where Value == Interval {
    /// A duration of at least a nanosecond; where none is meant, the key is left out.
    static let duration = Form.scalar(
        .duration, limits: "a duration above zero", isTaken: { $0 > .zero },
        parse: Quantity.duration)

    /// A duration, or none: `0 s` is written with its unit too.
    static let durationOrZero = Form.scalar(.duration, parse: Quantity.duration)
}

extension Form where Value == FrameRate {
    /// A frame rate, 0.0001 fps to 1,000,000 fps as an exact fraction.
    static let rate = Form.scalar(.rate, parse: Quantity.rate)
}
