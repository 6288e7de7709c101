internal import Devices
internal import Recipes
internal import Timebase
internal import Tracking

/// What a run with a triggered camera keeps of its trigger; memory is set aside once.
struct TriggerState: ~Copyable {
    /// A frame that has come and has no decision yet.
    struct Undecided: BitwiseCopyable {
        let frame: ArrivedFrame
        /// Whether a pool buffer was free when it came.
        let hasRoom: Bool
        /// Whether it is one of the first frames, which no slot takes.
        let isStartup: Bool
        /// Its number among the frames that were observed.
        fileprivate let place: Int64
        /// The settings that it surely had, of those that were wanted when it came; −1 if it had not.
        let settings: Int32
    }

    /// False for a free-running camera; then nothing here is used.
    let isOn: Bool
    /// The line that exposes the camera; −1 for none.
    let line: Int32
    /// Whether the numbers of edges show every one that the kernel lost.
    let countsEdges: Bool
    /// Finds the edge of each frame.
    var matcher: TriggerMatcher
    private var undecided = FixedRing<Undecided>(capacity: 2 * TriggerMatcher.arrivalCapacity)
    /// Frames that were observed.
    private var place: Int64 = 0
    /// When the camera was armed.
    private var armed = Instant<Monotonic>.distantFuture
    /// Edges since the last one that had its frame, and when the first of them came.
    private var silence: (edges: Int, since: Instant<Monotonic>) = (0, .distantPast)
    /// Whether the matcher was notified that no more frames come.
    private var isFinished = false
    /// At the end: what became of the edge that the pending slot belongs to.
    private(set) var lastOutcome: TriggerClass?
    /// When the first edge came that made no frame since the last one that was delivered, though the sensor was ready.
    private var unanswered: Instant<Monotonic>?
    /// The same as the last decided frame found it: a receiver that missed the end of the frame of that edge hands its
    /// picture out as the next one.
    private(set) var firstUnanswered: Instant<Monotonic>?

    /// - Parameter trigger: nil for a free-running camera.
    init(_ trigger: PlannedTrigger?, countsEdges: Bool) {
        isOn = trigger != nil
        line = trigger?.line ?? -1
        self.countsEdges = countsEdges
        if let trigger {
            matcher = TriggerMatcher(trigger.window, countsEdges: countsEdges)
        } else {
            matcher = TriggerMatcher()
        }
    }

    /// The stream has started: edges from here on expose frames.
    mutating func arm(at now: Instant<Monotonic>) {
        armed = now
        matcher.arm(at: now)
    }

    /// Hands an edge of the camera's line to the matcher.
    ///
    /// - Returns: whether a step may take it: not one of a bounce, nor one from before the stream.
    mutating func take(_ edge: LineEdge, at now: Instant<Monotonic>) -> Bool {
        let outcome = matcher.add(edge)
        guard edge.timestamp >= armed else { return false }
        if silence.edges == 0 { silence.since = now }
        silence.edges += 1
        return outcome != .double
    }

    /// Since when edges come without frames; nil while there are too few of them to tell.
    ///
    /// Only edges count: without them no frame comes.
    var silentSince: Instant<Monotonic>? {
        silence.edges < Self.silentEdges ? nil : silence.since
    }

    /// A frame is missing; the matcher decides which edge it belongs to.
    mutating func countMissing() { place += 1 }

    /// Keeps a frame until it is known which edge made it.
    ///
    /// - Parameter settings: as ``Undecided/settings``.
    mutating func keep(
        _ frame: ArrivedFrame, hasRoom: Bool, isStartup: Bool, settings: Int32
    ) {
        place += 1
        undecided.append(
            Undecided(
                frame: frame, hasRoom: hasRoom, isStartup: isStartup, place: place,
                settings: settings))
    }

    /// Takes the oldest frame that was kept.
    mutating func popUndecided() -> Undecided? { undecided.popFirst() }

    /// Whether no frame was observed since this one.
    func isLast(_ frame: Undecided) -> Bool { frame.place == place }

    /// Takes note of what was decided, before the frame is offered.
    ///
    /// Called by ``RunMachine/settleTriggers(_:_:)`` in the order of decisions.
    mutating func note(_ decision: TriggerDecision) {
        if decision.edge != nil, decision.sequence != nil { silence.edges = 0 }
        if decision.isDelivered {
            (firstUnanswered, unanswered) = (unanswered, nil)
        } else if decision.sequence == nil, decision.outcome != .missed, let edge = decision.edge {
            unanswered = unanswered ?? edge.timestamp
        }
    }

    /// The next decision after the last frame.
    ///
    /// - Parameter wanted: the edge of the slot that waited when the run ended.
    /// - Returns: nil once there are no more.
    mutating func nextAtEnd(wanted: UInt32?) -> TriggerDecision? {
        if !isFinished {
            isFinished = true
            matcher.finish()
        }
        guard let decision = matcher.next() else { return nil }
        if let edge = decision.edge, edge.lineSequence == wanted { lastOutcome = decision.outcome }
        return decision
    }

    /// So many edges without a frame, for long enough, and the stream is taken for broken.
    private static let silentEdges = 4
}
