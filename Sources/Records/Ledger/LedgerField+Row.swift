internal import Devices
internal import Timebase
internal import Tracking

// The parts of a row that stand in several columns, or depend on others.
extension LedgerField {
    /// Which slot, and how it ended.
    ///
    /// A reader refuses a status that does not follow from reason and last slot, and a step or settings that the plan
    /// does not have.
    static let slot = LedgerField(
        .slot, .step, .status, .reason, .settings, .lastSlot,
        write: { entry, names, fields in
            let row = entry.row
            fields[.slot] = "\(row.slot)"
            fields[.step] = names.steps[Int(row.step)]
            fields[.status] = row.status.rawValue
            fields.write(row.reason, .reason, .word)
            fields[.settings] = "\(row.settings)"
            fields.write(row.lastSlot, .lastSlot, .number)
        },
        read: { fields, names, entry throws(LedgerFault) in
            let status = try fields.required(.status) { SlotStatus(rawValue: $0) }
            entry.row.step = try fields.required(.step) { names.stepIndices[$0] }
            entry.row.settings = try fields.required(.settings) { text in
                Int32(text).flatMap { names.requested.indices.contains(Int($0)) ? $0 : nil }
            }
            entry.row.slot = try fields.required(.slot) { Int64($0) }
            entry.row.reason = try fields.read(.reason, .word)
            entry.row.lastSlot = try fields.read(.lastSlot, .number)
            guard status == entry.row.status, (status == .frame) == (entry.row.reason == nil) else {
                throw LedgerFault(
                    "a frame has no reason, a hole has one, `not-reached` has a last slot too")
            }
            if let last = entry.row.lastSlot, last < entry.row.slot {
                throw LedgerFault("the last slot that was not reached is before the first")
            }
        })

    /// What its step is called, the lines whose lights are on, joined by `+`, and its rounds with spaces between them.
    ///
    /// A label is the step's: as with what settings ask for, a row that repeats another one is found when it is written
    /// again.
    static let place = LedgerField(
        .label, .lights, .rounds,
        write: { entry, names, fields in
            fields[.label] = names.labels[entry.row.step] ?? ""
            fields[.lights] = names.lights(entry.place.lights)
            fields[.rounds] = entry.place.roundsText
        },
        read: { fields, names, entry throws(LedgerFault) in
            let lights = try fields.optional(.lights) { names.lights(named: $0) }
            let rounds = try fields.optional(.rounds) { text -> [Int64]? in
                let rounds = text.split(separator: " ").map { Int64($0) ?? -1 }
                return rounds.allSatisfy { $0 >= 0 } ? rounds : nil
            }
            entry.place = SlotPlace(lights: lights ?? 0, rounds: rounds ?? [])
        })

    /// Start, middle and end of the exposure on the session's clock, with their half-width.
    ///
    /// All four are there or none counts: a row with some of them reads as one without times, and is refused when it is
    /// written again.
    static let exposureTime = LedgerField(
        .sessionStart, .sessionMid, .sessionEnd, .sessionHalfWidth,
        write: { entry, _, fields in
            let time = entry.row.exposureTime
            fields.write(time?.start, .sessionStart, .instant())
            fields.write(time?.mid, .sessionMid, .instant())
            fields.write(time?.end, .sessionEnd, .instant())
            fields.write(time?.halfWidth, .sessionHalfWidth, .nanoseconds)
        },
        read: { fields, _, entry throws(LedgerFault) in
            let session: LedgerText<Instant<Session>> = .instant()
            guard let start = try fields.read(.sessionStart, session),
                let mid = try fields.read(.sessionMid, session),
                let end = try fields.read(.sessionEnd, session),
                let halfWidth = try fields.read(.sessionHalfWidth, .nanoseconds)
            else { return }
            guard start <= mid, mid <= end, halfWidth >= .zero else {
                throw LedgerFault("the exposure's start, middle and end are not in this order")
            }
            entry.row.exposureTime = ExposureTime(
                start: start, mid: mid, end: end, halfWidth: halfWidth)
        })

    /// The edge that made the frame: `LINE:NUMBER`; the line alone where no edge came.
    ///
    /// Where a line is named without a number, the slot waited for an edge that did not come. Names of lines may hold a
    /// colon: the number is behind the last one.
    static let trigger = LedgerField(
        .triggerID, .triggerClass, .triggerDelay,
        write: { entry, names, fields in
            guard let trigger = entry.row.trigger else { return }
            let line = names.lines[Int(trigger.line)]
            fields[.triggerID] = trigger.lineSequence.map { "\(line):\($0)" } ?? line
            fields.write(trigger.outcome, .triggerClass, .word)
            fields.write(trigger.delay, .triggerDelay, .nanoseconds)
        },
        read: { fields, names, entry throws(LedgerFault) in
            let delay: Interval? = try fields.read(.triggerDelay, .nanoseconds)
            guard let outcome: TriggerClass = try fields.read(.triggerClass, .word) else {
                // A line without a class: no edge came.
                let line = try fields.optional(.triggerID) { names.lineIndices[$0] }
                entry.row.trigger = line.map {
                    TriggerReference(line: $0, lineSequence: nil, delay: delay, outcome: nil)
                }
                return
            }
            entry.row.trigger = try fields.required(.triggerID) { text in
                guard let colon = text.lastIndex(of: ":"),
                    let line = names.lineIndices[String(text[..<colon])],
                    let number = UInt32(text[text.index(after: colon)...])
                else { return nil }
                return TriggerReference(
                    line: line, lineSequence: number, delay: delay, outcome: outcome)
            }
        })

    /// What shows that the frame of a hole is missing.
    ///
    /// Empty for frames, and for holes whose frame came or never was due.
    static let gapEvidence = LedgerField(
        .gapEvidence,
        write: { entry, _, fields in fields[.gapEvidence] = entry.row.gapEvidence.text },
        read: { fields, _, entry throws(LedgerFault) in
            let evidence = try fields.optional(.gapEvidence) { GapEvidence(text: $0) }
            entry.row.gapEvidence = evidence ?? []
        })

    /// By what the applied value of a group is known; comes after the value.
    ///
    /// Reading refuses a row where the two do not go together: `none` stands exactly where the value is empty.
    static func evidence(of group: ControlGroup) -> LedgerField {
        let column = group.knownBy
        return LedgerField(
            column,
            write: { entry, _, fields in
                fields[column] = entry.row.applied[knownBy: group].rawValue
            },
            read: { fields, _, entry throws(LedgerFault) in
                let known = try fields.required(column) { SettingEvidence(rawValue: $0) }
                guard (known == .none) == (entry.row.applied[knownBy: group] == .none) else {
                    throw LedgerFault(
                        "\(column.name) is `\(known.rawValue)`, and the applied value "
                            + (known == .none ? "is there" : "is missing"))
                }
                if known != .none { entry.row.applied[knownBy: group] = known }
            })
    }
}
