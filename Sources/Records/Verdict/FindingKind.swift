internal import Notation
internal import Recipes

extension Judgement.Finding {
    /// Every kind of finding, by its id: where the details are, in the record and in a report.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case endedEarly = "ended-early"
        case notFinalised = "not-finalised"
        case dropped
        case lostFrames = "lost-frames"
        case sequenceTimestampMismatch = "sequence-timestamp-mismatch"
        case gapUnverifiable = "gap-unverifiable"
        case timestampInvalid = "timestamp-invalid"
        case lateTimestamps = "late-timestamps"
        case earlierTimestampsLate = "earlier-timestamps-late"
        case refusedBuffers = "refused-buffers"
        case quirkSeen = "quirk-seen"
        case cameraUnknown = "camera-unknown"
        case settingContradicted = "setting-contradicted"
        case lockViolations = "lock-violations"
        case unreadSettings = "unread-settings"
        case controlUnresponsive = "control-unresponsive"
        case settingsLate = "settings-late"
        case brightnessMismatch = "brightness-mismatch"
        case unprovenSettings = "unproven-settings"
        case saturatedFrames = "saturated-frames"
        case metadataMissing = "metadata-missing"
        case periodMismatch = "period-mismatch"
        case temperature
        case unreadTemperature = "unread-temperature"
        case unmatchedTriggers = "unmatched-triggers"
        case triggerWithoutFrames = "trigger-without-frames"
        case triggerIgnored = "trigger-ignored"
        case triggerWithoutMatches = "trigger-without-matches"
        case failedOutputs = "failed-outputs"
        case unsensedOutputs = "unsensed-outputs"
        case uncountedEdges = "uncounted-edges"
        case latePulses = "late-pulses"
        case lateRounds = "late-rounds"
        case clockUncertainty = "clock-uncertainty"
        case untimedFrames = "untimed-frames"
        case timestampClock = "timestamp-clock"
        case cameraClockSteps = "camera-clock-steps"
        case missedStills = "missed-stills"

        /// The verdict of a run in which it is over its limit and nothing graver is.
        var verdict: Verdict { row.verdict }
        /// Where in the run folder the details are: a file with its column, event or member.
        public var look: String { row.look }
        /// The section of a report that has more of it.
        package var section: String { row.section }

        private var row: (verdict: Verdict, look: String, section: String) {
            switch self {
            case .endedEarly:
                (.partial, "run.json: ending; the last lines of events.jsonl", "slots")
            case .notFinalised: (.partial, "run.json: state", "slots")
            case .dropped: (.missingFrames, "ledger.csv: reason", "holes")
            case .lostFrames:
                (
                    .missingFrames, "events.jsonl: frames-missing, frame-damaged, slot-retaken",
                    "frames"
                )
            case .sequenceTimestampMismatch:
                (.missingFrames, "events.jsonl: sequence-timestamp-mismatch", "frames")
            case .gapUnverifiable: (.missingFrames, "events.jsonl: gap-unverifiable", "frames")
            case .timestampInvalid: (.missingFrames, "events.jsonl: timestamp-invalid", "frames")
            case .lateTimestamps:
                (.clockUncertain, "events.jsonl: timestamp-invalid whose why is late", "frames")
            case .earlierTimestampsLate:
                (.clockUncertain, "events.jsonl: earlier-timestamps-late", "clocks")
            case .refusedBuffers: (.missingFrames, "events.jsonl: buffer-refused", "frames")
            case .quirkSeen: (.missingFrames, "events.jsonl: quirk-seen", "frames")
            case .lateRounds: (.triggerMismatch, "events.jsonl: round-late", "slots")
            case .cameraUnknown: (.lockViolated, "run.json: profile", "settings")
            case .lockViolations:
                (
                    .lockViolated,
                    "events.jsonl: read-back whose asked and found differ, control-changed, settings-written",
                    "settings"
                )
            case .unreadSettings: (.lockViolated, "events.jsonl: read-back-failed", "settings")
            case .settingContradicted:
                (.lockViolated, "events.jsonl: setting-contradicted", "settings")
            case .controlUnresponsive:
                (.lockViolated, "events.jsonl: control-unresponsive", "settings")
            case .settingsLate: (.lockViolated, "events.jsonl: settings-late", "settings")
            case .brightnessMismatch:
                (.lockViolated, "events.jsonl: brightness-mismatch", "settings")
            case .unprovenSettings:
                (.lockViolated, "ledger.csv: exposure_known_by, gain_known_by", "settings")
            case .metadataMissing:
                (
                    .lockViolated,
                    "ledger.csv: exposure_known_by, gain_known_by; events.jsonl: metadata-mismatch",
                    "settings"
                )
            case .saturatedFrames: (.lockViolated, "ledger.csv: saturated_fraction", "frames")
            case .periodMismatch: (.lockViolated, "events.jsonl: period-mismatch", "settings")
            case .temperature, .unreadTemperature:
                (.lockViolated, "events.jsonl: temperature", "temperature")
            case .unmatchedTriggers:
                (
                    .triggerMismatch,
                    "ledger.csv: holes with a trigger_id; events.jsonl: edge-classified, frame-classified",
                    "triggers"
                )
            case .triggerWithoutFrames, .triggerIgnored, .triggerWithoutMatches:
                (.triggerMismatch, "events.jsonl: edge-classified, frame-classified", "triggers")
            case .uncountedEdges: (.triggerMismatch, "events.jsonl: edges-uncounted", "triggers")
            case .failedOutputs: (.triggerMismatch, "events.jsonl: output-failed", "outputs")
            case .unsensedOutputs: (.triggerMismatch, "events.jsonl: output-unsensed", "outputs")
            case .latePulses: (.triggerMismatch, "events.jsonl: output-set, late_ns", "outputs")
            case .clockUncertainty, .untimedFrames:
                (.clockUncertain, "ledger.csv: session_half_width_ns", "clocks")
            case .timestampClock: (.clockUncertain, "events.jsonl: timestamp-clock", "clocks")
            case .cameraClockSteps:
                (.clockUncertain, "events.jsonl: camera-clock-stepped", "clocks")
            case .missedStills: (.clockUncertain, "events.jsonl: still-missed", "storage")
            }
        }

