internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Timebase
internal import Tracking

extension JSONForm where Value == Manifest {
    /// Every member of `run.json` that is there from the start.
    ///
    /// Whatever else is in the object is not looked at: the outcome is read by its own form.
    static let manifest = object(.blank, Manifest.start)
}

extension JSONForm where Value == Manifest.Outcome {
    /// Every member of `run.json` that its end adds.
    ///
    /// Read only where the state is `finalised`.
    static let outcome = object(.blank, Manifest.Outcome.all)
}

// The members by what they hold, for who has some of them.
extension Manifest {
    /// In the order of the file.
    static let start: [JSONMember<Manifest>] = identity + subject + recording

    /// The format's version first: a reader that does not know it looks no further.
    private static let identity: [JSONMember<Manifest>] = [
        .constant("framelock_run", .integer(Manifest.format)), .member("state", \.state, .word),
        .member("framelock_version", \.version, .text),
        .group(
            "recipe",
            [
                .member("name", \.recipeName, .text),
                .member("sha256", \.recipeDigest, .digest),
                .member("parameters", \.parameters, .list(.parameter)),
            ]),
        .group(
            "plan",
            [
                .member("sha256", \.planDigest, .digest),
                .nullable("slots", \.plannedSlots, .number),
            ]),
    ]
    /// What was recorded; ``RunSummary`` has the same members.
    static let subject: [JSONMember<Manifest>] = [
        .member("camera", \.camera, .identity),
        .group(
            "profile",
            [
                .member("name", \.profileName, .text),
                .member("provenance", \.profileProvenance, .text),
            ]),
        .member("skipped", \.skipped, .list(.skipped)),
        .member("configuration", \.configuration, .accepted),
    ]
    /// How times are to be read, where frames are, and under which circumstances they were taken.
    ///
    /// A format that this version does not know is refused; `none` stands for a run without pixels.
    private static let recording: [JSONMember<Manifest>] = [
        .member("timestamps", \.timestamps, .timestamps), .member("rows", \.rows, .rows),
        .group(
            "container",
            [
                .derived("path") { manifest in
                    manifest.container.map { .string(FrameContainer.of($0).path) } ?? .null
                },
                .part("format", .text, { $0.container?.rawValue ?? "none" }) { manifest, name in
                    manifest.container = OutputOptions.Format(rawValue: name)
                    return manifest.container != nil || name == "none"
                },
            ]),
        .group("session", session), .member("host", \.host, .any),
        .optional("metering", \.metering, .any), .optional("thermometer", \.thermometer, .text),
    ]

    /// The clock of session time, and when the run began and ended on it.
    private static let session: [JSONMember<Manifest>] = [
        .constant("clock", .string("\(Monotonic.clockName)")),
        .member("resolution_ns", \.clockResolution, .resolution),
        .member("epoch_ns", \.epoch, .epoch), .member("started", \.started, .realtime),
        .nullable("ended", \.ended, .realtime),
        .nullable("duration_ns", \.duration, .nanoseconds),
    ]
}

extension Manifest.Outcome {
    /// Members of an outcome, which `run.json` has beside those of the manifest, not inside a member of their own.
    typealias Members = [JSONMember<Manifest.Outcome>]

    /// In the order of the file.
    static let all: Members = [related, end] + judged + [findings] + counts + stills
    /// Alone, since `verify` reports of each clock by itself what differs.
    static let related: JSONMember<Manifest.Outcome> = .member("clocks", \.clocks, .clocks)
    static let end: JSONMember<Manifest.Outcome> = .member("ending", \.ending, .word)
    /// What ``Judgement`` makes of the counts.
    static let judged: Members = [
        .member("verdict", \.judgement.verdict, .word),
        .member("exit_code", \.judgement.exitCode, .number),
    ]
    static let findings: JSONMember<Manifest.Outcome> = .member(
        "findings", \.judgement.findings, .list(.finding))
    /// Everything that is counted from ledger and log, so that a recount can be held against it member by member.
    static let counts: Members =
        slots + [.group("triggers", triggers)] + settings + outputs + clocks + temperature
    static let stills: Members = [
        .optional("stills", \.tally.stills, .number),
        // There if stills are.
        JSONMember(
            "missed_stills",
            write: { outcome in
                outcome.tally.stills.map { _ in .integer(outcome.tally.missedStills) }
            },
            read: { json, outcome throws(JSONFault) in
                outcome.tally.missedStills = try json.map(JSONForm<Int64>.number.read) ?? 0
            }),
    ]

