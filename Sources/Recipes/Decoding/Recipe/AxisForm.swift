import Devices
import Notation
import Timebase

/// How the values of one setting are written in brackets and sweeps: a list, or a range.
///
/// A range is kept as its two ends and a count, and written out only when the sequence's size has been accepted: a line
/// of YAML may mean a million values.
struct AxisForm<Value: Sendable>: Sendable {
    /// The form of one value.
    let form: Form<Value>
    /// Makes a change of it, which is what sweeps and brackets are made of.
    let change: @Sendable (Value) -> SweepValue
    /// A value as a whole number in its smallest part (nanoseconds, millionths), for ranges; nil where there are none.
    let whole: (@Sendable (Value) -> Int64)?
    /// The way back; nil where there are no ranges.
    let value: (@Sendable (Int64) -> Value?)?

    /// A setting that has no order, such as a white balance or a light; only lists of it can be written.
    init(_ form: Form<Value>, change: @escaping @Sendable (Value) -> SweepValue) {
        self.form = form
        self.change = change
        self.whole = nil
        self.value = nil
    }

    /// A setting whose values can be counted, so that ranges of it can be written.
    ///
    /// - Parameters:
    ///   - form: of one value.
    ///   - change: makes a change of it.
    ///   - whole: in its smallest part; never negative.
    ///   - value: the way back, for whatever lies between two values that the form takes.
    init(
        _ form: Form<Value>, change: @escaping @Sendable (Value) -> SweepValue,
        whole: @escaping @Sendable (Value) -> Int64, value: @escaping @Sendable (Int64) -> Value?
    ) {
        self.form = form
        self.change = change
        self.whole = whole
        self.value = value
    }

    /// The form of the axis.
    ///
    /// Each value of a list keeps its own place; those of a range have the range's.
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

    /// An axis of values that were written out.
    private func listed(_ values: [Located<Value>]) -> SettingAxis {
        SettingAxis(count: values.count) { index in
            Located(change(values[index].value), at: values[index].range)
        }
    }
}
