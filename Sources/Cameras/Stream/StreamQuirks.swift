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
    /// ``CameraQuirk/stampsAreZero``.
    public static let stampsAreZero = StreamQuirks(rawValue: 1 << 3)
    /// ``CameraQuirk/stampsAreStuck``.
    public static let stampsAreStuck = StreamQuirks(rawValue: 1 << 4)
    /// ``CameraQuirk/stampsGoBack``.
    public static let stampsGoBack = StreamQuirks(rawValue: 1 << 5)
    /// ``CameraQuirk/stampsLieAhead``.
    public static let stampsLieAhead = StreamQuirks(rawValue: 1 << 6)
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
            case .stampsAreZero: insert(.stampsAreZero)
            case .stampsAreStuck: insert(.stampsAreStuck)
            case .stampsGoBack: insert(.stampsGoBack)
            case .stampsLieAhead: insert(.stampsLieAhead)
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
        case .stampsAreZero: return .stampsAreZero
        case .stampsAreStuck: return .stampsAreStuck
        case .stampsGoBack: return .stampsGoBack
        case .stampsLieAhead: return .stampsLieAhead
        case .framesAreRepeated: return .framesAreRepeated
        case .rateIsAnother: return .rateIsAnother
        default: return nil
        }
    }
}
