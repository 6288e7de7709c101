internal import Devices
internal import Imaging
internal import Timebase

/// Flashes a light at chosen times of the frame, and keeps what the frames around each flash saw of it.
///
/// Phases in order: frames are skipped until the exposure shows, the dark is learned, then for each programme its
/// flashes are fired and frames are watched for two periods after the last one.
struct FlashStage: CalibrationStage {
    /// Frames that show the light off, before the first flash.
    private static let darkFrames = 8
    /// Time from a decision to a flash that surely is still ahead.
    private static let lead = Interval.milliseconds(3)

    private enum Phase { case settling(Int), dark, waiting, on, off, watching }

    let subjects: FrameMeter.Subjects = []
    let wantsRows = true
    /// Every sample, in order.
    private(set) var samples: [FlashSample] = []
    /// The rows without flashes.
    private(set) var dark = DarkRows([])
    /// Frames that were seen, and the last timestamp.
    private(set) var lastTimestamp: Instant<Monotonic>?

    private let light: Int32
    private let backLine: Int32?
    private let width: Interval
    private let period: Interval
    private var programmes: ArraySlice<[Interval]>
    private var toWrite: [ControlValue]
    private var phase: Phase
    private var darkRows: [[Int64]] = []
    /// Starts of the flashes that are still to come, in order; the first is the next.
    private var ahead: [Instant<Monotonic>] = []
    /// How much later than asked for flashes begin, as the last ones did; they are asked for earlier by that.
    private var delay: Interval?
    /// The flashes of the programme under way; the last one may still be on.
    private var flashes: [Flash] = []
    /// Frames since the first flash of the programme.
    private var frames: [(timestamp: Instant<Monotonic>, rows: [Int64])] = []

    /// - Parameters:
    ///   - programmes: flashes of one watch each, as times after a frame's timestamp, ascending and apart.
    ///   - light: the output of the light.
    ///   - back: the input to which it is joined, if it is.
    ///   - settling: frames to let pass first.
    init(
        _ programmes: [[Interval]], light: Int32, back: Int32?, width: Interval,
        period: Interval, writing: [ControlValue], settling: Int
    ) {
        self.programmes = programmes[...]
        self.light = light
        backLine = back
        self.width = width
        self.period = period
        toWrite = writing
        phase = .settling(settling)
    }

    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep {
        if !toWrite.isEmpty { return .write([toWrite.removeFirst()]) }
        switch phase {
        case .settling, .dark, .watching: return .wait(until: .distantFuture)
        case .waiting:
            if ahead.isEmpty {
                guard let programme = programmes.popFirst() else { return .finish }
                plan(programme, now)
            }
            return begin(at: ahead[0], now)
        case .on:
            let end = (flashes.last?.onLatest ?? now) + width
            return now >= end ? .set(line: light, active: false) : .wait(until: end)
        case .off:
            guard let start = ahead.first else { return .wait(until: .distantFuture) }
            return begin(at: start, now)
        }
    }

    /// Switches the light on when its moment has come, earlier than asked for by what it takes to do so.
    private func begin(at start: Instant<Monotonic>, _ now: Instant<Monotonic>) -> CalibrationStep {
        let moment = start - (delay ?? .zero)
        return now >= moment ? .set(line: light, active: true) : .wait(until: moment)
    }

    /// Learns from how late a flash began; a single one that the host held up weighs little.
    ///
    /// Flashes are never asked for more than a millisecond early.
    private mutating func learn(late: Interval) {
        let wanted = delay.map { $0 + late / 4 } ?? late
        delay = min(max(wanted, .zero), .milliseconds(1))
    }

    mutating func handle(_ event: CalibrationEvent) {
        switch event {
        case .frame(let frame): note(frame)
        case .set(let change): note(change)
        case .edge(let edge): note(edge)
        // A camera that refuses the exposure keeps another, which the figures show.
        case .written, .changed: break
        }
    }

    // MARK: Events

    /// Takes note of a frame; samples are made of all frames of a programme once the last flash is two periods past,
    /// since its light may show in frames whose timestamps come later.
    private mutating func note(_ frame: CalibrationFrame) {
        guard !frame.isDamaged else { return }
        lastTimestamp = frame.timestamp
        switch phase {
        case .settling(let left): phase = left > 1 ? .settling(left - 1) : .dark
        case .dark:
            darkRows.append(frame.rows)
            guard darkRows.count >= Self.darkFrames else { return }
            dark = DarkRows(darkRows)
            phase = .waiting
        case .waiting: break
        case .on, .off: frames.append((frame.timestamp, frame.rows))
        case .watching:
            frames.append((frame.timestamp, frame.rows))
            guard let last = flashes.last, frame.timestamp > last.offLatest + period * 2 else {
                return
            }
            for frame in frames {
                samples.append(
                    FlashSample(
                        timestamp: frame.timestamp, flashes: flashes,
                        rises: zip(frame.rows, dark.means).map { $0 - $1 }))
            }
            (flashes, frames) = ([], [])
            phase = .waiting
        }
    }

    /// Takes note of a set output; until it is set back, the flash counts as having no length.
    private mutating func note(_ change: LineChange) {
        if change.isActive {
            flashes.append(
                Flash(
                    onEarliest: change.begun, onLatest: change.ended, offEarliest: change.ended,
                    offLatest: change.ended))
            learn(late: change.ended - ahead.removeFirst())
            phase = .on
        } else {
            flashes[flashes.count - 1].offEarliest = change.begun
            flashes[flashes.count - 1].offLatest = change.ended
            phase = ahead.isEmpty ? .watching : .off
        }
    }

    /// An edge is never timestamped before it happens, so it bounds the time from above.
    private mutating func note(_ edge: LineEdge) {
        guard edge.line == backLine else { return }
        for index in flashes.indices {
            if edge.isRising, edge.timestamp >= flashes[index].onEarliest {
                flashes[index].onLatest = min(flashes[index].onLatest, edge.timestamp)
            }
            if !edge.isRising, edge.timestamp >= flashes[index].offEarliest {
                flashes[index].offLatest = min(flashes[index].offLatest, edge.timestamp)
            }
        }
    }

    /// Sets a programme's flashes relative to the next frame that leaves time for them.
    private mutating func plan(_ programme: [Interval], _ now: Instant<Monotonic>) {
        guard let lastTimestamp, let first = programme.first else { return }
        let earliest = now + Self.lead - first
        let behind = max(0, (earliest - lastTimestamp).nanoseconds)
        let frames = behind / max(1, period.nanoseconds) + 1
        let timestamp = lastTimestamp + period * frames
        ahead = programme.map { timestamp + $0 }
    }
}
