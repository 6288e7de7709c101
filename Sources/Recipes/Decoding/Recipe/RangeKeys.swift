import Notation

/// The keys of a range: both ends, how many values, and how they lie between.
///
/// Made for each setting, since `from` and `to` have its form.
struct RangeKeys<Value: Sendable>: Sendable {
    private let from: Key<Value>
    private let to: Key<Value>
    /// How many values, both ends included, so at least 2.
    private let steps: Key<Int>
    /// Linear if left out.
    private let spacing: Key<RangeSpacing>
    let shape: MappingShape

    /// - Parameter form: of one value; `from` and `to` take what it takes.
    init(_ form: Form<Value>) {
        from = Key(
            "from", form, required: true,
            "The first value, in the setting's own form: a duration, a gain, a lens position."
        )
        to = Key(
            "to", form, required: true, "The last value, of the same kind; it is one of the range.")
        steps = Key("steps", .count(2...1_000_000), required: true, "How many values.")
        spacing = Key(
            "spacing", .word,
            "`linear` (equal differences, if left out) or `octaves` (each value twice or half the one before)."
        )
        shape = MappingShape(
            "a range", "Values from one to another, both included.",
            keys: [from.shape, to.shape, steps.shape, spacing.shape])
    }

    /// Reads a range, and checks that it is one: it ends elsewhere than it begins, and octaves lead exactly from one
    /// end to the other.
    ///
    /// - Parameter whole: an end in its smallest part, in which the range is counted.
    /// - Returns: nil where something is wrong, which is reported.
    func read(
        _ node: YAMLNode, _ context: DecodingContext, whole: (Value) -> Int64
    ) -> WholeRange? {
        guard let read = MappingReader(node, as: shape, context: context) else { return nil }
        let (first, last, count) = (read(from), read(to), read(steps))
        let chosen = read.has(spacing) ? read(spacing) : .linear
        guard let first, let last, let count, let chosen else { return nil }
        let range = WholeRange(from: whole(first), to: whole(last), count: count, spacing: chosen)
        guard range.from != range.to else {
            context.report(
                "empty-range", at: read.valueRange(to), "the range ends where it begins",
                hint: "write another `to`, or a list of one value")
            return nil
        }
        guard chosen == .linear || isOctaves(range) else {
            context.report(
                "octaves", at: read.valueRange(to),
                "doubling or halving \(count - 1) times does not lead from `from` to `to`",
                hint: "for example `{from: 1 ms, to: 64 ms, steps: 7, spacing: octaves}`")
            return nil
        }
        return range
    }

    /// Whether doubling the smaller end so often gives the larger one, exactly.
    ///
    /// At most 62 doublings, which is what 64 bits hold.
    private func isOctaves(_ range: WholeRange) -> Bool {
        let (small, large) = (min(range.from, range.to), max(range.from, range.to))
        guard small > 0, range.count <= 63 else { return false }
        let (product, overflow) = small.multipliedReportingOverflow(by: 1 << Int64(range.count - 1))
        return !overflow && product == large
    }
}
