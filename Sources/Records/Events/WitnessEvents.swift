internal import Cameras
internal import Notation
internal import Timebase

/// The events of a stream's witnesses: how they are written and read.
enum WitnessEvents {
    static func members(_ event: RunEvent) -> [(String, JSONValue)] {
        switch event {
        case .witnessesDisagree(let before, let bySequence, let fewest, let most, let bySlot):
            [
                ("before_sequence", .integer(Int64(before))), ("by_sequence", count(bySequence)),
                ("by_spacing_fewest", count(fewest)), ("by_spacing_most", count(most)),
                ("by_slot", count(bySlot)),
            ]
        case .framesUnwitnessed(let count, let from), .metadataForeign(let count, let from):
            [("count", .integer(count)), ("from_sequence", .integer(Int64(from)))]
        case .stampsDoubted(let count, let from, let why):
            [
                ("count", .integer(count)), ("from_sequence", .integer(Int64(from))),
                ("why", .string(why.rawValue)),
            ]
        case .quirkSeen(let quirk, let sequence, let isKnown):
            [
                ("quirk", .string(quirk.rawValue)), ("sequence", .integer(Int64(sequence))),
                ("known", .bool(isKnown)),
            ]
        case .rateDiffers(let found): [("period_ns", .integer(found.nanoseconds))]
        case .periodMismatch(let sequence, let expected, let found):
            [
                ("sequence", .integer(Int64(sequence))),
                ("expected_ns", .integer(expected.nanoseconds)),
                ("found_ns", .integer(found.nanoseconds)),
            ]
        case .timesRefuted(let sequence, let least):
            [
                ("sequence", .integer(Int64(sequence))),
                ("late_at_least_ns", .integer(least.nanoseconds)),
            ]
        case .bufferRefused(let errno): [("errno", .integer(Int64(errno)))]
        default: []
        }
    }

    private static func count(_ number: Int64?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }

    static func event(_ name: EventName, _ members: EventMembers) -> RunEvent? {
        switch name {
        case .witnessesDisagree:
            guard let before: UInt32 = members.number("before_sequence") else { return nil }
            return .witnessesDisagree(
                before: before, bySequence: members.number("by_sequence"),
                fewest: members.number("by_spacing_fewest"),
                most: members.number("by_spacing_most"), bySlot: members.number("by_slot"))
        case .framesUnwitnessed:
            guard let count = members.frameCount,
                let from: UInt32 = members.number("from_sequence")
            else { return nil }
            return .framesUnwitnessed(count: count, from: from)
        case .stampsDoubted:
            guard let count = members.frameCount,
                let from: UInt32 = members.number("from_sequence"),
                let why = members.text("why").flatMap({ StampDoubt(rawValue: $0) })
            else { return nil }
            return .stampsDoubted(count: count, from: from, why: why)
        case .quirkSeen:
            guard let quirk = members.text("quirk").flatMap({ CameraQuirk(rawValue: $0) }),
                let sequence: UInt32 = members.number("sequence"),
                let isKnown = members.flag("known")
            else { return nil }
            return .quirkSeen(quirk, sequence: sequence, isKnown: isKnown)
        case .rateDiffers: return members.interval("period_ns").map { .rateDiffers(found: $0) }
        case .periodMismatch:
            guard let sequence: UInt32 = members.number("sequence"),
                let expected = members.interval("expected_ns"),
                let found = members.interval("found_ns")
            else { return nil }
            return .periodMismatch(sequence: sequence, expected: expected, found: found)
        case .timesRefuted:
            guard let sequence: UInt32 = members.number("sequence"),
                let least = members.interval("late_at_least_ns")
            else { return nil }
            return .timesRefuted(sequence: sequence, least: least)
        case .metadataForeign:
            guard let count = members.frameCount,
                let from: UInt32 = members.number("from_sequence")
            else { return nil }
            return .metadataForeign(count: count, from: from)
        case .bufferRefused: return members.number("errno").map { .bufferRefused(errno: $0) }
        default: return nil
        }
    }
}
