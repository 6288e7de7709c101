import Cameras
import Notation
import Timebase

/// The values that a bracket or a sweep gives to one setting; a range is not written out before it is needed.
struct SettingAxis: Sendable {
    /// How many values there are.
    let count: Int
    /// The value of an index below `count`.
    let value: @Sendable (Int) -> Located<SettingChange>
}

/// How the values of one setting are written in brackets and sweeps: a list, or a range.
struct AxisForm<Value: Sendable>: Sendable {
    /// The form of one value.
    let form: Form<Value>
    /// Makes a change of it.
    let change: @Sendable (Value) -> SettingChange
    /// A value as a whole number and back, for ranges; nil where there are none.
    let whole: (@Sendable (Value) -> Int64)?
    let value: (@Sendable (Int64) -> Value?)?

    /// A setting that has no order.
    init(_ form: Form<Value>, change: @escaping @Sendable (Value) -> SettingChange) {
        self.form = form
        self.change = change
        self.whole = nil
        self.value = nil
    }

    /// A setting whose values can be counted.
    init(
        _ form: Form<Value>, change: @escaping @Sendable (Value) -> SettingChange,
        whole: @escaping @Sendable (Value) -> Int64, value: @escaping @Sendable (Int64) -> Value?
    ) {
        self.form = form
        self.change = change
        self.whole = whole
        self.value = value
    }

    /// The form of the axis.
    var axis: Form<SettingAxis> {
        let list = form.located.list()
        guard let whole, let value else { return list.map(listed) }
        let keys = RangeKeys(form)
        return Form<SettingAxis>(.either([list.shape, .mapping(keys.shape)])) { node, context in
            if node.entries != nil {
                guard let range = keys.read(node, context, whole: whole) else { return nil }
                return SettingAxis(count: range.count) { index in
                    // Between two values that are allowed, every value is.
                    guard let value = value(range[index]) else {
                        preconditionFailure("a range leaves the values of its setting")
                    }
                    return Located(change(value), at: node.range)
                }
            }
            guard node.elements != nil else {
                context.reportKind(node, wanted: "a list or a mapping `{from, to, steps}`")
                return nil
            }
            return list.read(node, context).map(listed)
        }
    }

    private func listed(_ values: [Located<Value>]) -> SettingAxis {
        SettingAxis(count: values.count) { index in
            Located(change(values[index].value), at: values[index].range)
        }
    }
}

/// How a range's values lie.
enum RangeSpacing: String, CaseIterable, Sendable {
    /// Equal differences.
    case linear
    /// Each value twice the one before, or half of it.
    case octaves
}

/// Values from one to another, both included.
struct WholeRange: Sendable {
    let from: Int64
    let to: Int64
    let count: Int
    let spacing: RangeSpacing

    /// The value of an index below `count`, rounded half away from zero.
    subscript(index: Int) -> Int64 {
        precondition((0..<count).contains(index), "an index of the range")
        switch spacing {
        case .octaves: return from < to ? from << Int64(index) : from >> Int64(index)
        case .linear:
            // Settings that have ranges are never negative, so half away from zero is half upwards.
            let (parts, rest) = (Int128(count - 1), Int128(count - 1 - index))
            let sum = Int128(from) * rest + Int128(to) * Int128(index)
            return Int64((2 * sum + parts) / (2 * parts))
        }
    }
}

/// The keys of a range.
struct RangeKeys<Value: Sendable>: Sendable {
    private let from: Key<Value>
    private let to: Key<Value>
    private let steps: Key<Int>
    private let spacing: Key<RangeSpacing>
    let shape: MappingShape

    init(_ form: Form<Value>) {
        from = Key("from", form, required: true, "The first value.")
        to = Key("to", form, required: true, "The last value, which is one of the range.")
        steps = Key("steps", .count(2...1_000_000), required: true, "How many values.")
        spacing = Key(
            "spacing", .word,
            "`linear` (equal differences, if left out) or `octaves` (each value twice or half the one before)."
        )
        shape = MappingShape(
            "a range", "Values from one to another, both included.",
            keys: [from.shape, to.shape, steps.shape, spacing.shape])
    }

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

    private func isOctaves(_ range: WholeRange) -> Bool {
        let (small, large) = (min(range.from, range.to), max(range.from, range.to))
        guard small > 0, range.count <= 63 else { return false }
        let (product, overflow) = small.multipliedReportingOverflow(by: 1 << Int64(range.count - 1))
        return !overflow && product == large
    }
}
