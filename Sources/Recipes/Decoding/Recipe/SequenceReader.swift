import Devices
import Imaging
import Notation
import Timebase

/// Reads the steps of a recipe and checks what holds between them.
///
/// Goes down the tree of steps once. Every list returns how large it becomes and whether all of it could be read: what
/// depends on the whole (no frames, lights that nothing follows) is reported only where the whole is known, so that one
/// mistake is one message.
struct SequenceReader {
    /// Loops and sweeps inside each other; a plan's cursor keeps a place for each.
    static let maximumDepth = 16

    let context: DecodingContext
    /// What the recipe declares; steps may name nothing else.
    let lines: DeclaredLines
    /// One for the whole sequence, however deep a bracket or sweep stands.
    var budget: SequenceBudget
    /// What is metered before the first frame; nil where the first step is another one.
    private(set) var metering: MeteringNeed?

    init(context: DecodingContext, lines: DeclaredLines) {
        self.context = context
        self.lines = lines
        budget = SequenceBudget(context: context)
    }

    /// Reads the whole sequence; called once.
    ///
    /// - Returns: the steps that could be read, without one that meters.
    mutating func sequence(_ node: YAMLNode) -> [Step] {
        let list = context.reading("`sequence`") {
            steps(node, path: "sequence", depth: 0, loop: nil)
        }
        if list.takesNoFrames {
            context.report(
                "no-frames", at: SourceRange(at: node.range.start, columns: 1),
                "the sequence takes no frames",
                hint: "add a step such as `- capture: 1`")
        }
        return list.steps
    }

    // MARK: Lists

    /// A list that was read, with what is known of its size.
    private struct StepList {
        var steps: [Step] = []
        var extent = SequenceExtent()
        /// Whether everything could be read and nothing of it is a frame.
        var takesNoFrames: Bool { extent.isComplete && extent.frames == 0 }
    }

    /// Reads a list of steps.
    ///
    /// - Parameters:
    ///   - path: of the list, for the paths of its steps.
    ///   - depth: how many loops and sweeps it is inside of.
    ///   - loop: the loop that the list is in, for messages about endless ones; nil outside of any.
    private mutating func steps(
        _ node: YAMLNode, path: String, depth: Int, loop: SourceRange?
    ) -> StepList {
        var list = StepList()
        guard let nodes = context.elements(of: node, count: 1...10_000) else {
            list.extent.isComplete = false
            return list
        }
        for (index, node) in nodes.enumerated() {
            if meters(node, isFirst: depth == 0 && index == 0) { continue }
            let next = step(node, path: "\(path)[\(index)]", depth: depth, loop: loop)
            guard let (step, extent) = next else {
                list.extent.isComplete = false
                continue
            }
            StepOrder.refuseUnreachable(step, after: list.steps, context)
            list.steps.append(step)
            list.extent = list.extent + extent
            budget.check(list.extent, at: step.range)
        }
        if list.extent.isComplete { StepOrder.refuseIdlePulses(list.steps, context) }
        return list
    }

    /// Reads a step that meters; it is no step of the run, since it is over before the run begins.
    ///
    /// - Returns: whether it is one.
    private mutating func meters(_ node: YAMLNode, isFirst: Bool) -> Bool {
        guard let entries = node.entries, entries.count == 1, let entry = entries.first,
            entry.key == StepKeys.meter.name
        else { return false }
        guard isFirst else {
            context.report(
                "meter-too-late", at: entry.keyRange,
                "only the first step can meter: everything after it is locked",
                hint: "put `meter` first in `sequence`")
            return true
        }
        let read = context.reading("`meter`") {
            MappingReader(entry.value, as: MeterKeys.shape, context: context)
        }
        metering = read.map { MeterKeys.need($0, at: entry.keyRange) }
        return true
    }

    /// Reads one step with its extent; nil where it can't be read, which is reported.
    ///
    /// Which verb it has is decided in a fixed order: a second one was reported with the keys already.
    private mutating func step(
        _ node: YAMLNode, path: String, depth: Int, loop: SourceRange?
    ) -> (Step, SequenceExtent)? {
        if let word = node.scalar?.text, StepKeys.shape.keys.contains(where: { $0.name == word }) {
            context.report(
                "wrong-kind", at: node.range, "a step is a mapping, and this is a word",
                hint: "write `- \(word): …`, with a value")
            return nil
        }
        let reader = context.reading("a step") {
            MappingReader(node, as: StepKeys.shape, context: context)
        }
        guard let read = reader else { return nil }
        var extent = SequenceExtent(steps: 1, frames: 0)
        let kind: Step.Kind?
        var still: Located<StillFormat>?
        if read.has(StepKeys.sweep) {
            (kind, extent) = sweep(read, path: path, depth: depth)
        } else if read.has(StepKeys.repeat) {
            (kind, extent) = loops(read, path: path, depth: depth, outer: loop)
        } else if read.has(StepKeys.bracket) {
            kind = bracket(read)
            if case .bracket(let bracket)? = kind {
                extent = SequenceExtent(steps: bracket.count, frames: bracket.count)
            }
        } else if let capture = read(StepKeys.capture) {
            kind = .capture(capture.count)
            still = capture.still
            extent.frames = capture.count.value
        } else {
            kind = lineStep(read)
        }
        let label = read(StepKeys.label)
        return kind.map {
            (Step($0, at: node.range, path: path, still: still, label: label), extent)
        }
    }

