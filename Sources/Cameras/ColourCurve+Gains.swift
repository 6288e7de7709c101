internal import Imaging

/// Gains and temperatures of plans: the curve in integers, so that plans are the same on every machine.
extension ColourCurve {
    /// The gains that make a grey neutral under a temperature, divided so that the smallest is 1.
    ///
    /// `R = 1 / r`, `G = 1`, `B = 1 / b` with r and b linear between the curve's points, each rounded to the nearest
    /// millionth.
    ///
    /// - Returns: nil outside the curve.
    func gains(kelvin: Int64) -> (red: Gain, green: Gain, blue: Gain)? {
        guard let after = points.firstIndex(where: { $0.kelvin >= kelvin }),
            kelvin >= points[0].kelvin
        else { return nil }
        let (one, two) = (points[max(after - 1, 0)], points[max(after, 1)])
        func ratio(_ value: (Point) -> Int64) -> Int64 {
            value(one)
                + rounded(
                    Int128(value(two) - value(one)) * Int128(kelvin - one.kelvin),
                    over: Int128(two.kelvin - one.kelvin))
        }
        let (red, blue) = (ratio(\.redMillionths), ratio(\.blueMillionths))
        // The largest ratio has the smallest gain: 1.
        let largest = Int128(max(red, blue, 1_000_000))
        func gain(_ ratio: Int64) -> Gain {
            Gain(millionths: rounded(largest * 1_000_000, over: Int128(ratio)))
        }
        return (gain(red), gain(1_000_000), gain(blue))
    }

    /// The temperature whose gains these are: the mean of the temperatures that red and blue say.
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
