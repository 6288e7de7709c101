internal import Devices
internal import Records
internal import Timebase
internal import Tracking

/// Logs frames and edges as series.
///
/// What is to be logged of frames in a row becomes one event, as soon as something else is to be logged: a run of hours
/// at rest skips a hundred thousand frames, and one event has them all. Edges are logged one by one.
struct Reporter {
    /// What else may be logged of a frame.
    private enum Doubt: BitwiseCopyable, Sendable {
        case gapBefore
        case otherMetadata
    }

    /// Frames that were given back, by why.
    private var skipped = FrameRun<SkipReason>()
    /// Frames whose timestamps are not believed, by why.
    private var invalid = FrameRun<TimestampDefect>()
    /// Frames before which others may be missing unseen.
    private var unverifiable = FrameRun<Doubt>()
    /// Frames that came with another frame's metadata.
    private var mismatched = FrameRun<Doubt>()
    /// Whether frames that are skipped must have numbers in a row: a triggered camera's stand for edges.
    private let isNumbered: Bool
    /// By line, the kernel's number of the last edge; it counts from 1.
    private var lastEdge: InlineArray<32, UInt32> = InlineArray(repeating: 0)

    /// - Parameter isNumbered: as ``isNumbered``.
    init(isNumbered: Bool) { self.isNumbered = isNumbered }

    /// Writes an edge down, and how many the kernel lost before it by its number.
    mutating func note(
        _ edge: LineEdge, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        let missing = edge.lineSequence &- lastEdge[Int(edge.line)] &- 1
        if missing > 0, missing < UInt32.max / 2 {
            actions.push(
                .log(
                    .edgesLost(line: edge.line, count: missing, before: edge.lineSequence), at: now)
            )
        }
        lastEdge[Int(edge.line)] = edge.lineSequence
        actions.push(.log(.edge(edge), at: now))
    }

    /// Counts a frame that no slot takes.
    mutating func skip(
        _ sequence: UInt32, _ why: SkipReason, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        if isNumbered, sequence != skipped.next { flushSkipped(now, &actions) }
        say(skipped.follow(sequence, why).map(Self.event), now, &actions)
    }

    /// Counts a frame whose timestamp can't be true; nil for one that can.
    mutating func note(
        _ defect: TimestampDefect?, _ sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        say(invalid.follow(sequence, defect).map(Self.event), now, &actions)
    }

    /// Counts a frame before which frames may be missing that nothing can show.
    mutating func note(
        isUnverifiable: Bool, _ sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        let ended = unverifiable.follow(sequence, isUnverifiable ? .gapBefore : nil)
        say(ended.map(Self.event), now, &actions)
    }

    /// Counts a frame that came with another frame's metadata.
    mutating func note(
        isMismatched: Bool, _ sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        let ended = mismatched.follow(sequence, isMismatched ? .otherMetadata : nil)
        say(ended.map(Self.event), now, &actions)
    }

    /// Writes down the frames that were skipped so far.
    mutating func flushSkipped(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        say(skipped.end().map(Self.event), now, &actions)
    }

    /// Writes down everything else that was noted and not logged yet.
    mutating func flushDoubts(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        say(invalid.end().map(Self.event), now, &actions)
        say(unverifiable.end().map(Self.event), now, &actions)
        say(mismatched.end().map(Self.event), now, &actions)
    }

    private func say(
        _ event: RunEvent?, _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        if let event { actions.push(.log(event, at: now)) }
    }

    private static func event(_ run: FrameRun<SkipReason>.Ended) -> RunEvent {
        .framesSkipped(count: run.count, from: run.from, why: run.kind)
    }

    private static func event(_ run: FrameRun<TimestampDefect>.Ended) -> RunEvent {
        .timestampInvalid(count: run.count, from: run.from, why: run.kind)
    }

    private static func event(_ run: FrameRun<Doubt>.Ended) -> RunEvent {
        switch run.kind {
        case .gapBefore: .gapUnverifiable(count: run.count, from: run.from)
        case .otherMetadata: .metadataMismatch(count: run.count, from: run.from)
        }
    }
}
