/// What shows that a frame is missing.
public struct GapEvidence: OptionSet, BitwiseCopyable, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The driver's sequence skips it.
    public static let sequence = GapEvidence(rawValue: 1)
    /// The timestamps around it are too far apart.
    public static let spacing = GapEvidence(rawValue: 2)
    /// It was due: its edge had come, or its light was on.
    public static let slot = GapEvidence(rawValue: 4)

    private static let names: [(GapEvidence, String)] = [
        (.sequence, "sequence"), (.spacing, "spacing"), (.slot, "slot"),
    ]

    /// Their names, joined with `+`; empty if nobody does.
    public var text: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: "+")
    }

    /// Reads what ``text`` wrote.
    public init?(text: String) {
        self = []
        for (source, name) in Self.names where text.split(separator: "+").contains(name[...]) {
            insert(source)
        }
        guard self.text == text else { return nil }
    }
}
