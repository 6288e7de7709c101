public import Devices

/// Finds out over a whole run whether brightness follows settings some frames later than they are said to show.
///
/// From frame to frame brightness changes as exposure times gain does, and as the scene does. If the settings of k
/// frames before explain the changes of brightness far better than those that the frames are said to have, for
/// exposure, gain or both, then the camera is k frames later than its profile says. Writes that are lost now and then,
/// scenes that drift or flicker, and a response that is not linear make both explanations worse; no other one becomes
/// better by them.
///
/// Knows nothing of single frames, and needs no hypothesis of how anything came about: it is a second check beside
/// ``BrightnessFilter``. Of fixed size.
public struct LagCheck: Sendable {
    /// A camera may be so many frames late.
    private static let longest = 8
    /// Changes that are looked at before anything is said.
    private static let fewest = 10
    /// What the claimed settings have to leave open: settings that repeat may go with brightness nearly as well, or a
    /// little better by what a lost write does, when taken a whole round late.
    private static let doubtful = 0.3
    /// What the other explanation may leave open, as a part of what the claimed settings leave open.
    private static let clearly = 0.25
    /// Where brightness follows late settings, it does so by a third of their change at least: tone curves have a slope
    /// of 0.45 (1/2.2) and more.
    ///
    /// Settings that all make a frame alike bright leave changes that are noise, and these go
    /// with some late settings by chance, in a series that repeats always the same way.
    private static let leastSlope = 1.0 / 3
    /// A change of brightness by more than this, in natural logarithms, counts as this: frames that are nearly black.
    private static let mostChange = 4.0

    /// How late exposure and gain are, in frames.
    private struct Lag {
        let exposure: Int
        let gain: Int
    }

    /// Sums over changes: how well one explanation goes with brightness.
    private struct Sums {
        var changes = 0.0
        var products = 0.0

        /// The part of the changes of brightness that is left open, 1 where nothing is explained.
        ///
        /// By least squares; a response that is not linear has another slope than 1.
        ///
        /// - Parameters:
        ///   - brightness: the sum of the squares of its changes.
        ///   - leastSlope: no explanation has one below this.
        func open(of brightness: Double, leastSlope: Double) -> Double {
            guard changes > 0, brightness > 0 else { return 1 }
            let slope = max(leastSlope, products / changes)
            return min(1, 1 - slope * (2 * products - slope * changes) / brightness)
        }
    }

    private static let lags =
        [Lag(exposure: 0, gain: 0)]
        + (1...longest).flatMap {
            [Lag(exposure: $0, gain: $0), Lag(exposure: $0, gain: 0), Lag(exposure: 0, gain: $0)]
        }

    private var sums = [Sums](repeating: Sums(), count: lags.count)
    /// The sum of the squares of changes of brightness, and how many there were that a lag could show in.
    private var brightness = 0.0
    private var count = 0
    /// ln of exposure and of gain that the last frames were said to have, the newest first; empty where nothing is
    /// known.
    private var exposures: [Double] = []
    private var gains: [Double] = []
    /// Groups that were changed.
    private var changed: ControlGroups = []
    /// The last frame, where its brightness is known.
    private var last: (scene: Int, level: Double)?

    /// Creates a check that has seen nothing.
    public init() {}

    /// Takes the next frame.
    public mutating func take(_ frame: BrightnessFrame) {
        if frame.distance > 1 { forget() }
        let (exposure, gain) = (
            naturalLogarithm(Double(frame.claimed[.exposure])),
            naturalLogarithm(Double(frame.claimed[.gain]))
        )
        note(exposure, gain)
        defer { last = frame.level.map { (frame.scene, $0) } }
        guard let level = frame.level, let last, last.scene == frame.scene else { return }
        compare(level - last.level)
    }

    /// What comes next has nothing to do with what was before, as after frames that nobody saw.
    public mutating func forget() {
        exposures.removeAll(keepingCapacity: true)
        gains.removeAll(keepingCapacity: true)
        last = nil
    }

    /// By group, how many frames later than claimed brightness follows it; 0 where it does not, or where nothing shows.
    public var late: PerGroup<Int64> {
        var found = PerGroup<Int64>(repeating: 0)
        guard count >= Self.fewest else { return found }
        let open = sums.enumerated().map { place, sum in
            sum.open(of: brightness, leastSlope: place == 0 ? 0 : Self.leastSlope)
        }
        // The least late of those that are alike, as they are where settings repeat.
        guard let least = open.min(), open[0] > Self.doubtful, least < Self.clearly * open[0],
            let best = open.firstIndex(where: { $0 <= least * 1.01 + 1e-9 })
        else { return found }
        if changed.has(.exposure) { found[.exposure] = Int64(Self.lags[best].exposure) }
        if changed.has(.gain) { found[.gain] = Int64(Self.lags[best].gain) }
        return found
    }

    private mutating func note(_ exposure: Double, _ gain: Double) {
        if exposures.isEmpty {
            // What came before the first frame had its settings, as far as anybody knows.
            exposures = [Double](repeating: exposure, count: Self.longest + 2)
            gains = [Double](repeating: gain, count: Self.longest + 2)
            return
        }
        if exposure != exposures[0] { changed.insert(ControlGroups(.exposure)) }
        if gain != gains[0] { changed.insert(ControlGroups(.gain)) }
        exposures.removeLast()
        exposures.insert(exposure, at: 0)
        gains.removeLast()
        gains.insert(gain, at: 0)
    }

    private mutating func compare(_ change: Double) {
        let change = min(max(change, -Self.mostChange), Self.mostChange)
        var isTelling = false
        for (place, lag) in Self.lags.enumerated() {
            let expected =
                exposures[lag.exposure] - exposures[lag.exposure + 1]
                + gains[lag.gain] - gains[lag.gain + 1]
            isTelling = isTelling || expected != 0
            sums[place].changes += expected * expected
            sums[place].products += expected * change
        }
        brightness += change * change
        count += isTelling ? 1 : 0
    }
}