    /// Slots that had their turn; `holes` follows from the two counts.
    private static let slots: Members = [
        .member("slots", \.tally.slots, .number), .member("frames", \.tally.frames, .number),
        .nullable("not_reached", \.tally.notReached, .slots),
        .derived("holes") { .integer($0.tally.slots &- $0.tally.frames) },
        .member("holes_by_reason", \.tally.holes, .counts()),
        .member("frames_lost", \.tally.lostFrames, .number),
        .member("slots_retaken", \.tally.retakenSlots, .number),
    ]
    /// Edges and frames; `unmatched` is what the limit is for.
    static let triggers: Members = [
        .member("edges", \.tally.edges, .number), .member("matched", \.tally.matchedEdges, .number),
        .member("wait_timeouts", \.tally.waitTimeouts, .number),
        .member("unused_edges", \.tally.unusedEdges, .number),
        .member("lost_edges", \.tally.lostEdges, .number),
        .member("edges_without_frame", \.tally.edgesWithoutFrame, .number),
        .member("edges_without_slot", \.tally.edgesWithoutSlot, .number),
        .member("frames_without_edge", \.tally.framesWithoutEdge, .number),
        .derived("unmatched") { .integer($0.tally.unmatchedTriggers) },
    ]
    /// Whether what was locked held.
    private static let settings: Members = [
        .member("lock_violations", \.tally.lockViolations, .number),
        .member("unread_settings", \.tally.unreadSettings, .number),
        .member("contradicted_settings", \.tally.contradictedSettings, .number),
        .group(
            "known_by",
            ControlGroup.all.map { .member($0.name, \.tally.knownBy[$0], .counts()) }),
        .group(
            "brightness_mismatches",
            [ControlGroup.exposure, .gain].map {
                .member($0.name, \.tally.doubted[$0], .number)
            }),
        .group(
            "frames_late",
            [ControlGroup.exposure, .gain].map { .member($0.name, \.tally.late[$0], .number) }),
        .member("unresponsive_controls", \.tally.unresponsive, .list(.group)),
        .member("frames_without_metadata", \.tally.framesWithoutMetadata, .number),
        .member("disputed_gaps", \.tally.disputedGaps, .number),
        .nullable("period_found_ns", \.periodFound, .nanoseconds),
    ]
    /// Classes of edges and frames, outputs, and rounds of loops that began late.
    private static let outputs: Members = [
        .member("edges_by_class", \.tally.edgesByClass, .counts()),
        .member("frames_by_class", \.tally.framesByClass, .counts()),
        .member("warm_up_edges", \.tally.warmUpEdges, .number),
        .member("uncounted_lines", \.tally.uncountedLines, .number),
        .member("failed_outputs", \.tally.failedOutputs, .number),
        .member("unsensed_outputs", \.tally.unsensedOutputs, .number),
        .member("latest_output_ns", \.tally.latestOutput, .nanoseconds),
        .member("late_rounds", \.tally.lateRounds, .number),
        .member("latest_round_ns", \.tally.latestRound, .nanoseconds),
    ]
    /// How well times are known.
    private static let clocks: Members = [
        .member("widest_half_width_ns", \.tally.widestHalfWidth, .nanoseconds),
        .member("untimed_frames", \.tally.untimedFrames, .number),
        .member("unexpected_timestamp_clocks", \.tally.unexpectedTimestampClocks, .number),
        .member("camera_clock_steps", \.tally.cameraClockSteps, .number),
        .member("late_pulses", \.tally.latePulses, .number),
    ]
    /// Null where no reading succeeded.
    private static let temperature: Members = [
        .group(
            "temperature",
            [
                .nullable("hottest_millidegrees_c", \.tally.hottest, .millidegrees),
                .member("unread", \.tally.unreadTemperatures, .number),
            ])
    ]
}
