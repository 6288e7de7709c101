internal import Devices
internal import Recipes
internal import Timebase

/// The settings of a plan as numbers that the delay model can compare: equal numbers in a group, equal settings.
///
/// A number is the index of the first settings that have the value: two settings that differ in the lens alone share
/// the numbers of all other groups, so that these need not be written again. Compared are values as the device has
/// them. Made before the run, by hashing; looking up allocates nothing.
struct PlanValues {
    /// By index of settings.
    private let values: [GroupValues]
    /// By index of settings.
    private let approaches: [Bool]

    /// Whether the plan has no settings.
    var isEmpty: Bool { values.isEmpty }

    init(_ settings: [PlannedSettings]) {
        var exposures: [TimedExposure: Int32] = [:]
        var gains: [Setting<Gain>: Int32] = [:]
        var lenses: [Setting<LensPosition>: Int32] = [:]
        var balances: [Setting<WhiteBalance>: Int32] = [:]
        approaches = settings.map { $0.lensApproach != nil }
        values = settings.enumerated().map { index, planned in
            let (index, quantised) = (Int32(index), planned.quantised)
            return GroupValues { group in
                switch group {
                case .exposure:
                    Self.number(quantised.exposure, planned.timing?.frameLines, index, &exposures)
                case .gain: Self.number(quantised.gain, index, &gains)
                case .lens: Self.number(quantised.lens, index, &lenses)
                case .whiteBalance: Self.number(quantised.whiteBalance, index, &balances)
                }
            }
        }
    }

    /// The numbers of a set of settings; ``GroupValues/anything`` for a group that is left free.
    subscript(settings: Int32) -> GroupValues { values[Int(settings)] }

    /// Whether the lens goes beyond its place before it takes it.
    func hasApproach(_ settings: Int32) -> Bool { approaches[Int(settings)] }

    /// An exposure belongs to its frame length: both are written together.
    private struct TimedExposure: Hashable {
        let exposure: Setting<Interval>
        let frameLines: Int64?
    }

    /// The number of an exposure with its frame length; new ones get the index.
    private static func number(
        _ exposure: Setting<Interval>, _ frameLines: Int64?, _ index: Int32,
        _ known: inout [TimedExposure: Int32]
    ) -> Int32 {
        if exposure == .free, frameLines == nil { return GroupValues.anything }
        let timed = TimedExposure(exposure: exposure, frameLines: frameLines)
        if let number = known[timed] { return number }
        known[timed] = index
        return index
    }

    /// The number of a value; new ones get the index.
    private static func number<Value: Hashable>(
        _ setting: Setting<Value>, _ index: Int32, _ known: inout [Setting<Value>: Int32]
    ) -> Int32 {
        if setting == .free { return GroupValues.anything }
        if let number = known[setting] { return number }
        known[setting] = index
        return index
    }
}
