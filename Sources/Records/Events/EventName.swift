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
    case periodOverrun = "period-overrun"
    case triggerTimeout = "trigger-timeout"
    case interrupted
    case streamFailed = "stream-failed"
    case storageFailed = "storage-failed"
    case stillMissed = "still-missed"
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
            case .periodOverrun: .periodOverrun
            case .triggerTimeout: .triggerTimeout
            case .interrupted: .interrupted
            case .streamFailed: .streamFailed
            case .storageFailed: .storageFailed
            case .stillMissed: .stillMissed
            case .temperature: .temperature
            case .clockSample: .clockSample
            case .clockDiscipline: .clockDiscipline
            case .timestampClock: .timestampClock
            case .cameraClockStepped: .cameraClockStepped
            }
    }
}
