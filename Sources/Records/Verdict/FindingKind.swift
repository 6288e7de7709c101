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
        case lateRounds = "late-rounds"
        case cameraUnknown = "camera-unknown"
        case lockViolations = "lock-violations"
        case unreadSettings = "unread-settings"
        case settingContradicted = "setting-contradicted"
        case controlUnresponsive = "control-unresponsive"
        case settingsLate = "settings-late"
        case brightnessMismatch = "brightness-mismatch"
        case unprovenSettings = "unproven-settings"
        case metadataMissing = "metadata-missing"
        case periodMismatch = "period-mismatch"
        case temperature
        case unreadTemperature = "unread-temperature"
        case unmatchedTriggers = "unmatched-triggers"
        case triggerWithoutFrames = "trigger-without-frames"
        case triggerIgnored = "trigger-ignored"
        case triggerWithoutMatches = "trigger-without-matches"
        case uncountedEdges = "uncounted-edges"
        case failedOutputs = "failed-outputs"
        case unsensedOutputs = "unsensed-outputs"
        case latePulses = "late-pulses"
        case clockUncertainty = "clock-uncertainty"
        case untimedFrames = "untimed-frames"
        case timestampClock = "timestamp-clock"
        case cameraClockSteps = "camera-clock-steps"
        case missedStills = "missed-stills"

        /// Where in the run folder the details are: a file with its column, event or member.
        public var look: String { place.look }
        /// The section of a report that has more of it.
        package var section: String { place.section }

        private var place: (look: String, section: String) {
            switch self {
            case .endedEarly: ("run.json: ending; the last lines of events.jsonl", "slots")
            case .notFinalised: ("run.json: state", "slots")
            case .dropped: ("ledger.csv: reason", "holes")
            case .lostFrames:
                ("events.jsonl: frames-missing, frame-damaged, slot-retaken", "frames")
            case .sequenceTimestampMismatch: ("events.jsonl: sequence-timestamp-mismatch", "frames")
            case .gapUnverifiable: ("events.jsonl: gap-unverifiable", "frames")
            case .timestampInvalid: ("events.jsonl: timestamp-invalid", "frames")
            case .lateTimestamps: ("events.jsonl: timestamp-invalid whose why is late", "frames")
            case .earlierTimestampsLate: ("events.jsonl: earlier-timestamps-late", "clocks")
            case .refusedBuffers: ("events.jsonl: buffer-refused", "frames")
            case .quirkSeen: ("events.jsonl: quirk-seen", "frames")
            case .lateRounds: ("events.jsonl: round-late", "slots")
            case .cameraUnknown: ("run.json: profile", "settings")
            case .lockViolations:
                (
                    "events.jsonl: read-back whose asked and found differ, control-changed, settings-written",
                    "settings"
                )
            case .unreadSettings: ("events.jsonl: read-back-failed", "settings")
            case .settingContradicted: ("events.jsonl: setting-contradicted", "settings")
            case .controlUnresponsive: ("events.jsonl: control-unresponsive", "settings")
            case .settingsLate: ("events.jsonl: settings-late", "settings")
            case .brightnessMismatch: ("events.jsonl: brightness-mismatch", "settings")
            case .unprovenSettings:
                ("ledger.csv: exposure_known_by, gain_known_by", "settings")
            case .metadataMissing:
                (
                    "ledger.csv: exposure_known_by, gain_known_by; events.jsonl: metadata-mismatch",
                    "settings"
                )
            case .periodMismatch: ("events.jsonl: period-mismatch", "settings")
            case .temperature, .unreadTemperature: ("events.jsonl: temperature", "temperature")
            case .unmatchedTriggers:
                (
                    "ledger.csv: holes with a trigger_id; events.jsonl: edge-classified, frame-classified",
                    "triggers"
                )
            case .triggerWithoutFrames, .triggerIgnored, .triggerWithoutMatches:
                ("events.jsonl: edge-classified, frame-classified", "triggers")
            case .uncountedEdges: ("events.jsonl: edges-uncounted", "triggers")
            case .failedOutputs: ("events.jsonl: output-failed", "outputs")
            case .unsensedOutputs: ("events.jsonl: output-unsensed", "outputs")
            case .latePulses: ("events.jsonl: output-set, late_ns", "outputs")
            case .clockUncertainty, .untimedFrames: ("ledger.csv: session_half_width_ns", "clocks")
            case .timestampClock: ("events.jsonl: timestamp-clock", "clocks")
            case .cameraClockSteps: ("events.jsonl: camera-clock-stepped", "clocks")
            case .missedStills: ("events.jsonl: still-missed", "storage")
            }
        }
    }
}
