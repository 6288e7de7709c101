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

    /// Logs at the end what was not seen; of what was switched just now that is not known.
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
