/// Gains of the colour channels in millionths: 1,000,000 is 1×.
public struct ChannelGains: Hashable, Sendable {
    /// Red, in millionths.
    public var redMillionths: Int64
    /// Green, in millionths.
    public var greenMillionths: Int64
    /// Blue, in millionths.
    public var blueMillionths: Int64

    /// Creates gains; green is 1 if left out.
    public init(redMillionths: Int64, greenMillionths: Int64 = 1_000_000, blueMillionths: Int64) {
        self.redMillionths = redMillionths
        self.greenMillionths = greenMillionths
        self.blueMillionths = blueMillionths
    }

    /// 1 for each channel: the gains of a camera that applies none.
    public static let unity = ChannelGains(redMillionths: 1_000_000, blueMillionths: 1_000_000)

    /// The gains that make a grey of a camera's raw ratios neutral: their reciprocals, green 1.
    ///
    /// - Parameters:
    ///   - red: raw red over green of the grey.
    ///   - blue: raw blue over green.
    /// - Returns: nil where a ratio is not positive or so small that its gain is beyond 10⁹.
    init?(greyRed red: Double, blue: Double) {
        guard red > 1e-9, blue > 1e-9 else { return nil }
        self.init(
            redMillionths: nearestInteger(1e6 / red), blueMillionths: nearestInteger(1e6 / blue))
    }

    /// The raw ratios of the grey that these gains make neutral; nil unless every gain is above 0.
    var grey: (red: Double, blue: Double)? {
        guard redMillionths > 0, greenMillionths > 0, blueMillionths > 0 else { return nil }
        let green = Double(greenMillionths)
        return (green / Double(redMillionths), green / Double(blueMillionths))
    }

    /// The gains scaled so that the least is 1, then cut off at a camera's largest.
    ///
    /// - Parameter maximum: the camera's largest gain in millionths, at least 1,000,000.
    /// - Returns: the gains, and the channels that were cut off; nil unless every gain is above 0.
    public func normalised(
        maximumMillionths maximum: Int64
    ) -> (gains: ChannelGains, clamped: [ColourLimit.Channel])? {
        precondition(maximum >= 1_000_000, "a camera can leave a channel as it is")
        let least = min(redMillionths, greenMillionths, blueMillionths)
        guard least > 0 else { return nil }
        var clamped: [ColourLimit.Channel] = []
        func scaled(_ gain: Int64, _ channel: ColourLimit.Channel) -> Int64 {
            let exact = (Int128(gain) * 1_000_000 + Int128(least) / 2) / Int128(least)
            if exact > Int128(maximum) { clamped.append(channel) }
            return Int64(min(exact, Int128(maximum)))
        }
        let red = scaled(redMillionths, .red)
        let green = scaled(greenMillionths, .green)
        let blue = scaled(blueMillionths, .blue)
        return (
            ChannelGains(redMillionths: red, greenMillionths: green, blueMillionths: blue), clamped
        )
    }

    /// Which gains lie outside the range that a camera has.
    ///
    /// - Parameter range: the camera's gains in millionths; from 1 on in the usual contract.
    public func limits(in range: ClosedRange<Int64>) -> [ColourLimit] {
        let all: [(ColourLimit.Channel, Int64)] = [
            (.red, redMillionths), (.green, greenMillionths), (.blue, blueMillionths),
        ]
        return all.filter { !range.contains($0.1) }.map { .gain($0.0, $0.1, range) }
    }
}