    /// Reads a `wait` or a `pulse`, and checks the line that it uses; neither takes a frame.
    private func lineStep(_ read: MappingReader) -> Step.Kind? {
        if let wait = read(StepKeys.wait) {
            switch wait {
            case .time(let duration): return .wait(duration)
            case .edge(let line, let within):
                lines.use(line, as: .input, by: "wait", context)
                return .waitForEdge(line: line, within: within)
            }
        }
        guard let pulse = read(StepKeys.pulse) else { return nil }
        switch pulse {
        case .duration(let line, let duration):
            lines.use(line, as: .output, by: "pulse", context)
            return .pulse(line: line, duration: duration)
        case .withExposure(let line):
            lines.use(line, as: .output, by: "pulse", context)
            return .pulseWithExposure(line: line)
        }
    }

    // MARK: Loops

    /// Reads a `repeat`.
    ///
    /// An endless one is refused inside another loop, which would never go on, and where it takes no frames.
    ///
    /// - Parameter outer: the loop or sweep around it; nil for none.
    /// - Returns: the step, nil where it can't be read, and its extent: one round of an endless loop.
    private mutating func loops(
        _ read: MappingReader, path: String, depth: Int, outer: SourceRange?
    ) -> (Step.Kind?, SequenceExtent) {
        let count = read(StepKeys.repeat)
        let every = read(StepKeys.every)
        let range = read.keyRange(StepKeys.repeat)
        if let outer, let count, count.value == nil {
            context.report(
                "endless-inside-loop", at: range,
                "an endless loop inside another loop: the outer one never gets to its next round",
                notes: [context.note("the outer loop", at: outer)],
                hint: "move it to the end of `sequence`, or give it a number of rounds")
        }
        guard let body = body(read, path: path, depth: depth, loop: range) else {
            return (nil, SequenceExtent())
        }
        if body.takesNoFrames, let count, count.value == nil {
            context.report("no-frames", at: range, "this endless loop takes no frames")
        }
        guard let count else { return (nil, SequenceExtent()) }
        let located = count.value.map { Located($0, at: count.range) }
        return (
            .repeat(located, every: every, do: body.steps),
            body.extent.repeating(count.value ?? 1)
        )
    }

    /// Reads a `for`, and writes its shots out once their number was accepted.
    private mutating func sweep(
        _ read: MappingReader, path: String, depth: Int
    ) -> (Step.Kind?, SequenceExtent) {
        let range = read.keyRange(StepKeys.sweep)
        let axes = sweepAxes(read)
        let list = body(read, path: path, depth: depth, loop: range)
        guard let list else { return (nil, SequenceExtent()) }
        if list.takesNoFrames {
            context.report(
                "no-frames", at: range, "the steps of this sweep take no frames",
                hint: "add `- capture: 1` under its `do`")
        }
        guard let axes else { return (nil, SequenceExtent()) }
        let count = axes.reduce(Int64(1)) { SequenceExtent.multiply($0, Int64($1.axis.count)) }
        let extent = list.extent.sweeping(count)
        guard budget.check(extent, at: range), let shots = product(axes.map(\.axis), at: range)
        else {
            return (nil, SequenceExtent())
        }
        return (.sweep(shots, do: list.steps), extent)
    }

    /// Reads the `do` of a step; nil where there is none, or it is deeper than ``maximumDepth``.
    private mutating func body(
        _ read: MappingReader, path: String, depth: Int, loop: SourceRange
    ) -> StepList? {
        guard let node = read(StepKeys.do) else { return nil }
        guard depth < Self.maximumDepth else {
            context.report(
                "nesting-too-deep", at: read.keyRange(StepKeys.do),
                "more than \(Self.maximumDepth) loops and sweeps inside each other")
            return nil
        }
        var inner = self
        let list = context.reading("`do`") {
            inner.steps(node, path: "\(path).do", depth: depth + 1, loop: loop)
        }
        self = inner
        return list
    }
}
