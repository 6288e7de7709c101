internal import Devices

/// Looks for the temperature that makes red as bright as blue, by trying.
///
/// Nothing has to be known of what a temperature does to the colours, but that a higher one makes the picture redder.
/// What green then lacks or has too much is a tint, which a camera that takes temperatures alone can't have.
struct TemperatureSearch: Hashable {
    /// A temperature that was tried.
    struct Place: Hashable {
        /// The camera's code.
        var kelvin: Int64
        /// How much red lacks over blue there, in thousandths of an EV; positive where a higher temperature is wanted.
        var lacking: Int64
    }

    /// The highest temperature that is known to be too low.
    private var tooLow: Place?
    /// The lowest that is known to be too high.
    private var tooHigh: Place?
    /// How many steps went the same way.
    private var stepCount: Int64 = 0

    /// The temperature to try next.
    ///
    /// - Parameters:
    ///   - place: what was just tried, if it is not good enough.
    ///   - codes: the camera's temperatures.
    /// - Returns: nil where nothing is better.
    mutating func next(after place: Place, in codes: CodeRange) -> Int64? {
        note(place)
        guard let low = tooLow, let high = tooHigh else { return step(from: place, in: codes) }
        guard high.kelvin - low.kelvin > codes.step else {
            let best = low.lacking.magnitude <= high.lacking.magnitude ? low : high
            return best.kelvin == place.kelvin ? nil : best.kelvin
        }
        // In proportion over reciprocal temperatures, in which eyes and cameras are about even; never too near an end,
        // so that both ends move.
        let (from, to) = (Self.reciprocal(low.kelvin), Self.reciprocal(high.kelvin))
        let part = low.lacking * 1_000 / (low.lacking - high.lacking)
        let wanted = from - (from - to) * min(max(part, 125), 875) / 1_000
        let code = codes.nearestInside(1_000_000_000, over: Int128(wanted))
        return min(max(code, low.kelvin + codes.step), high.kelvin - codes.step)
    }

    /// Takes note of what was tried; where the light has changed meanwhile, what contradicts it is forgotten.
    private mutating func note(_ place: Place) {
        if place.lacking > 0 {
            tooLow = place
            if let high = tooHigh, high.kelvin <= place.kelvin { tooHigh = nil }
        } else {
            tooHigh = place
            if let low = tooLow, low.kelvin >= place.kelvin { tooLow = nil }
        }
    }

    /// Goes on the same way, twice as far each time; nil at the end of the range.
    ///
    /// Of usual cameras a mired makes 0.0085 EV; a quarter more is gone, so that the other side is reached.
    private mutating func step(from place: Place, in codes: CodeRange) -> Int64? {
        stepCount += 1
        let way = place.lacking * 147 << min(stepCount - 1, 8)
        let wanted = max(Self.reciprocal(place.kelvin) - way, 1)
        let code = codes.nearestInside(1_000_000_000, over: Int128(wanted))
        let isUpwards = place.lacking > 0
        let next =
            isUpwards
            ? max(code, place.kelvin + codes.step) : min(code, place.kelvin - codes.step)
        let inside = min(max(next, codes.minimum), codes.maximum)
        return (isUpwards ? inside > place.kelvin : inside < place.kelvin) ? inside : nil
    }

    /// In thousandths of a mired.
    private static func reciprocal(_ kelvin: Int64) -> Int64 { 1_000_000_000 / max(kelvin, 1) }
}
