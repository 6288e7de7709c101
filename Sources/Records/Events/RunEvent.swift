public import Devices
public import Timebase
public import Tracking

/// Something that happened in a run, as it goes into `events.jsonl`.
///
/// Plain bits, so that the capture thread can make it.
///
/// Lines, steps and settings are indices into the plan's tables. `sequence`, `before` and `from` are the driver's
/// numbers, which have 32 bits and restart.
public enum RunEvent: BitwiseCopyable, Hashable, Sendable {
    /// The stream started or stopped.
    case streamStarted
    case streamStopped
    /// An edge on an input.
    case edge(LineEdge)
    /// Edges that the kernel had no room for, before the edge with this number; counted by the gap in the numbers.
    case edgesLost(line: Int32, count: UInt32, before: UInt32)
    /// An edge ended the wait of a step: the step's slots belong to it, if it has any.
    case edgeAccepted(line: Int32, lineSequence: UInt32, step: Int32)
    /// What became of an edge on the line that triggers the camera, and which frame it made.
    case edgeClassified(
        line: Int32, lineSequence: UInt32, outcome: TriggerClass, sequence: UInt32?)
    /// What became of a frame of a triggered camera that has no edge of its own.
    case frameClassified(line: Int32, sequence: UInt32, outcome: TriggerClass)
    /// How many edges the kernel loses on a line can't be counted.
    case edgesUncounted(line: Int32)
    /// An output was switched; `late` is how much after the planned time.
    case outputSet(line: Int32, active: Bool, late: Interval)
    /// The edge of a switched output, as the input timestamped it that senses it; `late` is after the planned time.
    case outputSensed(
        line: Int32, active: Bool, timestamp: Instant<Monotonic>, late: Interval)
    /// An output was switched, and the input that senses it saw nothing.
    case outputUnsensed(line: Int32, active: Bool)
    /// An output could not be switched.
    case outputFailed(line: Int32)
    /// A set of settings was written, for the first slot that waits for it; nil where none does, as when a bracket puts
    /// the locked ones back. `errno` is 0 or positive.
    case settingsWritten(
        settings: Int32, slot: Int64?, begun: Instant<Monotonic>, errno: Int32)
    /// A write was refused on the camera's bus, and made again; `errno` positive. The write's own event has what came
    /// of the second attempt.
    case writeRepeated(settings: Int32, errno: Int32)
    /// A control read back after a write, with the code that was asked for.
    case readBack(settings: Int32, control: CameraControl, asked: Int64, found: Int64)
    /// The lens was sent beyond its place, to come back from its declared side, and has this code there.
    case lensApproach(settings: Int32, control: CameraControl, asked: Int64, found: Int64)
    /// A control could not be read back: what it has is not known.
    case readBackFailed(settings: Int32, control: CameraControl)
    /// Somebody else changed a watched control while the frame with this sequence was exposed.
    ///
    /// Another program or the camera itself; nil before the first frame.
    case controlChanged(ControlChange, sequence: UInt32?)
    /// A frame of these settings shows another value than the device was believed to have; logged for the first of
    /// frames in a row. Exposure in nanoseconds, all others in millionths.
    ///
    /// By metadata or pixels its row has what shows. By nothing it has no value: metadata may be another frame's, and
    /// several values may look alike; `found` is nil where none is more likely than the others.
    case settingContradicted(
        settings: Int32, sequence: UInt32, group: ControlGroup, believed: Int64,
        found: Int64?, by: SettingEvidence)
    /// A frame's row was to have no value of a group that was reported: its brightness does not fit it, its picture
    /// may be another frame's, or pixels of other frames refuted the camera's word, on which alone it rests.
    ///
    /// Logged as the row is written; frames behind it may show later what it had, and the row has that then. At the end
    /// of the run for what is withdrawn then.
    case settingDoubted(
        settings: Int32, sequence: UInt32, group: ControlGroup, believed: Int64,
        by: SettingEvidence)
    /// Brightness shows what a frame had of a group that was not reported, and its row has it.
    case settingShown(settings: Int32, sequence: UInt32, group: ControlGroup, value: Int64)
    /// Brightness does not follow a control: its frames are as bright whatever it is set to. Logged once, at the end.
    case controlUnresponsive(ControlGroup)
    /// Brightness follows a group so many frames later than the camera's profile says. Logged once, at the end.
    case settingsLate(ControlGroup, frames: Int64)
    /// The brightness of so many frames does not fit what was read back of a group, and what they had is not known.
    ///
    /// Logged once for each group, at the end.
    case brightnessMismatch(ControlGroup, frames: Int64)
    /// Frames are missing before the frame with this sequence.
    ///
    /// Those with numbers of their own have the `count` numbers up to `before`, without it.
    case framesMissing(count: Int64, before: UInt32, reason: HoleReason)
    /// The driver's sequence jumped by more than a gap can be; how many frames are missing is not known.
    case sequenceJumped(from: UInt32, to: UInt32)
    /// Sequence, timestamps and slots do not agree on the frames missing before this one.
    ///
    /// The counts are by the sequence, by the spacing of timestamps at least and at most (−1: too close for two
    /// frames), and by the slot's own moment; nil for one that gives no count.
    case sequenceTimestampMismatch(
        before: UInt32, bySequence: Int64?, fewest: Int64?, most: Int64?, bySlot: Int64?)
    /// Before so many frames from this one on, nothing shows whether frames are missing.
    case gapUnverifiable(count: Int64, from: UInt32)
    /// The timestamps of so many frames from this one on can't be believed: their times are those at which they were
    /// taken.
    case timestampInvalid(count: Int64, from: UInt32, why: TimestampDefect)
    /// The driver does what its profile states, or should state; seen for the first time at this frame.
    case quirkSeen(CameraQuirk, sequence: UInt32, isKnown: Bool)
    /// Frames come at another period than was promised, or than they did.
    case rateDiffers(found: Interval)
    /// Frames do not come at the period that the sensor's registers give (frame length · line length / pixel rate): of
    /// frames from this one on it is unknown how long a line is, and so how long they were exposed.
    case periodMismatch(sequence: UInt32, expected: Interval, found: Interval)
    /// Timestamps before this frame were all late, by at least so much, and nothing showed it then.
    case earlierTimestampsLate(sequence: UInt32, least: Interval)
    /// So many frames from this one on came with metadata that are another frame's, by the sensor's own count: nothing
    /// is taken from those.
    case metadataMismatch(count: Int64, from: UInt32)
    /// The driver did not take a frame buffer back, also when asked again; `errno` positive.
    case bufferRefused(errno: Int32)
    /// A frame arrived damaged.
    case frameDamaged(sequence: UInt32)
    /// Frames were given back: while settings settled, at start, between triggers, or with a group that was repeated.
    case framesSkipped(count: Int64, from: UInt32, why: SkipReason)
    /// Frames that belong together are taken again from this slot on, since one was lost or uncertain.
    case groupRepeated(step: Int32, slot: Int64, attempt: Int32)
    /// Of frames that belong together only so many came, from this slot on.
    case groupPartial(step: Int32, slot: Int64, frames: Int64, slots: Int64)
    /// A slot waits for another frame, since its own was lost; once for frames that were lost in a row.
    ///
    /// Found at the frame with this sequence, and the first of them was lost for this reason.
    case slotRetaken(slot: Int64, sequence: UInt32, reason: HoleReason)
    /// A round of a loop started later than `every` asked.
    case roundLate(step: Int32, round: Int64, late: Interval)
    /// The wait for an edge ran out.
    case triggerTimeout(line: Int32, step: Int32)
    /// The run was asked to stop.
    case interrupted
    /// The camera's stream broke; `errno` positive, 0 for a stall.
    case streamFailed(errno: Int32)
    /// The disk refused; `errno` positive.
    case storageFailed(slot: Int64, errno: Int32)
    /// A frame is recorded and its still is missing: stills could not keep up (`errno` 0), or what was refused.
    case stillMissed(slot: Int64, errno: Int32)
    /// The run was cut, and its record was ended afterwards: so many frames were there without a row and were taken
    /// out, and so many bytes of a last line that had not been written to its end.
    case recordRecovered(frames: Int64, bytes: Int64)
    /// A clock was read between two readings of the monotonic one.
    case clockSample(ClockSample)
    /// How the kernel disciplines the realtime clock.
    case clockDiscipline(ClockDiscipline)
    /// Frames are not timestamped with the clock that the driver claims; nil if no clock explains their timestamps.
    case timestampClock(ClockSource?)
    /// The camera's own clock jumped or changed its rate: from this frame on it has a new relation.
    case cameraClockStepped(sequence: UInt32)
    /// How warm the instrument was; nil if its thermometer could not be read.
    case temperature(Temperature?)
}

