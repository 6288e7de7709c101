internal import Devices
internal import Recipes
internal import Timebase
internal import Tracking

/// What a run with a triggered camera keeps of its trigger; memory is set aside once.
struct TriggerState: ~Copyable {
    /// A frame that has come and has no decision yet.
    struct Undecided: BitwiseCopyable {
        var frame: ArrivedFrame
        /// Whether a pool buffer was free when it came.
        var hasRoom: Bool
        /// Whether it is one of the first frames, which no slot takes.
        var isStartup: Bool
        /// Its number among the frames that were observed.
        var place: Int64
        /// The settings that it surely had, of those that were wanted when it came; −1 if it had not.
        var settings: Int32
    }

    /// False for a free-running camera; then nothing here is used.
    let isOn: Bool
    /// The line that exposes the camera; −1 for none.
    let line: Int32
    /// Finds the edge of each frame.
    var matcher: TriggerMatcher
    var undecided = FixedRing<Undecided>(capacity: 2 * TriggerMatcher.arrivalCapacity)
    /// Frames that were observed.
    var place: Int64 = 0
    /// When the camera was armed.
    var armed = Instant<Monotonic>.distantFuture
    /// Edges since the last one that had its frame, and when the first of them came.
    var silence: (edges: Int, since: Instant<Monotonic>) = (0, .distantPast)
    /// The edge that the last wait took, until a slot belongs to it.
    var accepted: UInt32?
    /// At the end: what became of the edge that the pending slot belongs to.
    var lastOutcome: TriggerClass?
    /// Whether the matcher was notified that no more frames come.
    var isFinished = false
    /// When the first edge came that made no frame since the last one that was delivered, though the sensor was ready.
    private var unanswered: Instant<Monotonic>?
    /// The same as the last decided frame found it: a receiver that missed the end of the frame of that edge hands its
    /// picture out as the next one.
    private(set) var firstUnanswered: Instant<Monotonic>?

    /// - Parameter trigger: nil for a free-running camera.
    init(_ trigger: PlannedTrigger?, countsEdges: Bool) {
        isOn = trigger != nil
        line = trigger?.line ?? -1
        if let trigger {
            matcher = TriggerMatcher(trigger.window, countsEdges: countsEdges)
        } else {
            matcher = TriggerMatcher()
        }
    }

    /// Takes note of what was decided, before the frame is offered.
    ///
    /// Called by ``RunMachine/settleTriggers(_:_:)`` in the order of decisions.
    mutating func note(_ decision: TriggerDecision) {
        if decision.isDelivered {
            (firstUnanswered, unanswered) = (unanswered, nil)
        } else if decision.sequence == nil, decision.outcome != .missed, let edge = decision.edge {
            unanswered = unanswered ?? edge.timestamp
        }
    }

    /// So many edges without a frame, for long enough, and the stream is taken for broken.
    ///
    /// Never for want of edges: without them no frame comes.
    static let silentEdges = 4
}
