internal import Devices
internal import Timebase
internal import Tracking

/// Judges what a matcher made of edges and frames by what really happened.
///
/// Knows the pulses and the sensor's frames; shares no code with the matcher.
struct TriggerOracle {
    private let story: TriggerStory
    private(set) var complaints: [String] = []
    /// Edges and frames by class; `edge missed`, `frame lost`, ….
    private(set) var counts: [String: Int] = [:]
    private(set) var ambiguous = 0
    private(set) var total = 0

    init(_ story: TriggerStory) { self.story = story }

    mutating func judge() {
        var edges: [UInt32: TriggerDecision] = [:]
        var frames: [UInt32: TriggerDecision] = [:]
        for decision in story.decisions {
            if let edge = decision.edge {
                if edges.updateValue(decision, forKey: edge.lineSequence) != nil {
                    complaints.append("edge \(edge.lineSequence) is decided twice")
                }
            }
            if let sequence = decision.sequence {
                if frames.updateValue(decision, forKey: sequence) != nil {
                    complaints.append("frame \(sequence) is decided twice")
                }
            }
        }
        for index in story.pulses.indices { judgeEdge(index, edges) }
        for index in story.frames.indices where story.frames[index].isDelivered {
            judgeFrame(index, frames)
        }
    }

    private mutating func judgeEdge(_ index: Int, _ edges: [UInt32: TriggerDecision]) {
        let pulse = story.pulses[index]
        guard let number = pulse.number else { return }
        guard let decision = edges[number] else {
            return complaints.append("edge \(number) is not decided")
        }
        count("edge", decision)
        if decision.outcome == .ambiguous { return }
        let (expected, sequence) = truth(of: pulse)
        if decision.outcome != expected || decision.sequence != sequence {
            complaints.append(
                "edge \(number) is \(decision.outcome) with frame"
                    + " \(decision.sequence.map { "\($0)" } ?? "none"), in truth \(expected) with"
                    + " \(sequence.map { "\($0)" } ?? "none")")
        }
    }

    private func truth(of pulse: TriggerStory.Pulse) -> (TriggerClass, UInt32?) {
        if let frame = pulse.frame {
            let sequence = story.frames[frame].sequence
            return sequence == nil ? (.spurious, nil) : (.matched, sequence)
        }
        guard pulse.reachesCamera else { return (.spurious, nil) }
        // The sensor was busy: with the last pulse that made a frame, or with one of its own.
        let busy = story.frames.last {
            $0.readout <= pulse.time + TriggerRig.exposure * 2
                && startedBefore(pulse.time, $0)
        }
        guard let taken = busy?.pulse, story.pulses[taken].number != nil,
            let first = story.pulses[taken].timestamp, let timestamp = pulse.timestamp
        else { return (.missed, nil) }
        // Two edges fit a frame if they are closer than what exposure and timestamps leave open: 20 µs and 300 µs.
        return (timestamp - first <= .microseconds(320) ? .double : .missed, nil)
    }

    private func startedBefore(_ time: Instant<Monotonic>, _ frame: TriggerStory.Frame) -> Bool {
        let start =
            frame.pulse.map { story.pulses[$0].time } ?? frame.readout
            - TriggerRig.exposure
        return start < time
    }

    private mutating func judgeFrame(_ index: Int, _ frames: [UInt32: TriggerDecision]) {
        let frame = story.frames[index]
        guard let sequence = frame.sequence, let decision = frames[sequence] else {
            return complaints.append("frame \(index) is not decided")
        }
        count("frame", decision)
        if decision.outcome == .ambiguous { return }
        let expected: TriggerClass
        var number: UInt32?
        if let pulse = frame.pulse {
            number = story.pulses[pulse].number
            expected = number == nil ? .lost : .matched
        } else {
            expected = .spurious
        }
        if decision.outcome != expected || decision.edge?.lineSequence != number {
            complaints.append("frame \(sequence) is \(decision.outcome), in truth \(expected)")
        }
        if expected == .lost, !story.countsEdges {
            complaints.append("frame \(sequence) is lost, which nobody can know")
        }
    }

    private mutating func count(_ what: String, _ decision: TriggerDecision) {
        total += 1
        ambiguous += decision.outcome == .ambiguous ? 1 : 0
        counts["\(what) \(decision.outcome.rawValue)", default: 0] += 1
    }
}