/// Why frames were given back unrecorded.
public enum SkipReason: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// The first frames after stream start.
    case startup
    /// New settings were not yet sure to be in force.
    case settling
    /// No slot was due.
    case idle
    /// A slot had it, and was taken again, alone or with its group.
    case abandoned
    /// Its lights were not on all through its exposure.
    case dark
    /// It is the frame before once more.
    case repeated
}

/// What an event is called in `events.jsonl`; ``EventTable`` has one codec for each.
enum EventName: String, CaseIterable {
    case streamStarted = "stream-started"
    case streamStopped = "stream-stopped"
    case edge
    case edgesLost = "edges-lost"
    case edgeAccepted = "edge-accepted"
    case edgeClassified = "edge-classified"
    case frameClassified = "frame-classified"
    case edgesUncounted = "edges-uncounted"
    case outputSet = "output-set"
    case outputSensed = "output-sensed"
    case outputUnsensed = "output-unsensed"
    case outputFailed = "output-failed"
    case settingsWritten = "settings-written"
    case writeRepeated = "write-repeated"
    case readBack = "read-back"
    case readBackFailed = "read-back-failed"
    case lensApproach = "lens-approach"
    case controlChanged = "control-changed"
    case settingContradicted = "setting-contradicted"
    case settingDoubted = "setting-doubted"
    case settingShown = "setting-shown"
    case controlUnresponsive = "control-unresponsive"
    case settingsLate = "settings-late"
    case brightnessMismatch = "brightness-mismatch"
    case sequenceTimestampMismatch = "sequence-timestamp-mismatch"
    case gapUnverifiable = "gap-unverifiable"
    case timestampInvalid = "timestamp-invalid"
    case quirkSeen = "quirk-seen"
    case rateDiffers = "rate-differs"
    case periodMismatch = "period-mismatch"
    case earlierTimestampsLate = "earlier-timestamps-late"
    case metadataMismatch = "metadata-mismatch"
    case bufferRefused = "buffer-refused"
    case framesMissing = "frames-missing"
    case sequenceJumped = "sequence-jumped"
    case frameDamaged = "frame-damaged"
    case framesSkipped = "frames-skipped"
    case groupRepeated = "group-repeated"
    case groupPartial = "group-partial"
    case slotRetaken = "slot-retaken"
    case roundLate = "round-late"
    case triggerTimeout = "trigger-timeout"
    case interrupted
    case streamFailed = "stream-failed"
    case storageFailed = "storage-failed"
    case stillMissed = "still-missed"
    case recordRecovered = "record-recovered"
    case temperature
    case clockSample = "clock-sample"
    case clockDiscipline = "clock-discipline"
    case timestampClock = "timestamp-clock"
    case cameraClockStepped = "camera-clock-stepped"

