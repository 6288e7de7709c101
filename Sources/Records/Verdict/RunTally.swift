public import Devices
internal import Notation
internal import Recipes
public import Timebase
public import Tracking

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
    /// Frames of which a hundredth of all samples or more are at full scale: how bright these were nobody knows.
    public var saturatedFrames: Int64 = 0
    /// The largest share of a frame's samples at full scale, in millionths.
    public var mostSaturated: Int64 = 0
    /// From so many millionths on a frame counts as saturated: a few hot pixels always are.
    static let leastSaturated: Int64 = 10_000
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
    /// Frames whose timestamps came late, and whose times are the sensor's own.
    public var lateTimestamps: Int64 = 0
    /// Whether these are half of all frames from the first slot on, or more, and four at least.
    public var isMostlyLate = false
    /// The period that frames had by their timestamps where the sensor's registers first gave another one; nil if they
    /// never did.
    public var periodFound: Interval?
    /// The period that the registers gave then; nil also where only the manifest is known, which does not have it.
    public var periodExpected: Interval?
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

    /// Settings of which nothing shows that they held; what `require: lock_violations` is for.
    var doubtfulSettings: Int64 { lockViolations + unreadSettings + contradictedSettings }

    /// Edges without their frame, and waits without their edge.
    public var unmatchedTriggers: Int64 {
        waitTimeouts + unusedEdges + lostEdges + edgesWithoutFrame + edgesWithoutSlot
            + framesWithoutEdge
    }
}

// How the manifest has the counts: what follows from ledger and log, so that a recount is held against it by member.
extension RunTally {
    /// In the order of the file.
    static let members: [JSONMember<RunTally>] =
        slotMembers + [.group("triggers", triggerMembers)] + settingMembers + outputMembers
        + clockMembers
        + [.group("temperature", temperatureMembers)]
    /// Last in the file, behind the findings; both are there if the plan asks for stills.
    static let stillMembers: [JSONMember<RunTally>] = [
        .optional("stills", \.stills, .number),
        JSONMember(
            "missed_stills",
            write: { tally in tally.stills.map { _ in .integer(tally.missedStills) } },
            read: { json, tally throws(JSONFault) in
                tally.missedStills = try json.map(JSONForm<Int64>.number.read) ?? 0
            }),
    ]

    /// Slots that had their turn; `holes` follows from the two counts.
    private static let slotMembers: [JSONMember<RunTally>] = [
        .member("slots", \.slots, .number), .member("frames", \.frames, .number),
        .nullable("not_reached", \.notReached, .slots),
        .derived("holes") { .integer($0.slots &- $0.frames) },
        .member("holes_by_reason", \.holes, .counts()),
        .member("frames_lost", \.lostFrames, .number),
        .member("slots_retaken", \.retakenSlots, .number),
        .member("saturated_frames", \.saturatedFrames, .number),
        .member("most_saturated_ppm", \.mostSaturated, .number),
    ]
    /// Edges and frames; `unmatched` is what the limit is for.
    private static let triggerMembers: [JSONMember<RunTally>] = [
        .member("edges", \.edges, .number), .member("matched", \.matchedEdges, .number),
        .member("wait_timeouts", \.waitTimeouts, .number),
        .member("unused_edges", \.unusedEdges, .number),
        .member("lost_edges", \.lostEdges, .number),
        .member("edges_without_frame", \.edgesWithoutFrame, .number),
        .member("edges_without_slot", \.edgesWithoutSlot, .number),
        .member("frames_without_edge", \.framesWithoutEdge, .number),
        .derived("unmatched") { .integer($0.unmatchedTriggers) },
    ]
    /// Whether what was locked held.
    private static let settingMembers: [JSONMember<RunTally>] = [
        .member("lock_violations", \.lockViolations, .number),
        .member("unread_settings", \.unreadSettings, .number),
        .member("contradicted_settings", \.contradictedSettings, .number),
        .group(
            "known_by",
            ControlGroup.all.map { .member($0.name, \.knownBy[$0], .counts()) }),
        .group(
            "brightness_mismatches",
            [ControlGroup.exposure, .gain].map {
                .member($0.name, \.doubted[$0], .number)
            }),
        .group(
            "frames_late",
            [ControlGroup.exposure, .gain].map { .member($0.name, \.late[$0], .number) }),
        .member("unresponsive_controls", \.unresponsive, .list(.group)),
        .member("frames_without_metadata", \.framesWithoutMetadata, .number),
        .member("disputed_gaps", \.disputedGaps, .number),
        .nullable("period_found_ns", \.periodFound, .nanoseconds),
    ]
    /// Classes of edges and frames, outputs, and rounds of loops that began late.
    private static let outputMembers: [JSONMember<RunTally>] = [
        .member("edges_by_class", \.edgesByClass, .counts()),
        .member("frames_by_class", \.framesByClass, .counts()),
        .member("warm_up_edges", \.warmUpEdges, .number),
        .member("uncounted_lines", \.uncountedLines, .number),
        .member("failed_outputs", \.failedOutputs, .number),
        .member("unsensed_outputs", \.unsensedOutputs, .number),
        .member("latest_output_ns", \.latestOutput, .nanoseconds),
        .member("late_rounds", \.lateRounds, .number),
        .member("latest_round_ns", \.latestRound, .nanoseconds),
    ]
    /// How well times are known.
    private static let clockMembers: [JSONMember<RunTally>] = [
        .member("widest_half_width_ns", \.widestHalfWidth, .nanoseconds),
        .member("untimed_frames", \.untimedFrames, .number),
        .member("unexpected_timestamp_clocks", \.unexpectedTimestampClocks, .number),
        .member("camera_clock_steps", \.cameraClockSteps, .number),
        .member("late_pulses", \.latePulses, .number),
    ]
    /// Null where no reading succeeded.
    private static let temperatureMembers: [JSONMember<RunTally>] = [
        .nullable("hottest_millidegrees_c", \.hottest, .millidegrees),
        .member("unread", \.unreadTemperatures, .number),
    ]
}
