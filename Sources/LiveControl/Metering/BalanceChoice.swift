internal import Devices
internal import Imaging

/// A white balance that a camera can have, and what was cut off to have it.
struct BalanceChoice: Hashable {
    /// As the camera has it.
    var setting: WhiteBalance
    /// Whether more or less was wanted.
    var limit: RoutineLimit?
}

extension WhiteBalanceModel.Components {
    /// The nearest gains, green 1, each to its nearest code.
    ///
    /// - Parameters:
    ///   - red: over green; beyond the codes, the last one is taken and the limit is reported.
    ///   - blue: the same.
    func nearest(red: Gain, blue: Gain) -> BalanceChoice {
        let (redCode, redLimit) = code(red)
        let (blueCode, blueLimit) = code(blue)
        return BalanceChoice(
            setting: gains(redCode: redCode, blueCode: blueCode), limit: redLimit ?? blueLimit)
    }

    /// The code nearest to a gain; `unity` is the code of 1.
    private func code(_ gain: Gain) -> (code: Int64, limit: RoutineLimit?) {
        let numerator = Int128(gain.millionths) * Int128(unity)
        let nearest = codes.nearestInside(numerator, over: 1_000_000)
        // Half a step beyond the last code is still that code.
        let isInside =
            2 * numerator <= Int128(2 * codes.maximum + codes.step) * 1_000_000
            && 2 * numerator >= Int128(2 * codes.minimum - codes.step) * 1_000_000
        return (nearest, isInside ? nil : .balanceRange)
    }
}

extension WhiteBalanceModel.Temperature {
    /// The nearest temperature, its tint 0: a camera that takes temperatures alone has no tint.
    func nearest(kelvin: Int64) -> BalanceChoice {
        let code = codes.nearestInside(Int128(kelvin), over: 1)
        let isInside = kelvin >= codes.minimum && kelvin <= codes.maximum
        return BalanceChoice(
            setting: .temperature(kelvin: code, tintThousandths: 0),
            limit: isInside ? nil : .balanceRange)
    }
}

extension ChannelGains {
    /// Gain by gain, rounded.
    func times(_ other: ChannelGains) -> ChannelGains {
        func product(_ a: Int64, _ b: Int64) -> Int64 {
            rounded(Int128(a) * Int128(b), over: 1_000_000)
        }
        return ChannelGains(
            redMillionths: product(redMillionths, other.redMillionths),
            greenMillionths: product(greenMillionths, other.greenMillionths),
            blueMillionths: product(blueMillionths, other.blueMillionths))
    }

    /// Scaled so that the least is 1; nil unless every gain is above 0.
    var leastIsOne: ChannelGains? { normalised(maximumMillionths: .max)?.gains }

    /// Whether red or blue over green differ by more than so many millionths of their size.
    ///
    /// Gains that differ by a common factor are the same balance, so each is compared over its green.
    func differs(from other: ChannelGains, by millionths: Int64) -> Bool {
        func differs(_ a: Int64, _ b: Int64) -> Bool {
            let mine = Int128(a) * Int128(other.greenMillionths)
            let theirs = Int128(b) * Int128(greenMillionths)
            let distance = mine > theirs ? mine - theirs : theirs - mine
            return distance * 1_000_000 > theirs * Int128(millionths)
        }
        return differs(redMillionths, other.redMillionths)
            || differs(blueMillionths, other.blueMillionths)
    }

    /// The mean of gains, channel by channel; of none, 1.
    static func mean(_ all: [ChannelGains]) -> ChannelGains {
        guard !all.isEmpty else { return .unity }
        func mean(_ channel: KeyPath<ChannelGains, Int64>) -> Int64 {
            rounded(all.reduce(0) { $0 + Int128($1[keyPath: channel]) }, over: Int128(all.count))
        }
        return ChannelGains(
            redMillionths: mean(\.redMillionths), greenMillionths: mean(\.greenMillionths),
            blueMillionths: mean(\.blueMillionths))
    }
}
