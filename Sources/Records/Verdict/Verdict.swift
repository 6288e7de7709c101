public import Devices
public import Timebase
public import Tracking

/// How a run ended.
public enum RunEnding: String, BitwiseCopyable, Hashable, Sendable, CaseIterable {
    /// Every slot had its turn.
    case completed
    /// It was asked to stop, and stopped in order.
    case interrupted
    /// The camera went away.
    case deviceLost = "device-lost"
    /// The stream stood still.
    case streamStalled = "stream-stalled"
    /// The disk refused, or was too slow for a recipe that stops then.
    case storageFailed = "storage-failed"
    /// The camera refused settings.
    case settingsRefused = "settings-refused"
    /// An edge did not come in time, and everything that was still to come stood under it.
    case triggerTimeout = "trigger-timeout"
}

/// What can be believed of a run, in one word; docs/verdicts.md has the exit code of each.
public enum Verdict: String, Hashable, Sendable, CaseIterable {
    case trustworthy
    case missingFrames = "missing-frames"
    case lockViolated = "lock-violated"
    case triggerMismatch = "trigger-mismatch"
    case clockUncertain = "clock-uncertain"
    case partial
}

/// The counts that a verdict is made of.
///
/// Everything here follows from ledger and log.
public struct RunTally: Hashable, Sendable {
    /// Slots that ended, each with its frame or without.
    public var slots: Int64 = 0
    /// Slots that had no turn, since the run ended before; nil if there are none.
    public var notReached: ClosedRange<Int64>?
    /// Slots that the ledger names, those without a turn among them.
    var namedSlots: Int64 { notReached.map { $0.upperBound + 1 } ?? slots }
    /// Slots with a frame.
    public var frames: Int64 = 0
    /// Slots without one, by reason.
    public var holes: [HoleReason: Int64] = [:]
    /// Frames that did not come, or came damaged, whether a slot waited for them or not.
    public var lostFrames: Int64 = 0
    /// How often a slot waited for another frame since its own was lost; frames that were lost in a row count once.
    public var retakenSlots: Int64 = 0
    /// Why the disk refused, by its first error number; nil if it did not.
    public var storageErrno: Int32?
    /// Settings that read back different from what was asked, could not be written, or were changed by somebody else.
    public var lockViolations: Int64 = 0
    /// Settings that were written and could not be read back: what the camera made of them is not known.
    public var unreadSettings: Int64 = 0
    /// Settings that the device was believed to have, and that frames show not to be so.
    public var contradictedSettings: Int64 = 0
    /// By group, how many frames that were to have a setting are known by what.
    public var knownBy = PerGroup<[SettingEvidence: Int64]>(repeating: [:])
    /// By group, how many of these are unknown since pixels and read-back do not go along with each other.
    public var doubted = PerGroup<Int64>(repeating: 0)
    /// Controls that brightness does not follow.
    public var unresponsive: [ControlGroup] = []
    /// By group, how many frames later than the profile says brightness follows it; 0 where that was not seen.
    public var late = PerGroup<Int64>(repeating: 0)
    /// Frames whose metadata were another frame's or did not come, in a run whose sensor sends any: their exposure and
    /// gain are known by something else, or not at all.
    public var framesWithoutMetadata: Int64 = 0
    /// The most of them in a row.
    public var longestWithoutMetadata: Int64 = 0
    /// Edges that arrived on lines that the plan waits for.
    public var edges: Int64 = 0
    /// Edges with exactly one slot's frames.
    public var matchedEdges: Int64 = 0
    /// Edges of a triggered camera whose frames were left out at the start, as planned.
    public var warmUpEdges: Int64 = 0
    /// Waits that ran out.
    public var waitTimeouts: Int64 = 0
    /// Edges that nobody waited for, or whose frame no slot wanted.
    public var unusedEdges: Int64 = 0
    /// Edges that the kernel lost, by gaps in its numbers.
    public var lostEdges: Int64 = 0
    /// Edges whose frame is a hole.
    public var edgesWithoutFrame: Int64 = 0
    /// Edges on the line of a triggered camera that made no frame for certain, and have no slot.
    public var edgesWithoutSlot: Int64 = 0
    /// Frames of a triggered camera that no edge made.
    public var framesWithoutEdge: Int64 = 0
    /// What became of the edges of a triggered camera.
    public var edgesByClass: [TriggerClass: Int64] = [:]
    /// What became of the frames of a triggered camera that have no edge of their own.
    public var framesByClass: [TriggerClass: Int64] = [:]
    /// Lines on which lost edges can't be counted.
    public var uncountedLines: Int64 = 0
    /// Outputs whose switching the input that senses them did not see.
    public var unsensedOutputs: Int64 = 0
    /// Outputs that could not be switched: lights and strobes that stayed as they were.
    public var failedOutputs: Int64 = 0
    /// How long after its time the latest output was switched; as measured, where an input senses it.
    public var latestOutput: Interval = .zero
    /// Outputs that were switched later than the recipe tolerates.
    public var latePulses: Int64 = 0
    /// The highest temperature; nil if none was read.
    public var hottest: Temperature?
    /// Times that the thermometer could not be read.
    public var unreadTemperatures: Int64 = 0
    /// Rounds of loops that began later than `every` asked.
    public var lateRounds: Int64 = 0
    /// How late the latest of them began.
    public var latestRound: Interval = .zero
    /// The widest half-width of a frame's session time.
    public var widestHalfWidth: Interval = .zero
    /// Frames whose session time is not known at all.
    public var untimedFrames: Int64 = 0
    /// How often it was found that frames are timestamped with another clock than their driver claims.
    public var unexpectedTimestampClocks: Int64 = 0
    /// How often the camera's own clock did not go on as it went.
    public var cameraClockSteps: Int64 = 0