        /// What is said where it is a count and nothing else; nil for the others.
        var count: FindingCount? {
            switch self {
            case .dropped:
                FindingCount(\.dropped, .limit(\.dropped)) { tally, _ in
                    tally.dropped.of("missing frame")
                }
            case .settingContradicted:
                FindingCount(\.contradictedSettings, Self.doubtful) { tally, _ in
                    tally.contradictedSettings.of("setting")
                        + " contradicted by pixels or metadata"
                }
            case .lockViolations:
                FindingCount(\.lockViolations, Self.doubtful) { tally, _ in
                    tally.lockViolations.of("time")
                        + " a setting was not what was locked: read back different, refused, or changed by"
                        + " another program"
                }
            case .unreadSettings:
                FindingCount(\.unreadSettings, Self.doubtful) { tally, _ in
                    tally.unreadSettings.of("time")
                        + " a setting could not be read back, so that nothing shows that it holds"
                }
            case .unmatchedTriggers:
                FindingCount(\.unmatchedTriggers, .limit(\.unmatchedTriggers)) { tally, _ in
                    tally.unmatchedTriggers.of("unmatched trigger") + " (edges, frames or waits)"
                }
            case .saturatedFrames:
                FindingCount(\.saturatedFrames, .limit(\.saturatedFrames)) { tally, _ in
                    let most = FixedPoint.shortText(tally.mostSaturated, places: 4)
                    return tally.saturatedFrames.of("frame")
                        + " with 1 % or more of all samples at full scale, up to \(most) %"
                }
            case .failedOutputs, .unsensedOutputs, .uncountedEdges, .latePulses, .lateRounds:
                countOfLines
            case .timestampClock, .cameraClockSteps, .missedStills: countOfClocks
            default: nil
            }
        }

        /// All three of settings are held against one limit.
        private static var doubtful: FindingCount.Weight {
            .limit(\.lockViolations, \.doubtfulSettings)
        }

        /// An output that failed, or was not seen to switch, needs no limit: its light was not the planned one.
        ///
        /// Light that is late is not the planned one either, but is judged only where the recipe sets a limit.
        private var countOfLines: FindingCount? {
            switch self {
            case .failedOutputs:
                FindingCount(\.failedOutputs, .always) { tally, _ in
                    tally.failedOutputs.of("time")
                        + " an output could not be switched: its light or pulse was not as planned"
                }
            case .unsensedOutputs:
                FindingCount(\.unsensedOutputs, .always) { tally, _ in
                    tally.unsensedOutputs.of("time")
                        + " the input that senses an output saw nothing of its switching"
                }
            case .uncountedEdges:
                FindingCount(\.uncountedLines, .never) { _, _ in
                    "the kernel does not report lost edges: whether all triggers are on record is not known"
                }
            case .latePulses:
                FindingCount(\.latePulses, .limit(\.latePulses)) { tally, limits in
                    tally.latePulses.of("late output")
                        + " (more than \(limits.pulseTolerance) after the planned time), the latest by"
                        + " \(tally.latestOutput)"
                }
            case .lateRounds:
                FindingCount(\.lateRounds, .limit(\.lateRounds)) { tally, _ in
                    tally.lateRounds.of("round")
                        + " began later than `every` asked, by up to \(tally.latestRound)"
                }
            default: nil
            }
        }

        /// Frames with another clock have their times of what was found instead of what the driver reports.
        private var countOfClocks: FindingCount? {
            switch self {
            case .timestampClock:
                FindingCount(\.unexpectedTimestampClocks, .never) { _, _ in
                    "frames are timestamped with another clock than the driver claims (see `clock` in the"
                        + " ledger): timestamps of a clock that is known were converted"
                }
            case .cameraClockSteps:
                FindingCount(\.cameraClockSteps, .never) { tally, _ in
                    "the camera's own clock jumped \(tally.cameraClockSteps.of("time")): it was related to the"
                        + " host's again"
                }
            case .missedStills:
                FindingCount(\.missedStills, .never) { tally, _ in
                    tally.missedStills.of("still") + " missing; the frames are recorded"
                }
            default: nil
            }
        }
    }
}
