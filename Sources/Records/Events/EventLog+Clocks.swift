internal import Notation
internal import Timebase

extension EventLog {
    /// The members of an event that tells of clocks and stamps.
    func clockMembers(_ event: RunEvent) -> [(String, JSONValue)] {
        switch event {
        case .clockSample(let sample):
            [
                ("clock", .string(names.name(sample.clock))),
                ("before_ns", .integer(sample.before.nanoseconds)),
                (sample.clock.readingMember, .integer(sample.reading)),
                ("after_ns", .integer(sample.after.nanoseconds)),
            ]
        case .clockDiscipline(let discipline):
            [
                ("synchronised", .bool(discipline.isSynchronised)),
                ("offset_ns", discipline.offset.json),
                ("maximum_error_ns", discipline.maximumError.json),
                ("estimated_error_ns", discipline.estimatedError.json),
                ("frequency_ppb", .integer(discipline.frequencyPartsPerBillion)),
                ("tai_offset_s", .integer(Int64(discipline.taiOffsetSeconds))),
                ("status", .integer(Int64(discipline.status))),
            ]
        case .stampClock(let clock):
            [
                ("claimed", .string("\(Monotonic.clockName)")),
                ("found", clock.map { .string(names.name($0)) } ?? .null),
            ]
        case .cameraClockStepped(let sequence): [("sequence", .integer(Int64(sequence)))]
        default: []
        }
    }
}

extension EventParser {
    /// The event of an object that tells of clocks and stamps; nil if it is none.
    func clockEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        switch name {
        case .clockSample:
            guard let clock = members.text("clock").flatMap({ names.clock($0) }),
                let before = members.instant("before_ns"),
                let reading: Int64 = members.number(clock.readingMember),
                let after = members.instant("after_ns")
            else { return nil }
            return .clockSample(
                ClockSample(clock, before: before, reading: reading, after: after))
        case .clockDiscipline: return discipline(members).map { .clockDiscipline($0) }
        case .stampClock:
            guard let found = members.text("found") else { return .stampClock(nil) }
            return names.clock(found).map { .stampClock($0) }
        case .cameraClockStepped:
            return members.number("sequence").map { .cameraClockStepped(sequence: $0) }
        default: return nil
        }
    }

    private func discipline(_ members: EventMembers) -> ClockDiscipline? {
        guard let offset = members.interval("offset_ns"),
            let maximumError = members.interval("maximum_error_ns"),
            let estimatedError = members.interval("estimated_error_ns"),
            let frequency: Int64 = members.number("frequency_ppb"),
            let tai: Int32 = members.number("tai_offset_s"),
            let status: Int32 = members.number("status")
        else { return nil }
        return ClockDiscipline(
            offset: offset, maximumError: maximumError, estimatedError: estimatedError,
            frequencyPartsPerBillion: frequency, taiOffsetSeconds: tai, status: status)
    }
}

extension ClockSource {
    /// What a reading is called in the log: with the unit that it has.
    fileprivate var readingMember: String { self == .camera ? "reading_ticks" : "reading_ns" }
}
