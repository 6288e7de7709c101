internal import Cameras
internal import Timebase

// Events by what they are about.
extension EventParser {
    func settingsEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        guard let settings: Int32 = members.number("settings") else { return nil }
        if name == .settingsWritten {
            guard let begun: Int64 = members.number("begun_ns"),
                let errno: Int32 = members.number("errno")
            else { return nil }
            return .settingsWritten(
                settings: settings, begun: Instant(nanoseconds: begun), errno: errno)
        }
        guard let control = members.text("control").flatMap({ CameraControl(name: $0) })
        else { return nil }
        if name == .readBackFailed { return .readBackFailed(settings: settings, control: control) }
        guard let asked: Int64 = members.number("asked"), let found: Int64 = members.number("found")
        else { return nil }
        return name == .readBack
            ? .readBack(settings: settings, control: control, asked: asked, found: found)
            : .lensApproach(settings: settings, control: control, asked: asked, found: found)
    }

    func controlChange(_ members: EventMembers) -> RunEvent? {
        guard let control = members.text("control").flatMap({ CameraControl(name: $0) }),
            let found: Int64 = members.number("found"),
            let time: Int64 = members.number("raw_timestamp_ns")
        else { return nil }
        let change = ControlChange(control, found, at: Instant(nanoseconds: time))
        return .controlChanged(change, sequence: members.number("sequence"))
    }

    func frameEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        switch name {
        case .framesMissing:
            guard let count = members.frameCount,
                let before: UInt32 = members.number("before_sequence"),
                let reason = members.text("reason").flatMap({ HoleReason(rawValue: $0) })
            else { return nil }
            return .framesMissing(count: count, before: before, reason: reason)
        case .sequenceJumped:
            guard let from: UInt32 = members.number("from_sequence"),
                let to: UInt32 = members.number("to_sequence")
            else { return nil }
            return .sequenceJumped(from: from, to: to)
        case .frameDamaged:
            return members.number("sequence").map { .frameDamaged(sequence: $0) }
        case .framesSkipped:
            guard let count = members.frameCount,
                let from: UInt32 = members.number("from_sequence"),
                let why = members.text("why").flatMap({ SkipReason(rawValue: $0) })
            else { return nil }
            return .framesSkipped(count: count, from: from, why: why)
        default: return nil
        }
    }

    func groupEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        guard let step = members.step, let slot: Int64 = members.number("slot") else { return nil }
        if name == .groupRepeated {
            return members.number("attempt").map {
                .groupRepeated(step: step, slot: slot, attempt: $0)
            }
        }
        guard let frames: Int64 = members.number("frames"),
            let slots: Int64 = members.number("slots")
        else { return nil }
        return .groupPartial(step: step, slot: slot, frames: frames, slots: slots)
    }

    func otherEvent(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        switch name {
        case .periodOverrun:
            guard let step = members.step, let round: Int64 = members.number("round"),
                let late = members.interval("late_ns")
            else { return nil }
            return .periodOverrun(step: step, round: round, late: late)
        case .temperature:
            return .temperature(
                members.number("millidegrees_c").map { Temperature(millidegrees: $0) })
        case .streamFailed: return members.number("errno").map { .streamFailed(errno: $0) }
        case .storageFailed, .stillMissed:
            guard let slot: Int64 = members.number("slot"),
                let errno: Int32 = members.number("errno")
            else { return nil }
            return name == .stillMissed
                ? .stillMissed(slot: slot, errno: errno)
                : .storageFailed(slot: slot, errno: errno)
        default: return nil
        }
    }
}
