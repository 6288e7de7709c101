/// Where a figure of a profile comes from, and so how far it is to be trusted.
public enum FigureOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The device is built to it: the simulated camera, the bench's camera.
    case exact
    /// The Raspberry Pi's libcamera ships it for this sensor, converted to our way of counting.
    ///
    /// It was measured by somebody, with other kernels and receivers, and figures of that kind were wrong before
    /// (libcamera once had 1 for the gain of ov5647 and has 2 now). So it is an upper bound, until it is measured.
    case libcamera
    /// Somebody measured it, on this day (`2026-11-20`).
    case measured(on: String)
    /// Somebody measured it on this day, and it was not always the same: the figure is the most, this the least.
    case measuredFrom(least: Int, on: String)
    /// Nobody measured it: a cautious guess.
    case assumed

    /// The fewest frames that a latency of so many can really be.
    ///
    /// The device's own word (``exact``) and what was measured and always the same (``measured(on:)``) are taken for
    /// exact. All else is an upper bound: a frame that may show a write already counts as uncertain, and is never given
    /// a setting that it may not have had.
    public func leastFrames(of latencyFrames: Int) -> Int {
        switch self {
        case .exact, .measured: latencyFrames
        case .measuredFrom(let least, _): min(max(0, least), latencyFrames)
        case .libcamera, .assumed: 0
        }
    }

    /// Reads what ``description`` writes; nil for anything else.
    public init?(_ description: String) {
        let word = "measured ", least = ", at least "
        switch description {
        case "exact": self = .exact
        case "libcamera": self = .libcamera
        case "assumed": self = .assumed
        case let text where text.hasPrefix(word):
            let day = text.dropFirst(word.count)
            guard let end = day.firstRange(of: least) else {
                self = .measured(on: String(day))
                return
            }
            guard let frames = Int(day[end.upperBound...]) else { return nil }
            self = .measuredFrom(least: frames, on: String(day[..<end.lowerBound]))
        default: return nil
        }
    }

    /// The origin as it is written in profiles and plans: `libcamera`, `measured 2026-11-20`.
    public var description: String {
        switch self {
        case .exact: "exact"
        case .libcamera: "libcamera"
        case .measured(let day): "measured \(day)"
        case .measuredFrom(let least, let day): "measured \(day), at least \(least)"
        case .assumed: "assumed"
        }
    }
}