    /// Without a default, so that the compiler asks for the name of a new event.
    init(_ event: RunEvent) {
        self =
            switch event {
            case .streamStarted: .streamStarted
            case .streamStopped: .streamStopped
            case .edge: .edge
            case .edgesLost: .edgesLost
            case .edgeAccepted: .edgeAccepted
            case .edgeClassified: .edgeClassified
            case .frameClassified: .frameClassified
            case .edgesUncounted: .edgesUncounted
            case .outputSet: .outputSet
            case .outputSensed: .outputSensed
            case .outputUnsensed: .outputUnsensed
            case .outputFailed: .outputFailed
            case .settingsWritten: .settingsWritten
            case .writeRepeated: .writeRepeated
            case .readBack: .readBack
            case .readBackFailed: .readBackFailed
            case .lensApproach: .lensApproach
            case .controlChanged: .controlChanged
            case .settingContradicted: .settingContradicted
            case .settingDoubted: .settingDoubted
            case .settingShown: .settingShown
            case .controlUnresponsive: .controlUnresponsive
            case .settingsLate: .settingsLate
            case .brightnessMismatch: .brightnessMismatch
            case .sequenceTimestampMismatch: .sequenceTimestampMismatch
            case .gapUnverifiable: .gapUnverifiable
            case .timestampInvalid: .timestampInvalid
            case .quirkSeen: .quirkSeen
            case .rateDiffers: .rateDiffers
            case .periodMismatch: .periodMismatch
            case .earlierTimestampsLate: .earlierTimestampsLate
            case .metadataMismatch: .metadataMismatch
            case .bufferRefused: .bufferRefused
            case .framesMissing: .framesMissing
            case .sequenceJumped: .sequenceJumped
            case .frameDamaged: .frameDamaged
            case .framesSkipped: .framesSkipped
            case .groupRepeated: .groupRepeated
            case .groupPartial: .groupPartial
            case .slotRetaken: .slotRetaken
            case .roundLate: .roundLate
            case .triggerTimeout: .triggerTimeout
            case .interrupted: .interrupted
            case .streamFailed: .streamFailed
            case .storageFailed: .storageFailed
            case .stillMissed: .stillMissed
            case .recordRecovered: .recordRecovered
            case .temperature: .temperature
            case .clockSample: .clockSample
            case .clockDiscipline: .clockDiscipline
            case .timestampClock: .timestampClock
            case .cameraClockStepped: .cameraClockStepped
            }
    }
}
