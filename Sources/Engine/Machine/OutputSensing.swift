internal import Devices
internal import Timebase

/// Outputs that are looped back to inputs, and what these are still to see of them.
///
/// Changes wait on the line of the output, in the order in which they were made. On the capture thread; memory is
/// fixed.
struct OutputSensing: ~Copyable {
    /// A change of an output that its input has not seen yet, with when it was planned and when the host had made it.
    struct Expected: BitwiseCopyable {
        var active: Bool
        var planned: Instant<Monotonic>
        var done: Instant<Monotonic>
    }

    /// An input sees what an output did within this time, or never; later only where its edges are timestamped later.
    private static let patience = Interval.milliseconds(100)
    /// Changes that can wait on one output; what comes on top is not expected, and so not missed.
    private static let capacity = 64

    /// For each line, the input that senses it, and in ``outputs`` the output that it senses; −1 for none.
    private var inputs = InlineArray<32, Int32>(repeating: -1)
    private var outputs = InlineArray<32, Int32>(repeating: -1)
    /// For each input, which edges it watches.
    private var sees = InlineArray<32, (rising: Bool, falling: Bool)>(repeating: (false, false))
    private var expected: LineQueue<Expected>
    /// For each output, how long its input may take.
    private var patience = InlineArray<32, Interval>(repeating: Self.patience)
    /// Whether the end of the run has waited for inputs.
    var hasEnded = false

    init(_ lines: [LineRequest]) {
        expected = LineQueue(lineCount: lines.count, capacity: Self.capacity)
        for (output, line) in lines.enumerated() {
            guard let name = line.sensedBy,
                let input = lines.firstIndex(where: { $0.name == name })
            else { continue }
            inputs[output] = Int32(input)
            outputs[input] = Int32(output)
            patience[output] = max(Self.patience, lines[input].delay + lines[input].delay)
            let edge = lines[input].edge
            sees[input] = (edge != .falling, edge != .rising)
        }
    }

    /// An output was switched: its input should see that.
    ///
    /// Nothing is expected of an edge that the input does not watch, nor where the output is not sensed.
    mutating func expect(
        _ output: Int32, active: Bool, planned: Instant<Monotonic>, at now: Instant<Monotonic>
    ) {
        let input = inputs[Int(output)]
        guard input >= 0 else { return }
        let isSeen = sees[Int(input)]
        guard active ? isSeen.rising : isSeen.falling else { return }
        _ = expected.push(
            Expected(active: active, planned: planned, done: now), line: output)
    }

    /// The output that an input senses, and the place of the change that an edge of it shows; nil if there is none.
    ///
    /// - Parameter edge: of any input.
    /// - Returns: the place counts from the oldest change that waits; the ones before it were not seen.
    func change(shownBy edge: LineEdge) -> (output: Int32, place: Int)? {
        let output = outputs[Int(edge.line)]
        guard output >= 0 else { return nil }
        // The last change that was planned before the edge; what is older was not seen.
        var place = 0
        var found: Int?
        while let change = expected.peek(place, line: output), change.planned <= edge.timestamp {
            if change.active == edge.isRising { found = place }
            place += 1
        }
        return found.map { (output, $0) }
    }

    /// Takes the oldest change of an output.
    mutating func pop(_ output: Int32) -> Expected? { expected.pop(line: output) }

    /// Whether any output is sensed.
    var isUsed: Bool { inputs.indices.contains { inputs[$0] >= 0 } }

    /// When it is known of everything that was switched whether its input has seen it; nil where it is by now.
    var openUntil: Instant<Monotonic>? {
        var latest: Instant<Monotonic>?
        var output: Int32 = 0
        while output < 32 {
            var place = 0
            while inputs[Int(output)] >= 0, let change = expected.peek(place, line: output) {
                let end = change.done + patience[Int(output)] + .nanoseconds(1)
                latest = max(latest ?? end, end)
                place += 1
            }
            output += 1
        }
        return latest
    }

    /// Takes a change that should have been seen by now.
    ///
    /// - Returns: nil if there is none. To be asked again until then.
    mutating func takeOverdue(_ now: Instant<Monotonic>) -> (output: Int32, active: Bool)? {
        var output: Int32 = 0
        while output < 32 {
            if inputs[Int(output)] >= 0, let change = expected.peek(0, line: output),
                now - change.done > patience[Int(output)]
            {
                _ = expected.pop(line: output)
                return (output, change.active)
            }
            output += 1
        }
        return nil
    }
}