    /// Gaps on which sequence, timestamps and slots do not agree.
    public var disputedGaps: Int64 = 0
    /// Frames before which it is unclear whether others are missing.
    public var unverifiableGaps: Int64 = 0
    /// Frames whose timestamps could not be believed.
    public var invalidTimestamps: Int64 = 0
    /// The period that a sensor's registers give, and the one that its frames had instead.
    public struct PeriodMismatch: Hashable, Sendable {
        /// By registers.
        public var expected: Interval
        /// By timestamps.
        public var found: Interval
    }

    /// Frames whose timestamps came late, and whose times are the sensor's own.
    public var lateTimestamps: Int64 = 0
    /// Whether these are half of all frames from the first slot on, or more, and four at least.
    public var isMostlyLate = false
    /// The first contradiction between registers and timestamps; nil if there is none.
    public var periodMismatch: PeriodMismatch?
    /// How late timestamps were, at least, without anything that showed it in time.
    public var unseenDelay = Interval.zero
    /// Frame buffers that the driver did not take back.
    public var refusedBuffers: Int64 = 0
    /// What the driver does and its profile does not state, by name.
    public var unknownQuirks: Set<CameraQuirk> = []
    /// Frames that are picture files too; nil where the plan asks for none.
    public var stills: Int64?
    /// Frames that were to become picture files and did not.
    public var missedStills: Int64 = 0

    /// Whether the camera has no profile: what was not counted against it is not known either.
    public var isCameraUnknown = false

    /// Whether the plan has the camera exposed by a line.
    public var isTriggered = false

    /// Creates an empty tally.
    public init() {}

    /// Holes that count as missing frames.
    public var dropped: Int64 {
        HoleReason.allCases.reduce(0) { $0 + ($1.isDrop ? holes[$1, default: 0] : 0) }
    }

    /// Edges without their frame, and waits without their edge.
    public var unmatchedTriggers: Int64 {
        waitTimeouts + unusedEdges + lostEdges + edgesWithoutFrame + edgesWithoutSlot
            + framesWithoutEdge
    }
}
