public import Devices
public import Timebase

/// Finds the edge of each frame of a camera that is exposed by a line, and reports what became of all others.
///
/// Time decides first: a frame belongs to an edge in whose window its readout begins. What lies between two such pairs
/// is then counted: edges without a frame against the frames that the device's numbers skip, and frames without an
/// edge against the edges that the kernel's numbers skip. Only where the counts agree do they decide anything; where
/// they don't, everything between the two pairs is ambiguous, and nothing is numbered again.
///
/// Taken for granted: the camera sees the edges that the host sees, and takes the first one that comes when it is
/// ready.
///
/// Decisions are final. One about a frame in a window needs the edges up to it, one about anything else the next frame
/// that has its edge: a frame that is missing shows only there. No time runs out while no edge comes.
///
/// Of fixed size; nothing in it allocates after it is created.
public struct TriggerMatcher: ~Copyable {
    /// Edges that can wait for their frame; as many as the kernel keeps, and those of a long stall besides.
    public static let edgeCapacity = 4096
    /// Frames that can wait for the next pair.
    public static let frameCapacity = 1024
    /// Frames that can wait until the edges before them have been read; a driver has few buffers.
    public static let arrivalCapacity = 8
    /// An edge can be read at most this long after its timestamp: a kernel thread hands it over.
    static let delivery = Interval.milliseconds(2)

    struct PendingEdge: BitwiseCopyable {
        var edge: LineEdge
        /// Edges that the kernel lost before it.
        var lostBefore: Int64
        var timestamp: Instant<Monotonic> { edge.timestamp }
    }

    /// The last edge that the camera took: the first and the last that it can be.
    struct Taken: BitwiseCopyable {
        var earliest: Instant<Monotonic>
        var latest: Instant<Monotonic>
    }

    let window: TriggerWindow
    let countsEdges: Bool
    var edges: FixedRing<PendingEdge>
    /// Frames in no edge's window, since the last one that was in one.
    var strays: FixedRing<TriggeredFrame>
    var decisions: FixedRing<TriggerDecision>
    /// Frames that the numbers skip since the last pair; nil where they can't show it.
    var missing: Int64? = 0
    var taken: Taken?
    var armed = Instant<Monotonic>.distantPast
    private var arrivals = FixedRing<TriggeredFrame>(capacity: arrivalCapacity)
    private var lastNumber: UInt32 = 0
    private var readUpTo = Instant<Monotonic>.distantPast

    /// Creates a matcher.
    ///
    /// - Parameters:
    ///   - window: what is known of the camera.
    ///   - countsEdges: whether a gap in the numbers of edges shows every edge that the kernel lost.
    public init(_ window: TriggerWindow, countsEdges: Bool = true) {
        self.init(window, countsEdges: countsEdges, Self.edgeCapacity, Self.frameCapacity)
    }

    /// Creates one that takes nothing, for a camera without a trigger.
    public init() {
        let none = TriggerWindow(
            earliest: .zero, latest: .zero, edgeDelay: .zero, shortestPeriod: .zero,
            longestPeriod: .zero)
        self.init(none, countsEdges: true, 1, 1)
    }

    private init(_ window: TriggerWindow, countsEdges: Bool, _ edgeCount: Int, _ frameCount: Int) {
        self.window = window
        self.countsEdges = countsEdges
        edges = FixedRing(capacity: edgeCount)
        strays = FixedRing(capacity: frameCount)
        decisions = FixedRing(capacity: 2 * (edgeCount + frameCount))
    }

    /// The moment from which the camera takes edges.
    public mutating func arm(at time: Instant<Monotonic>) { armed = time }

