public import Devices

/// Those quirks of a driver that its frames show, in plain bits.
public struct StreamQuirks: OptionSet, BitwiseCopyable, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Creates a set from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// ``CameraQuirk/sequenceIsStuck``.
    public static let sequenceIsStuck = StreamQuirks(rawValue: 1 << 0)
    /// ``CameraQuirk/sequenceResets``.
    public static let sequenceResets = StreamQuirks(rawValue: 1 << 1)
    /// ``CameraQuirk/sequenceCountsFields``.
    public static let sequenceCountsFields = StreamQuirks(rawValue: 1 << 2)
    /// ``CameraQuirk/timestampsAreZero``.
    public static let timestampsAreZero = StreamQuirks(rawValue: 1 << 3)
    /// ``CameraQuirk/timestampsAreStuck``.
    public static let timestampsAreStuck = StreamQuirks(rawValue: 1 << 4)
    /// ``CameraQuirk/timestampsGoBack``.
    public static let timestampsGoBack = StreamQuirks(rawValue: 1 << 5)
    /// ``CameraQuirk/timestampsAreAhead``.
    public static let timestampsAreAhead = StreamQuirks(rawValue: 1 << 6)
    /// ``CameraQuirk/framesAreRepeated``.
    public static let framesAreRepeated = StreamQuirks(rawValue: 1 << 7)
    /// ``CameraQuirk/rateIsAnother``.
    public static let rateIsAnother = StreamQuirks(rawValue: 1 << 8)

    /// Creates a set of those that frames show.
    public init(_ quirks: [CameraQuirk]) {
        self = []
        for quirk in quirks {
            switch quirk {
            case .sequenceIsStuck: insert(.sequenceIsStuck)
            case .sequenceResets: insert(.sequenceResets)
            case .sequenceCountsFields: insert(.sequenceCountsFields)
            case .timestampsAreZero: insert(.timestampsAreZero)
            case .timestampsAreStuck: insert(.timestampsAreStuck)
            case .timestampsGoBack: insert(.timestampsGoBack)
            case .timestampsAreAhead: insert(.timestampsAreAhead)
            case .framesAreRepeated: insert(.framesAreRepeated)
            case .rateIsAnother: insert(.rateIsAnother)
            case .exposureRollsOver, .refusesValueWhileAutomatic, .forgetsSettingsAtStart,
                .readsStaleWhileAutomatic, .correctsDefectsOnSensor:
                break
            }
        }
    }

    /// Takes one of them out; nil if there are none.
    public mutating func popFirst() -> CameraQuirk? {
        guard rawValue != 0 else { return nil }
        let first = StreamQuirks(rawValue: rawValue & (0 &- rawValue))
        remove(first)
        switch first {
        case .sequenceIsStuck: return .sequenceIsStuck
        case .sequenceResets: return .sequenceResets
        case .sequenceCountsFields: return .sequenceCountsFields
        case .timestampsAreZero: return .timestampsAreZero
        case .timestampsAreStuck: return .timestampsAreStuck
        case .timestampsGoBack: return .timestampsGoBack
        case .timestampsAreAhead: return .timestampsAreAhead
        case .framesAreRepeated: return .framesAreRepeated
        case .rateIsAnother: return .rateIsAnother
        default: return nil
        }
    }
}
