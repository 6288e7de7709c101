internal import Devices
internal import Records
internal import Timebase
internal import Tracking

/// What is to be said of frames in a row: it becomes one event, as soon as something else is to be said.
///
/// A run of hours at rest skips a hundred thousand frames: one event has them all.
struct FrameReports {
    /// Frames that were given back, by why.
    private var skipped = FrameRun<SkipReason>()
    /// Frames whose timestamps are not believed, by why.
    private var invalid = FrameRun<TimestampDefect>()
    /// Frames before which others may be missing unseen.
    private var unverifiable = FrameRun<Bool>()
    /// Frames that came with another frame's metadata.
    private var mismatched = FrameRun<Bool>()
    /// Whether frames that are skipped must have numbers in a row: a triggered camera's stand for edges.
    private let isNumbered: Bool

    /// - Parameter isNumbered: as ``isNumbered``.
    init(isNumbered: Bool) { self.isNumbered = isNumbered }

    /// Counts a frame that no slot takes.
    mutating func skip(
        _ sequence: UInt32, _ why: SkipReason, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        if !skipped.takes(why) || (isNumbered && sequence != skipped.next) {
            flushSkipped(now, &actions)
        }
        skipped.add(sequence, why)
    }

    /// Counts a frame whose timestamp can't be what it says; nil for one that can.
    mutating func note(
        _ defect: TimestampDefect?, _ sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        if defect.map({ !invalid.takes($0) }) ?? true { flushInvalid(now, &actions) }
        if let defect { invalid.add(sequence, defect) }
    }

    /// Counts a frame before which frames may be missing that nothing can show.
    mutating func note(
        isUnverifiable: Bool, _ sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        if isUnverifiable {
            unverifiable.add(sequence, true)
        } else {
            flushUnverifiable(now, &actions)
        }
    }

    /// Counts a frame that came with another frame's metadata.
    mutating func note(
        isMismatched: Bool, _ sequence: UInt32, _ now: Instant<Monotonic>,
        _ actions: inout ActionQueue
    ) {
        if isMismatched {
            mismatched.add(sequence, true)
        } else {
            flushMismatched(now, &actions)
        }
    }

    /// Writes down the frames that were skipped so far.
    mutating func flushSkipped(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard let run = skipped.end() else { return }
        actions.push(.log(.framesSkipped(count: run.count, from: run.from, why: run.kind), at: now))
    }

    /// Writes down everything else that was noted and not said yet.
    mutating func flushDoubts(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        flushInvalid(now, &actions)
        flushUnverifiable(now, &actions)
        flushMismatched(now, &actions)
    }

    private mutating func flushInvalid(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard let run = invalid.end() else { return }
        actions.push(
            .log(.timestampInvalid(count: run.count, from: run.from, why: run.kind), at: now))
    }

    private mutating func flushUnverifiable(
        _ now: Instant<Monotonic>, _ actions: inout ActionQueue
    ) {
        guard let run = unverifiable.end() else { return }
        actions.push(.log(.gapUnverifiable(count: run.count, from: run.from), at: now))
    }

    private mutating func flushMismatched(_ now: Instant<Monotonic>, _ actions: inout ActionQueue) {
        guard let run = mismatched.end() else { return }
        actions.push(.log(.metadataMismatch(count: run.count, from: run.from), at: now))
    }
}
