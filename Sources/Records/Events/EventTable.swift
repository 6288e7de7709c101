internal import Devices
internal import Notation
internal import Timebase

/// Every kind of event in `events.jsonl`: its members, in order, for writing and for reading.
///
/// Order and names of members are what the log has on disk: an existing one is neither renamed nor moved.
struct EventTable: Sendable {
    /// Made once, since its closures allocate; reading it from any thread is safe.
    static let shared = EventTable()

    private var codecs: [EventName: EventCodec] = [:]

    /// Every name has its codec by the end of this, or the first use ends the program: without one an event would be
    /// lost.
    private init() {
        addStream()
        addLines()
        addOutputs()
        addSettings()
        addFrames()
        addTimestamps()
        addSlots()
        addClocks()
        for name in EventName.allCases {
            precondition(codecs[name] != nil, "\(name.rawValue) has no fields")
        }
    }

    /// The members of an event's object, in order.
    ///
    /// - Precondition: the codec under the event's name writes that event; both follow from ``EventName``.
    func members(_ event: RunEvent, _ names: RunNames) -> [(String, JSONValue)] {
        guard let members = codecs[EventName(event)]?.write(event, names) else {
            preconditionFailure("\(event) is not of the kind that it is named for")
        }
        return members
    }

    /// Names of an event's members, in order.
    func memberNames(_ name: EventName) -> [String] { codecs[name]?.members ?? [] }

    /// The event of an object; nil if it is none.
    func event(_ name: EventName, _ object: JSONValue, _ names: RunNames) -> RunEvent? {
        codecs[name]?.read(object, names)
    }
}

extension EventTable {
    /// The stream as a whole and the instrument's temperature; error numbers are positive, 0 for a stream that stood
    /// still.
    private mutating func addStream() {
        codecs[.streamStarted] = EventCodec(.streamStarted)
        codecs[.streamStopped] = EventCodec(.streamStopped)
        codecs[.interrupted] = EventCodec(.interrupted)
        codecs[.streamFailed] = EventCodec(
            .errno, make: RunEvent.streamFailed,
            values: { if case .streamFailed(let errno) = $0 { errno } else { nil } })
        codecs[.bufferRefused] = EventCodec(
            .errno, make: RunEvent.bufferRefused,
            values: { if case .bufferRefused(let errno) = $0 { errno } else { nil } })
        codecs[.temperature] = EventCodec(
            .temperature, make: RunEvent.temperature,
            values: { if case .temperature(let found) = $0 { .some(found) } else { nil } })
    }

