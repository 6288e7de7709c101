internal import Devices
internal import Imaging
internal import Timebase

/// Steps one control up and down at several phases of the frame, and counts the frames until each step shows.
///
/// A trial that was disturbed is made again. Frames are counted by the driver's sequence and by the spacing of their
/// timestamps; where the two disagree, a frame may be missing, and nothing is concluded.
///
/// One trial: the control rests until its last write surely shows, is written at a chosen phase, and frames are watched
/// until the step has arrived. Steps go up and down in turns, so a trial that was seen leaves the control where the
/// next begins; after one that was disturbed it is written back.
struct LatencyTrials: CalibrationStage {
    /// More refusals in a row than this, and the control refuses them all.
    private static let mostRefusals = 5
    /// A step that shows in none of so many frames does not show.
    private static let watchedFrames = SteadyReading.longestLatencyFrames + 8

    private enum State {
        /// The control is where it was, and so many frames are skipped.
        case resting(frames: Int)
        /// Waits for the moment to write.
        case aiming(at: Instant<Monotonic>)
        /// Frames are looked at for the step.
        case watching
        /// Goes back to where the trial began.
        case returning
    }

    let step: LatencyStep
    private let schedule: TrialSchedule
    private let timestamps: TimestampModel
    private let camera: CameraIdentity
    private var grid: FrameGrid
    private var state = State.returning
    /// Where the control stands before the step.
    private var isHigh = false
    /// The last three frames while the control rests, then those of the trial.
    private var frames: [LatencyTrial.Frame] = []
    /// The frame before, damaged or not: sequence and timestamp are counted from it.
    private var last: CalibrationFrame?
    /// When the step was written; nil before.
    private var write: (begun: Instant<Monotonic>, ended: Instant<Monotonic>)?
    /// How many writes were refused since the last that was not, and the errno of the last.
    private var refusals: (inARow: Int, errno: Int32) = (0, 0)
    private(set) var tally: LatencyTally

    /// Creates the trials of one control.
    ///
    /// - Parameters:
    ///   - step: two codes of the control that were seen to differ.
    ///   - schedule: phases and gaps of all trials.
    ///   - timestamps: what the driver's timestamps mean; how late they may be widens the result of a trial.
    ///   - period: as promised; nil makes the grid measure it.
    ///   - camera: for messages.
    init(
        _ step: LatencyStep, schedule: TrialSchedule, timestamps: TimestampModel,
        period: Interval?, camera: CameraIdentity
    ) {
        grid = FrameGrid(nominal: period)
        self.step = step
        self.schedule = schedule
        self.timestamps = timestamps
        self.camera = camera
        tally = LatencyTally(control: step.control)
    }

    var subjects: FrameMeter.Subjects {
        if case .resting(let left) = state, left > LatencyTrial.levelFrames { return [] }
        return step.signal.subjects
    }

    /// The schedule's entry of the trial at hand; a trial that is made again has the same one.
    private var entry: TrialSchedule.Entry { schedule[tally.trialCount] }

    mutating func next(at now: Instant<Monotonic>) throws(CalibrationError) -> CalibrationStep {
        try checkPatience()
        guard tally.trialCount < schedule.count else { return .finish }
        switch state {
        case .returning: return .write(step.others + [step.value(isHigh: isHigh)])
        case .aiming(let moment) where now >= moment:
            return .write([step.value(isHigh: !isHigh)])
        case .aiming(let moment): return .wait(until: moment)
        case .resting(0):
            guard let moment = aim(at: now) else { return .wait(until: .distantFuture) }
            state = .aiming(at: moment)
            return .wait(until: moment)
        case .resting, .watching: return .wait(until: .distantFuture)
        }
    }

    /// The moment of the next write; nil while what was before it is not known.
    ///
    /// Phases count from the start of readout; where timestamps mark its end, the grid of timestamps lies that much
    /// later.
    private func aim(at now: Instant<Monotonic>) -> Instant<Monotonic>? {
        guard frames.count == LatencyTrial.levelFrames,
            frames.allSatisfy({ $0.level != nil }), frames.dropFirst().allSatisfy({ $0.step == 1 })
        else { return nil }
        return grid.moment(phase: entry.phase, after: now + readoutBeforeTimestamp)
            .map { $0 - readoutBeforeTimestamp }
    }

    /// Gives up where nothing comes of it: after more than five refusals on end, more than ten disturbed trials without
    /// a good one, or more disturbed ones than ten and twice the number of trials.
    ///
    /// - Throws: ``CalibrationError`` with the reasons and how often each was.
    private func checkPatience() throws(CalibrationError) {
        let what = "the latency of \(step.control.name)"
        if refusals.inARow > Self.mostRefusals {
            let refusal = DeviceError.refusal(
                of: [step.value(isHigh: !isHigh)], by: camera, errno: refusals.errno)
            throw CalibrationError("\(what) can't be measured: \(refusal)")
        }
        guard
            tally.disturbanceCount > 10 + 2 * schedule.count
                || tally.trialCount == 0 && tally.disturbanceCount > 10
        else { return }
        throw CalibrationError(
            "\(what) can't be measured: of \(tally.trialCount + tally.disturbanceCount) trials"
                + " \(tally.disturbanceCount) have no result (\(tally.disturbanceText)); use steady light, a still"
                + " scene, a lower rate, and let no other program use the camera")
    }

