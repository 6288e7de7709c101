internal import Devices
public import Imaging
internal import Synchronization
public import Timebase

/// What was measured in a frame, with what was known of the camera then.
public struct FrameReport: Hashable, Sendable {
    /// The device's count.
    public var sequence: UInt32
    /// The driver's timestamp.
    public var deviceTime: Instant<Monotonic>
    /// What was measured.
    public var reading: FrameReading
    /// What was known of the camera.
    public var state: ManualState
}

/// All consumers of frames, and of the state.
///
/// Outputs are added from any thread, and offered to by the capture thread alone. The lock is held to look at the lists
/// only, never while something is handed on. An output stays until the stream ends.
final class SessionOutputs: Sendable {
    /// What the lock guards; `published` is the state published last, `last` the sequence of the frame delivered last.
    private struct Contents {
        var frames: [LiveOutput<LiveFrame>] = []
        var reports: [LiveOutput<FrameReport>] = []
        var states: [AsyncStream<ManualState>.Continuation] = []
        var published: ManualState?
        var isFinished = false
        var last: UInt32?
    }

    private let contents = Mutex(Contents())

    /// Adds an output; one that comes after the end of the stream ends at once.
    func add(_ output: LiveOutput<LiveFrame>) {
        if contents.withLock({
            $0.frames.append(output)
            return $0.isFinished
        }) {
            output.finish()
        }
    }

    func add(_ output: LiveOutput<FrameReport>) {
        if contents.withLock({
            $0.reports.append(output)
            return $0.isFinished
        }) {
            output.finish()
        }
    }

    /// Adds a listener, and passes it the present state first.
    func add(_ states: AsyncStream<ManualState>.Continuation) {
        // Within the lock, so that no newer state comes before an older one.
        contents.withLock { contents in
            contents.states.append(states)
            if let published = contents.published { states.yield(published) }
            if contents.isFinished { states.finish() }
        }
    }

    /// Tells the state to all listeners, if it is another one than the last.
    func publish(_ state: ManualState) {
        contents.withLock { contents in
            guard contents.published != state else { return }
            contents.published = state
            for listener in contents.states { listener.yield(state) }
        }
    }

    /// Hands a frame to all outputs, and reports to them what is missing before it.
    ///
    /// A gap in the sequence counts as lost by the device if it is of 1 to 4,096 frames; anything else is a count that
    /// restarted. A damaged frame is reported as dropped.
    ///
    /// - Parameters:
    ///   - observed: the same frame as measured; nothing is reported where nothing was measured.
    ///   - intake: copies the frame, once for all consumers.
    func deliver(
        _ frame: DequeuedFrame, _ observed: MeteredFrame, _ state: ManualState,
        from intake: FrameIntake
    ) {
        let (frames, reports, lost) = contents.withLock { contents in
            let lost = contents.last.map { Int32(bitPattern: frame.sequence &- $0) - 1 } ?? 0
            contents.last = frame.sequence
            return (contents.frames, contents.reports, (1...4_096).contains(lost) ? lost : 0)
        }
        for output in frames where lost > 0 { output.drop(Int(lost), .lostByDevice) }
        for output in reports where lost > 0 { output.drop(Int(lost), .lostByDevice) }
        if frame.isDamaged {
            for output in frames { output.drop(1, .damaged) }
            for output in reports { output.drop(1, .damaged) }
            return
        }
        deliver(frame, to: frames, state, from: intake)
        guard let reading = observed.reading else { return }
        for output in reports {
            output.offer(
                FrameReport(
                    sequence: frame.sequence, deviceTime: frame.timestamp,
                    reading: reading, state: state))
        }
    }

    /// Copies a frame once, and only if somebody has room for it; drops are reported with their reason, late consumer
    /// or pool.
    private func deliver(
        _ frame: DequeuedFrame, to outputs: [LiveOutput<LiveFrame>], _ state: ManualState,
        from intake: FrameIntake
    ) {
        for output in outputs where !output.hasRoom { output.drop(1, .lateConsumer) }
        let ready = outputs.filter(\.hasRoom)
        guard !ready.isEmpty else { return }
        guard let copy = intake.copy(frame, state) else {
            for output in ready { output.drop(1, .noBuffer) }
            return
        }
        for output in ready { output.offer(copy) }
    }

    /// The stream has ended: outputs end when their queues are empty, and further ones end at once.
    func finish() {
        let contents = contents.withLock { contents in
            contents.isFinished = true
            defer { (contents.frames, contents.reports, contents.states) = ([], [], []) }
            return contents
        }
        for output in contents.frames { output.finish() }
        for output in contents.reports { output.finish() }
        for listener in contents.states { listener.finish() }
    }
}
