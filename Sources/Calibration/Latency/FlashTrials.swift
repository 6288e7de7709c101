internal import Devices
internal import Imaging
internal import Timebase

/// Changes exposure and gain against each other, each written ahead by its own latency, and looks for a frame that has
/// one without the other: it would be half or twice as bright.
///
/// Levels of whole frames between two changes are the measure, so the light may drift.
struct FlashTrials: CalibrationStage {
    /// Frames between two changes: more than the longest latency, so that both surely show.
    private static let restFrames = SteadyReading.longestLatencyFrames + 2
    /// Writes are made at a quarter of a period: far from either end of a frame.
    private static let phase: Int64 = 250

    private let exposure: LatencyStep
    private let gain: LatencyStep
    /// Frames from the write of the exposure to that of the gain; negative if the gain is written first.
    ///
    /// The latency of the exposure less that of the gain: what is slower is written earlier, so that both land on one
    /// frame.
    private let distance: Int64
    private let changes: Int
    private var grid: FrameGrid
    private var lastSequence: UInt32?
    private var framesToRest = restFrames
    /// What is still to be written, and when.
    private var due: [(value: ControlValue, at: Instant<Monotonic>)] = []
    /// Whether long exposure and low gain are set.
    private var isLong = false
    private var hasBegun = false
    /// Levels of the frames since the last change; empty before the first.
    private var levels: [Int64] = []
    /// Whether a frame was lost or damaged, a write refused, or a control changed by others since the last change.
    private var isBroken = false
    private(set) var changeCount = 0
    private(set) var flashCount = 0
    /// Frames lost or writes refused: changes that give no information.
    private(set) var brokenCount = 0

    /// Creates the check.
    ///
    /// - Parameters:
    ///   - exposure: a step whose higher code gives about twice the light.
    ///   - gain: the same.
    ///   - distance: the latency of the exposure less that of the gain, in frames.
    ///   - changes: how many are to be judged.
    ///   - period: as promised; nil makes the grid measure it.
    init(
        exposure: LatencyStep, gain: LatencyStep, distance: Int64, changes: Int,
        period: Interval?
    ) {
        grid = FrameGrid(nominal: period)
        self.exposure = exposure
        self.gain = gain
        self.distance = distance
        self.changes = changes
    }

    var subjects: FrameMeter.Subjects { .light }

    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep {
        if changeCount >= changes || brokenCount > 10 + changes { return .finish }
        if !hasBegun {
            hasBegun = true
            return .write([exposure.value(isHigh: isLong), gain.value(isHigh: !isLong)])
        }
        if let first = due.first {
            if now < first.at { return .wait(until: first.at) }
            // What is due together goes in one call.
            let ready = due.filter { $0.at == first.at }.map(\.value)
            due.removeFirst(ready.count)
            return .write(ready)
        }
        if framesToRest == 0 {
            plan(at: now)
            if let first = due.first { return .wait(until: first.at) }
        }
        return .wait(until: .distantFuture)
    }

    /// Judges the last change and sets the moments of the next: one period for each frame of ``distance``.
    private mutating func plan(at now: Instant<Monotonic>) {
        guard let period = grid.period, let moment = grid.moment(phase: Self.phase, after: now)
        else { return }
        judge()
        isLong.toggle()
        due = [
            (exposure.value(isHigh: isLong), moment + period * max(0, -distance)),
            (gain.value(isHigh: !isLong), moment + period * max(0, distance)),
        ].sorted { $0.at < $1.at }
        framesToRest = Self.restFrames
    }

    /// Judges the frames since the change before this one.
    ///
    /// Long exposure with low gain is about as bright as short exposure with high gain, so a frame further than a
    /// quarter from the median is a flash. Changes with too few frames or with a disturbance are counted as broken.
    private mutating func judge() {
        defer {
            levels = []
            isBroken = false
        }
        guard levels.count > Self.restFrames / 2, !isBroken else {
            if !levels.isEmpty { brokenCount += 1 }
            return
        }
        let middle = levels.sorted()[levels.count / 2]
        changeCount += 1
        if levels.contains(where: { ($0 - middle).magnitude * 4 > middle.magnitude }) {
            flashCount += 1
        }
    }

    mutating func handle(_ event: CalibrationEvent) {
        switch event {
        case .written(let write): if write.errno != 0 { isBroken = true }
        case .changed: isBroken = true
        case .set, .edge: break
        case .frame(let frame):
            let step = lastSequence.map { Int64(frame.sequence &- $0) } ?? 1
            lastSequence = frame.sequence
            grid.note(frame.timestamp, step: step)
            framesToRest = max(0, framesToRest - 1)
            // Frames of the time before the first change belong to none.
            guard isLong || !levels.isEmpty || changeCount > 0 else { return }
            if step != 1 || frame.isDamaged { isBroken = true }
            if let level = LatencySignal.light.level(of: frame.reading, spacing: nil) {
                levels.append(level.whole)
            } else {
                isBroken = true
            }
        }
    }
}
