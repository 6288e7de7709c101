internal import Imaging

/// Gains and temperatures of plans: the curve in integers, so that plans are the same on every machine.
extension ColourCurve {
    /// The gains that make a grey neutral under a temperature, divided so that the smallest is 1.
    ///
    /// `R = 1 / r`, `G = 1`, `B = 1 / b` with r and b linear between the curve's points; rounded once, to the nearest
    /// millionth.
    ///
    /// - Returns: nil outside the curve.
    func gains(kelvin: Int64) -> (red: Gain, green: Gain, blue: Gain)? {
        guard let after = points.firstIndex(where: { $0.kelvin >= kelvin }),
            kelvin >= points[0].kelvin
        else { return nil }
        let (one, two) = (points[max(after - 1, 0)], points[max(after, 1)])
        // Ratios over the distance of the two points, so that nothing is rounded on the way.
        let span = Int128(two.kelvin - one.kelvin)
        func ratio(_ value: (Point) -> Int64) -> Int128 {
            Int128(value(one)) * span
                + Int128(value(two) - value(one)) * Int128(kelvin - one.kelvin)
        }
        let (red, green, blue) = (
            ratio(\.redMillionths), 1_000_000 * span, ratio(\.blueMillionths)
        )
        // The largest ratio has the smallest gain: 1.
        let largest = max(red, green, blue)
        func gain(_ ratio: Int128) -> Gain {
            Gain(millionths: rounded(largest * 1_000_000, over: ratio))
        }
        return (gain(red), gain(green), gain(blue))
    }

    /// The temperature whose gains these are: the mean of the temperatures that red and blue give.
    ///
    /// - Returns: nil outside the curve, where a ratio stands for several temperatures, and where red and blue
    ///   contradict each other by more than a tenth: then the light is off the curve and has a tint.
    func kelvin(red: Gain, green: Gain, blue: Gain) -> Int64? {
        guard red.millionths > 0, blue.millionths > 0,
            let fromRed = kelvin(ofRatio: green, over: red, \.redMillionths),
            let fromBlue = kelvin(ofRatio: green, over: blue, \.blueMillionths)
        else { return nil }
        let mean = rounded(Int128(fromRed) + Int128(fromBlue), over: 2)
        return (fromRed - fromBlue).magnitude * 10 <= mean.magnitude ? mean : nil
    }

    private func kelvin(
        ofRatio green: Gain, over gain: Gain, _ value: (Point) -> Int64
    ) -> Int64? {
        let ratio = rounded(Int128(green.millionths) * 1_000_000, over: Int128(gain.millionths))
        var found: Int64?
        for (one, two) in zip(points, points.dropFirst()) {
            let (from, to) = (value(one), value(two))
            guard from != to, (min(from, to)...max(from, to)).contains(ratio) else { continue }
            let isDown = to < from
            let part = Int128(ratio - from) * Int128(two.kelvin - one.kelvin)
            let kelvin = one.kelvin + rounded(isDown ? -part : part, over: Int128(abs(to - from)))
            // The same temperature twice is a point that two stretches share.
            if let found, found != kelvin { return nil }
            found = kelvin
        }
        return found
    }
}
