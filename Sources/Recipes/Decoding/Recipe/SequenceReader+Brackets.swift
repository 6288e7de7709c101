import Devices
import Notation

/// Brackets and sweeps: what is written out into shots, within the budget of the whole sequence.
extension SequenceReader {
    /// The axes of `for`, in the order of the file; nil where one is wrong, which is reported.
    func sweepAxes(_ read: MappingReader) -> AxisKeys.Axes? {
        guard let node = read(StepKeys.sweep) else { return nil }
        return context.reading("`for`") {
            MappingReader(node, as: AxisKeys.sweepShape, context: context).flatMap(AxisKeys.read)
        }
    }

    /// Reads a bracket.
    ///
    /// - Returns: nil where a part is wrong, kinds are mixed or it is too large, which is reported.
    mutating func bracket(_ read: MappingReader) -> Step.Kind? {
        guard let node = read(StepKeys.bracket) else { return nil }
        let range = read.keyRange(StepKeys.bracket)
        let reader = context.reading("`bracket`") {
            MappingReader(node, as: BracketKeys.shape, context: context)
        }
        guard let keys = reader else { return nil }
        let isAtomic = keys.has(BracketKeys.atomic)
        let retries = keys(BracketKeys.atomic)
        let shots = context.reading("`bracket`") { self.shots(keys) }
        guard let shots, budget.take(Int(Bracket(shots).count), at: range),
            !BracketKeys.isMixed(keys), retries != nil || !isAtomic
        else { return nil }
        return .bracket(Bracket(shots, retries: retries))
    }

    /// What each frame changes: the first values of all axes, then the second ones, and so on.
    ///
    /// Lists of different length are refused: a frame must not have a value of one list and none of the other. Lights
    /// are checked against the lines.
    ///
    /// - Returns: nil, and reports why, where there are no shots; a burst of the largest number where there are too
    ///   many, which the budget then refuses.
    private func shots(_ read: MappingReader) -> Bracket.Shots? {
        if read.has(BracketKeys.burst) { return read(BracketKeys.burst).map { .burst($0) } }
        guard let axes = BracketKeys.read(read), let first = axes.first else { return nil }
        for other in axes.dropFirst() where other.axis.count != first.axis.count {
            if BracketKeys.isMixed(read) { return nil }
            context.report(
                "unequal-lists", at: other.range,
                "this list has \(other.axis.count) entries, the first one of the bracket \(first.axis.count)",
                notes: [context.note("the first list", at: first.range)],
                hint: "lists of a bracket go side by side; for every combination use `for`")
            return nil
        }
        let limit = Int(SequenceExtent.maximumSteps)
        guard first.axis.count <= limit else { return .burst(Located(.max, at: first.range)) }
        let changes = (0..<first.axis.count).map { index in axes.map { $0.axis.value(index) } }
        for change in changes.joined() {
            guard case .light(let name?) = change.value else { continue }
            lines.use(Located(name, at: change.range), as: .output, by: "light", context)
        }
        return .changes(changes)
    }

    /// Every combination of the axes' values, the last axis changing fastest.
    ///
    /// - Returns: nil, and reports why, where there are more than the budget has left.
    mutating func product(
        _ axes: [SettingAxis], at range: SourceRange
    ) -> SweepShots? {
        let count = axes.reduce(1) { count, axis in
            let (product, overflows) = count.multipliedReportingOverflow(by: axis.count)
            return overflows ? .max : product
        }
        guard budget.take(count, at: range) else { return nil }
        return SweepShots(axes, count: count)
    }
}
