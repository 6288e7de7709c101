import Devices
import Notation
import Timebase

/// How the values of one setting are written in brackets and sweeps: a list, or a range.
struct AxisForm<Value: Sendable>: Sendable {
    /// The form of one value.
    let form: Form<Value>
    /// Makes a change of it.
    let change: @Sendable (Value) -> SweepValue
    /// A value as a whole number and back, for ranges; nil where there are none.
    let whole: (@Sendable (Value) -> Int64)?
    let value: (@Sendable (Int64) -> Value?)?

    /// A setting that has no order.
    init(_ form: Form<Value>, change: @escaping @Sendable (Value) -> SweepValue) {
        self.form = form
        self.change = change
        self.whole = nil
        self.value = nil
    }

    /// A setting whose values can be counted.
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
