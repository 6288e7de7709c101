import Devices
import Timebase

extension ScalarShape {
    static let temperature = ScalarShape(
        "temperature", "a colour temperature", .text(pattern: "^[1-9][0-9]{3,4} ?K$"),
        "The colour temperature of the illuminant, 1000 K to 25000 K, for example `5200 K`.")

    static let gain = ScalarShape(
        "gain", "a gain", .text(pattern: #"^(0|[1-9][0-9]*)(\.[0-9]{1,6}0*)? ?x$"#),
        "A linear gain, exact to a millionth, for example `2.0x`.")

    static let iso = ScalarShape(
        "iso", "an ISO value",
        .integerOrText(1...10_000_000, pattern: "^(ISO ?)?[1-9][0-9]{0,7}$"),
        "An ISO value, for example `100` or `ISO 100`.")

    static let shift = ScalarShape(
        "shift", "a number of stops",
        .text(pattern: #"^[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?(/[1-9][0-9]*)? ?EV$"#),
        "A change of exposure in stops, for example `-2 EV` or `1/3 EV`.")

    static let lens = ScalarShape.number(
        "lens", "A lens position: 0 is the nearest, 1 the farthest.", from: "0", to: "1")

    static let channelGain = ScalarShape.number(
        "channel_gain", "The gain of a colour channel, 1 or more, for example `1.92`.",
        from: "0.001", to: "1000")

    static let tint = ScalarShape.number(
        "tint", "The tint of the illuminant, 3000 times its Duv, -150 to 150; positive is greener.",
        from: "-150", to: "150")

    static let chromaticity = ScalarShape.number(
        "chromaticity", "A CIE 1931 chromaticity coordinate, for example `0.345`.", from: "0.01",
        to: "0.9")
}

extension Form where Value == Interval {
    /// An exposure duration, above zero; what a camera can do of it is quantised later.
    static let exposure = Form.duration
}

extension Form where Value == ExposureShift {
    /// A change of exposure, −8 EV to 8 EV in twelfths.
    static let shift = Form.scalar(.shift, parse: Quantity.shift)
}

extension Form where Value == Int64 {
    /// A colour temperature in kelvin, 1000 K to 25000 K.
    static let temperature = Form.scalar(
        .temperature, limits: "1000 K to 25000 K", isTaken: Quantity.temperatures.contains,
        parse: Quantity.temperature)

    /// A tint in thousandths.
    static let tint = Form.scalar(
        .tint, limits: "-150 to 150", isTaken: { (-150_000...150_000).contains($0) },
        parse: Quantity.signedThousandths)

    /// A chromaticity coordinate in millionths.
    static let chromaticity = Form.scalar(
        .chromaticity, limits: "0.01 to 0.9", isTaken: Quantity.chromaticities.contains,
        parse: Quantity.millionths)

    /// An ISO value, 1 to 10,000,000; the camera's own range is compared when the plan is made.
    static let iso = Form.scalar(
        .iso, limits: "ISO 1 to ISO 10000000", isTaken: { (1...10_000_000).contains($0) },
        parse: Quantity.iso)
}

extension Form where Value == Gain {
    /// A linear gain with its `x`, 0.001x to 1000x.
    static let gain = Form.scalar(
        .gain, limits: "0.001x to 1000x",
        isTaken: { (1_000...1_000_000_000).contains($0.millionths) }, parse: Quantity.gain)

    /// The gain of a colour channel, a plain number; what is below 1 is refused with the camera's range.
    static let channelGain = Form<Int64>.scalar(
        .channelGain, limits: "0.001 to 1000", isTaken: { (1_000...1_000_000_000).contains($0) },
        parse: Quantity.millionths
    ).map { Gain(millionths: $0) }
}

extension Form where Value == Sensitivity {
    /// ISO, kept as it was written: only a profile turns it into a gain.
    static let isoSensitivity = Form<Int64>.iso.map { Sensitivity.iso($0) }
    static let gainSensitivity = Form<Gain>.gain.map { Sensitivity.gain($0) }
}

extension Form where Value == LensPosition {
    /// A lens position, 0 (nearest) to 1 (farthest) in millionths: not a distance.
    static let lens = Form<Int64>.scalar(
        .lens, limits: "0 (nearest) to 1 (farthest)", isTaken: { (0...1_000_000).contains($0) },
        parse: Quantity.millionths
    ).mapOrNil { LensPosition(millionths: $0) }
}

extension Form {
    /// The same shape, another value where one can be made.
    ///
    /// Where none can, nothing is reported: for values whose limits the form itself has checked.
    func mapOrNil<Other: Sendable>(
        _ make: @escaping @Sendable (Value) -> Other?
    ) -> Form<Other> {
        Form<Other>(shape) { node, context in read(node, context).flatMap(make) }
    }
}
