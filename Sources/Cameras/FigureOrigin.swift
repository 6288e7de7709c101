/// Where a figure of a profile comes from, and so how far it is to be trusted.
public enum FigureOrigin: Hashable, Sendable, CustomStringConvertible {
    /// The device is built to it: the simulated camera, the bench's camera.
    case exact
    /// The Raspberry Pi's libcamera ships it for this sensor.
    case libcamera
    /// Somebody measured it, on this day (`2026-11-20`).
    case measured(on: String)
    /// Somebody measured it on this day, and it was not always the same: the figure is the most, this the least.
    case measuredFrom(least: Int, on: String)
    /// Nobody measured it: a cautious guess.
    case assumed

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