    /// Edges and what became of them; `number` is the kernel's number of the edge on its line.
    private mutating func addLines() {
        codecs[.edge] = EventCodec(
            .line, .number("number"), .choice("edge", yes: "rising", no: "falling"),
            .instant("raw_timestamp_ns"),
            make: { line, number, isRising, timestamp in
                .edge(
                    LineEdge(
                        line: line, isRising: isRising, timestamp: timestamp, lineSequence: number))
            },
            values: {
                guard case .edge(let edge) = $0 else { return nil }
                return (edge.line, edge.lineSequence, edge.isRising, edge.timestamp)
            })
        codecs[.edgesLost] = EventCodec(
            .line, .edgeCount, .number("before_number"), make: RunEvent.edgesLost,
            values: { if case .edgesLost(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
        codecs[.edgeAccepted] = EventCodec(
            .line, .number("number"), .step, make: RunEvent.edgeAccepted,
            values: { if case .edgeAccepted(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
        codecs[.edgeClassified] = EventCodec(
            .line, .number("number"), .word("class"), .optionalNumber("sequence"),
            make: RunEvent.edgeClassified,
            values: {
                guard case .edgeClassified(let a, let b, let c, let d) = $0 else { return nil }
                return (a, b, c, d)
            })
        codecs[.frameClassified] = EventCodec(
            .line, .number("sequence"), .word("class"), make: RunEvent.frameClassified,
            values: {
                if case .frameClassified(let a, let b, let c) = $0 { (a, b, c) } else { nil }
            })
        codecs[.edgesUncounted] = EventCodec(
            .line, make: RunEvent.edgesUncounted,
            values: { if case .edgesUncounted(let line) = $0 { line } else { nil } })
        codecs[.triggerTimeout] = EventCodec(
            .line, .step, make: RunEvent.triggerTimeout,
            values: { if case .triggerTimeout(let a, let b) = $0 { (a, b) } else { nil } })
    }

    /// Switches of outputs; `late_ns` counts from the planned time, on the host's clock or on the sensing input's.
    private mutating func addOutputs() {
        codecs[.outputSet] = EventCodec(
            .line, .flag("active"), .interval("late_ns"), make: RunEvent.outputSet,
            values: { if case .outputSet(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
        codecs[.outputSensed] = EventCodec(
            .line, .flag("active"), .instant("raw_timestamp_ns"), .interval("late_ns"),
            make: RunEvent.outputSensed,
            values: {
                guard case .outputSensed(let a, let b, let c, let d) = $0 else { return nil }
                return (a, b, c, d)
            })
        codecs[.outputUnsensed] = EventCodec(
            .line, .flag("active"), make: RunEvent.outputUnsensed,
            values: { if case .outputUnsensed(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.outputFailed] = EventCodec(
            .line, make: RunEvent.outputFailed,
            values: { if case .outputFailed(let line) = $0 { line } else { nil } })
    }

    /// Writes and what controls were found to have; `asked` and `found` are the device's own codes.
    private mutating func addSettings() {
        codecs[.settingsWritten] = EventCodec(
            .settings, .optionalNumber("slot"), .instant("begun_ns"), .errno,
            make: RunEvent.settingsWritten,
            values: {
                guard case .settingsWritten(let a, let b, let c, let d) = $0 else { return nil }
                return (a, b, c, d)
            })
        codecs[.writeRepeated] = EventCodec(
            .settings, .errno, make: RunEvent.writeRepeated,
            values: { if case .writeRepeated(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.readBack] = EventCodec(
            .settings, .control, .number("asked"), .number("found"), make: RunEvent.readBack,
            values: {
                guard case .readBack(let a, let b, let c, let d) = $0 else { return nil }
                return (a, b, c, d)
            })
        codecs[.lensApproach] = EventCodec(
            .settings, .control, .number("asked"), .number("found"), make: RunEvent.lensApproach,
            values: {
                guard case .lensApproach(let a, let b, let c, let d) = $0 else { return nil }
                return (a, b, c, d)
            })
        codecs[.readBackFailed] = EventCodec(
            .settings, .control, make: RunEvent.readBackFailed,
            values: { if case .readBackFailed(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.controlChanged] = EventCodec(
            .control, .number("found"), .instant("raw_timestamp_ns"), .optionalNumber("sequence"),
            make: { control, found, time, sequence in
                .controlChanged(ControlChange(control, found, at: time), sequence: sequence)
            },
            values: {
                guard case .controlChanged(let change, let sequence) = $0 else { return nil }
                return (change.control, change.code, change.timestamp, sequence)
            })
        codecs[.settingContradicted] = EventCodec(
            .settings, .number("sequence"), .setting, .number("believed"),
            .optionalNumber("found"), .word("known_by"), make: RunEvent.settingContradicted,
            values: {
                guard case .settingContradicted(let a, let b, let c, let d, let e, let f) = $0
                else { return nil }
                return (a, b, c, d, e, f)
            })
        codecs[.settingDoubted] = EventCodec(
            .settings, .number("sequence"), .setting, .number("believed"), .word("known_by"),
            make: RunEvent.settingDoubted,
            values: {
                guard case .settingDoubted(let a, let b, let c, let d, let e) = $0 else {
                    return nil
                }
                return (a, b, c, d, e)
            })
        codecs[.settingShown] = EventCodec(
            .settings, .number("sequence"), .setting, .number("value"),
            make: RunEvent.settingShown,
            values: {
                if case .settingShown(let a, let b, let c, let d) = $0 { (a, b, c, d) } else { nil }
            })
        codecs[.controlUnresponsive] = EventCodec(
            .setting, make: RunEvent.controlUnresponsive,
            values: { if case .controlUnresponsive(let group) = $0 { group } else { nil } })
        codecs[.settingsLate] = EventCodec(
            .setting, .number("frames"), make: RunEvent.settingsLate,
            values: { if case .settingsLate(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.brightnessMismatch] = EventCodec(
            .setting, .number("frames"), make: RunEvent.brightnessMismatch,
            values: { if case .brightnessMismatch(let a, let b) = $0 { (a, b) } else { nil } })
    }

    /// Frames that are missing, skipped or doubtful; `sequence` is the driver's number, of 32 bits.
    private mutating func addFrames() {
        codecs[.framesMissing] = EventCodec(
            .frameCount, .number("before_sequence"), .word("reason"), make: RunEvent.framesMissing,
            values: { if case .framesMissing(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
        codecs[.sequenceJumped] = EventCodec(
            .number("from_sequence"), .number("to_sequence"), make: RunEvent.sequenceJumped,
            values: { if case .sequenceJumped(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.frameDamaged] = EventCodec(
            .number("sequence"), make: RunEvent.frameDamaged,
            values: { if case .frameDamaged(let sequence) = $0 { sequence } else { nil } })
        codecs[.framesSkipped] = EventCodec(
            .frameCount, .number("from_sequence"), .word("why"), make: RunEvent.framesSkipped,
            values: { if case .framesSkipped(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
        codecs[.sequenceTimestampMismatch] = EventCodec(
            .number("before_sequence"), .optionalNumber("by_sequence"),
            .optionalNumber("by_spacing_fewest"), .optionalNumber("by_spacing_most"),
            .optionalNumber("by_slot"), make: RunEvent.sequenceTimestampMismatch,
            values: {
                guard case .sequenceTimestampMismatch(let a, let b, let c, let d, let e) = $0
                else { return nil }
                return (a, b, c, d, e)
            })
        codecs[.gapUnverifiable] = EventCodec(
            .frameCount, .number("from_sequence"), make: RunEvent.gapUnverifiable,
            values: { if case .gapUnverifiable(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.metadataMismatch] = EventCodec(
            .frameCount, .number("from_sequence"), make: RunEvent.metadataMismatch,
            values: { if case .metadataMismatch(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.quirkSeen] = EventCodec(
            .word("quirk"), .number("sequence"), .flag("known"), make: RunEvent.quirkSeen,
            values: { if case .quirkSeen(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
    }

    /// What shows timestamps or periods to be other than stated.
    private mutating func addTimestamps() {
        codecs[.timestampInvalid] = EventCodec(
            .frameCount, .number("from_sequence"), .word("why"), make: RunEvent.timestampInvalid,
            values: {
                if case .timestampInvalid(let a, let b, let c) = $0 { (a, b, c) } else { nil }
            })
        codecs[.rateDiffers] = EventCodec(
            .interval("period_ns"), make: RunEvent.rateDiffers,
            values: { if case .rateDiffers(let found) = $0 { found } else { nil } })
        codecs[.periodMismatch] = EventCodec(
            .number("sequence"), .interval("expected_ns"), .interval("found_ns"),
            make: RunEvent.periodMismatch,
            values: {
                if case .periodMismatch(let a, let b, let c) = $0 { (a, b, c) } else { nil }
            })
        codecs[.earlierTimestampsLate] = EventCodec(
            .number("sequence"), .interval("late_at_least_ns"),
            make: RunEvent.earlierTimestampsLate,
            values: { if case .earlierTimestampsLate(let a, let b) = $0 { (a, b) } else { nil } })
    }

    /// Slots and steps of the plan that did not go as planned.
    private mutating func addSlots() {
        codecs[.groupRepeated] = EventCodec(
            .step, .number("slot"), .number("attempt"), make: RunEvent.groupRepeated,
            values: { if case .groupRepeated(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
        codecs[.groupPartial] = EventCodec(
            .step, .number("slot"), .number("frames"), .number("slots"),
            make: RunEvent.groupPartial,
            values: {
                guard case .groupPartial(let a, let b, let c, let d) = $0 else { return nil }
                return (a, b, c, d)
            })
        codecs[.slotRetaken] = EventCodec(
            .number("slot"), .number("sequence"), .word("reason"), make: RunEvent.slotRetaken,
            values: { if case .slotRetaken(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
        codecs[.roundLate] = EventCodec(
            .step, .number("round"), .interval("late_ns"), make: RunEvent.roundLate,
            values: { if case .roundLate(let a, let b, let c) = $0 { (a, b, c) } else { nil } })
        codecs[.storageFailed] = EventCodec(
            .number("slot"), .errno, make: RunEvent.storageFailed,
            values: { if case .storageFailed(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.stillMissed] = EventCodec(
            .number("slot"), .errno, make: RunEvent.stillMissed,
            values: { if case .stillMissed(let a, let b) = $0 { (a, b) } else { nil } })
        codecs[.recordRecovered] = EventCodec(
            .number("frames"), .number("bytes"), make: RunEvent.recordRecovered,
            values: { if case .recordRecovered(let a, let b) = $0 { (a, b) } else { nil } })
    }

    /// Readings of clocks.
    ///
    /// The member of a reading has the unit in its name, so these members depend on which clock it is.
    private mutating func addClocks() {
        codecs[.clockSample] = EventCodec(
            members: ["clock", "before_ns", ClockSource.realtime.readingMember, "after_ns"],
            write: { event, names in
                guard case .clockSample(let sample) = event else { return nil }
                return [
                    ("clock", .string(names.name(sample.clock))),
                    ("before_ns", .integer(sample.before.nanoseconds)),
                    (sample.clock.readingMember, .integer(sample.time.count)),
                    ("after_ns", .integer(sample.after.nanoseconds)),
                ]
            },
            read: { object, names in
                guard let clock = object["clock"]?.stringValue.flatMap({ names.clock($0) }),
                    let before = object["before_ns"]?.integerValue,
                    let reading = object[clock.readingMember]?.integerValue,
                    let after = object["after_ns"]?.integerValue
                else { return nil }
                return .clockSample(
                    ClockSample(
                        before: Instant(nanoseconds: before), ClockTime(clock, reading),
                        after: Instant(nanoseconds: after)))
            })
        codecs[.clockDiscipline] = EventCodec(
            .flag("synchronised"), .interval("offset_ns"), .interval("maximum_error_ns"),
            .interval("estimated_error_ns"), .number("frequency_ppb"), .number("tai_offset_s"),
            .number("status"),
            // Whether it is synchronised is one of the status's bits.
            make: { _, offset, maximum, estimated, frequency, tai, status in
                .clockDiscipline(
                    ClockDiscipline(
                        offset: offset, maximumError: maximum, estimatedError: estimated,
                        frequencyPartsPerBillion: frequency, taiOffsetSeconds: tai, status: status))
            },
            values: {
                guard case .clockDiscipline(let it) = $0 else { return nil }
                return (
                    it.isSynchronised, it.offset, it.maximumError, it.estimatedError,
                    it.frequencyPartsPerBillion, it.taiOffsetSeconds, it.status
                )
            })
        codecs[.timestampClock] = EventCodec(
            .constant("claimed", "\(Monotonic.clockName)"), .foundClock,
            make: { _, found in .timestampClock(found) },
            values: { if case .timestampClock(let found) = $0 { ((), found) } else { nil } })
        codecs[.cameraClockStepped] = EventCodec(
            .number("sequence"), make: RunEvent.cameraClockStepped,
            values: { if case .cameraClockStepped(let sequence) = $0 { sequence } else { nil } })
    }
}

extension ClockSource {
    /// What a reading is called in the log: with the unit that it has.
    fileprivate var readingMember: String { self == .camera ? "reading_ticks" : "reading_ns" }
}
