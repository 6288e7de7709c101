internal import Devices
internal import Imaging
internal import Timebase

/// Changes exposure and gain against each other, each written ahead by its own latency, and looks for a frame that has
/// one without the other: it would be half or twice as bright.
///
/// Levels of whole frames between two changes are the measure, so the light may drift.
struct FlashTrials: CalibrationStage {
    /// Frames between two changes.
    private static let restFrames = SteadyReading.longestLatencyFrames + 2
    /// Writes are made at a quarter of a period: far from either end of a frame.
    private static let phase: Int64 = 250

    private let exposure: LatencyStep
    private let gain: LatencyStep
    /// Frames from the write of the exposure to that of the gain; negative if the gain is written first.
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
    private var levels: [Int64] = []
    private var isBroken = false
    private(set) var changeCount = 0
    private(set) var flashCount = 0
    /// Frames lost or writes refused: changes that say nothing.
    private(set) var brokenCount = 0

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