    /// Takes the next edge of the line.
    ///
    /// - Returns: what became of it, if that is known at once.
    @discardableResult
    public mutating func add(_ edge: LineEdge) -> TriggerClass? {
        let step = edge.lineSequence &- lastNumber &- 1
        let lost = countsEdges && step < UInt32.max / 2 ? Int64(step) : 0
        lastNumber = edge.lineSequence
        readUpTo = max(readUpTo, edge.timestamp)
        makeRoom()
        edges.append(PendingEdge(edge: edge, lostBefore: lost))
        let before = decisions.count
        dropEarly(within: nil)
        let outcome =
            decisions.count > before && edges.isEmpty
            ? decisions[decisions.count - 1].outcome : nil
        placeArrivals()
        return outcome
    }

    /// Takes note that every edge up to a time has been read.
    public mutating func noteRead(upTo time: Instant<Monotonic>) {
        readUpTo = max(readUpTo, time - Self.delivery)
        placeArrivals()
    }

    /// Takes the next frame.
    public mutating func add(_ frame: TriggeredFrame) {
        makeRoom()
        if arrivals.isFull, let oldest = arrivals.popFirst() { place(oldest) }
        arrivals.append(frame)
        placeArrivals()
    }

    /// Whether decisions wait to be taken.
    public var hasDecisions: Bool { !decisions.isEmpty }
    /// Whether a frame can't be decided before more edges have been read.
    public var isWaitingForEdges: Bool { !arrivals.isEmpty }

    /// Takes the oldest decision.
    public mutating func next() -> TriggerDecision? { decisions.popFirst() }

    /// Up to when edges have to have been read before the oldest frame can be decided; nil if none waits for that.
    public var readingDue: Instant<Monotonic>? {
        arrivals.isEmpty ? nil : edgesNeeded(arrivals[0]) + Self.delivery
    }

    /// Decides the rest: no frame comes any more.
    public mutating func finish() {
        while let frame = arrivals.popFirst() { place(frame) }
        while let stray = strays.popFirst() { decide(.ambiguous, nil, stray.sequence) }
        while let pending = edges.popFirst() {
            decide(isEarly(pending) ? .missed : .ambiguous, pending.edge)
        }
    }

    // MARK: Frames

    private mutating func placeArrivals() {
        while !arrivals.isEmpty, readUpTo >= edgesNeeded(arrivals[0]) {
            if let frame = arrivals.popFirst() { place(frame) }
        }
    }

    /// The timestamp of the last edge that a frame can belong to.
    private func edgesNeeded(_ frame: TriggeredFrame) -> Instant<Monotonic> {
        frame.latestReadout - window.earliest + window.edgeDelay
    }

    // MARK: Edges

    /// Whether an edge came too early for the camera, after the last one that it took or before it was armed.
    func isEarly(_ pending: PendingEdge) -> Bool {
        if pending.timestamp < armed { return true }
        guard let taken else { return false }
        return window.isSurelyEarly(pending.timestamp, after: taken.earliest)
    }

    /// Whether an edge is so close after the one that the camera took that a frame fits both.
    func isDouble(_ pending: PendingEdge, after taken: Taken?) -> Bool {
        guard let taken, taken.earliest == taken.latest else { return false }
        return pending.timestamp - taken.earliest <= window.width
    }

    /// Decides the edges at the head that the camera surely did not take; only those this close to the last one, if so.
    mutating func dropEarly(within limit: Interval?) {
        while !edges.isEmpty, edges[0].lostBefore == 0, isEarly(edges[0]) {
            if let limit, let taken, edges[0].timestamp - taken.earliest > limit { return }
            if let pending = edges.popFirst() {
                decide(isDouble(pending, after: taken) ? .double : .missed, pending.edge)
            }
        }
    }

    private mutating func makeRoom() {
        guard edges.isFull, let oldest = edges.popFirst() else { return }
        // What was left out can't be counted any more.
        missing = nil
        decide(.ambiguous, oldest.edge)
    }

    mutating func decide(
        _ outcome: TriggerClass, _ edge: LineEdge?, _ sequence: UInt32? = nil,
        isDelivered: Bool = true
    ) {
        decisions.append(
            TriggerDecision(outcome, edge: edge, sequence: sequence, isDelivered: isDelivered))
    }
}
