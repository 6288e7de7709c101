internal import Devices
internal import Recipes
internal import Records
internal import Timebase

/// What inputs see of the outputs that are looped back to them.
extension RunMachine {
    /// Takes the edge of an input that may sense an output.
    ///
    /// What was switched before the change that the edge shows, and was not seen, is logged first.
    mutating func sense(
        _ edge: LineEdge, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard let (output, place) = sensing.change(shownBy: edge) else { return }
        var older = place
        while older > 0, let change = sensing.pop(output) {
            actions.push(.log(.outputUnsensed(line: output, active: change.active), at: now))
            older -= 1
        }
        guard let change = sensing.pop(output) else { return }
        actions.push(
            .log(
                .outputSensed(
                    line: output, active: change.active, timestamp: edge.timestamp,
                    late: edge.timestamp - change.planned), at: now))
    }

    /// Waits at the end until inputs have seen the last switches of outputs, or can't see them any more.
    ///
    /// Outputs that go off at the end do so behind this call. Not of a camera that is gone: it reports that at every
    /// turn, so that no time would pass.
    ///
    /// - Returns: whether it waits.
    mutating func waitForInputs(_ now: Instant<Monotonic>) -> Bool {
        guard sequencer.ending != .deviceLost, !sensing.hasEnded, sensing.isUsed else {
            return false
        }
        sensing.hasEnded = true
        // The next turn knows what was switched by then.
        sequencer.goOn(with: .sensing(until: now))
        return true
    }

    /// Ends that wait as soon as nothing is open.
    mutating func checkInputs(_ now: Instant<Monotonic>) {
        guard case .sensing = sequencer.waiting else { return }
        let open = sensing.openUntil.flatMap { now < $0 ? $0 : nil }
        sequencer.goOn(with: open.map { .sensing(until: $0) } ?? .restored)
    }

    /// The camera is gone while inputs are waited for: what was switched last is not known.
    mutating func giveUpInputs() {
        if case .sensing = sequencer.waiting { sequencer.goOn(with: .restored) }
    }

    /// Logs at the end what was not seen.
    mutating func endSensing(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        while let change = sensing.takeOverdue(now) {
            actions.push(
                .log(.outputUnsensed(line: change.output, active: change.active), at: now))
        }
    }

    /// Logs each line that matters on which lost edges can't be counted.
    ///
    /// Once, when the stream starts; lines that no step and no camera waits for do not matter.
    func noteUncounted(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        var line: Int32 = 0
        while line < Int32(shared.plan.lines.count) {
            if sequencer.watches(line) || line == triggers.line {
                actions.push(.log(.edgesUncounted(line: line), at: now))
            }
            line += 1
        }
    }
}