    mutating func handle(_ event: CalibrationEvent) {
        switch event {
        case .written(let write): note(write)
        case .changed: disturb(.externalChange)
        case .set, .edge: break
        case .frame(let frame):
            note(frame)
            last = frame
        }
    }

    /// Takes note of a write: of the step, or of the way back.
    ///
    /// After the way back, as many frames are skipped as the longest latency that a profile can have.
    private mutating func note(_ write: CalibrationWrite) {
        guard write.errno == 0 else {
            refusals = (refusals.inARow + 1, write.errno)
            return disturb(.refused)
        }
        refusals.inARow = 0
        if case .returning = state {
            rest(frames: SteadyReading.longestLatencyFrames + 1)
        } else {
            self.write = (write.begun, write.ended)
            state = .watching
        }
    }

    /// Skips frames before the next trial.
    ///
    /// - Parameter count: 8 to 16 after a trial that was seen, since the step shows by then.
    private mutating func rest(frames count: Int) {
        frames = []
        write = nil
        state = .resting(frames: count)
        // Blanking has changed the rate.
        if step.signal == .spacing { grid.reset() }
    }

    private mutating func disturb(_ why: LatencyTrial.Disturbance) {
        tally.note(why)
        state = .returning
    }

    // MARK: Frames

    /// Takes note of a frame, and judges the trial if it was watched for.
    private mutating func note(_ frame: CalibrationFrame) {
        let spacing = last.map { frame.timestamp - $0.timestamp }
        let step = places(from: last, to: frame)
        grid.note(frame.timestamp, step: step)
        let level =
            frame.isDamaged
            ? nil : self.step.signal.level(of: frame.reading, spacing: step == 1 ? spacing : nil)
        let noted = LatencyTrial.Frame(
            step: step, timestamp: frame.timestamp, level: level,
            readout: readout(of: frame.timestamp))
        switch state {
        case .returning: break
        case .resting(let left):
            keepLast(noted)
            state = .resting(frames: max(0, left - 1))
        case .aiming: keepLast(noted)
        case .watching:
            frames.append(noted)
            judge()
        }
    }

    /// Keeps three frames: the levels before the step.
    private mutating func keepLast(_ frame: LatencyTrial.Frame) {
        frames.append(frame)
        if frames.count > LatencyTrial.levelFrames { frames.removeFirst() }
    }

    /// Frames from one to the next by sequence and timestamps: 1 where both agree on it, 2 where one of them shows that
    /// some may be missing.
    ///
    /// A sequence that stands still is a driver's own way; then timestamps alone count.
    private func places(from last: CalibrationFrame?, to frame: CalibrationFrame) -> Int64 {
        guard let last else { return 1 }
        let bySequence = Int64(Int32(bitPattern: frame.sequence &- last.sequence))
        if bySequence > 1 { return bySequence }
        guard bySequence >= 0 else { return 0 }
        guard step.signal != .spacing, let period = grid.period else { return 1 }
        let excess = frame.timestamp - last.timestamp - period
        return excess * 2 > period + timestamps.delay ? 2 : 1
    }

    /// The earliest and latest start of a readout; timestamps are cut off to microseconds.
    private func readout(
        of timestamp: Instant<Monotonic>
    ) -> (earliest: Instant<Monotonic>, latest: Instant<Monotonic>) {
        let latest = timestamp + .microseconds(1)
        guard timestamps.point == .endOfReadout else {
            return (timestamp - timestamps.delay, latest)
        }
        let readout = timestamps.readout ?? grid.period ?? .zero
        return (
            timestamp - timestamps.delay - readout, latest - (timestamps.readout ?? .zero)
        )
    }

    /// How long before a timestamp its readout began: 0 where it marks the start.
    private var readoutBeforeTimestamp: Interval {
        timestamps.point == .endOfReadout ? timestamps.readout ?? .zero : .zero
    }

    // MARK: Judging

    /// Ends the trial as soon as the last five frames have all arrived, or after 40 frames without that.
    ///
    /// They have to have begun after the write, so that noise before it does not end the trial.
    private mutating func judge() {
        guard let write, frames.count >= 2 * LatencyTrial.levelFrames else { return }
        let change = isHigh ? -step.contrast : step.contrast
        let trial = LatencyTrial(
            frames: frames, write: write, expectedChange: change,
            isGradual: step.signal == .sharpness)
        let watched = frames.count - LatencyTrial.levelFrames
        // Until the last frames have all gone more than half of the way, and surely began after the write.
        let begin = frames[LatencyTrial.levelFrames / 2].level?.whole ?? 0
        let hasArrived = frames.suffix(LatencyTrial.levelFrames + 2).allSatisfy { frame in
            guard let level = frame.level?.whole, frame.readout.earliest > write.ended else {
                return false
            }
            return (level - begin) * Int64(change.signum()) * 2 > step.contrast
        }
        guard hasArrived || watched >= Self.watchedFrames else { return }
        switch trial.judge() {
        case .success(let seen):
            tally.note(seen, phase: entry.phase, isUpwards: !isHigh)
            isHigh.toggle()
            rest(frames: tally.trialCount < schedule.count ? entry.gapFrames : 0)
        case .failure(let why): disturb(why)
        }
    }
}
