internal import Cameras
internal import Notation

/// The events of what frames themselves show: how they are written and read.
enum EvidenceEvents {
    static func members(_ event: RunEvent) -> [(String, JSONValue)] {
        guard
            case .settingContradicted(
                let settings, let sequence, let group, let believed, let found, let evidence) =
                event
        else { return [] }
        return [
            ("settings", .integer(Int64(settings))), ("sequence", .integer(Int64(sequence))),
            ("setting", .string(group.name)), ("believed", .integer(believed)),
            ("found", .integer(found)), ("known_by", .string(evidence.rawValue)),
        ]
    }

    static func event(_ members: EventMembers) -> RunEvent? {
        guard let settings: Int32 = members.number("settings"),
            let sequence: UInt32 = members.number("sequence"),
            let name = members.text("setting"),
            let group = ControlGroup.all.first(where: { $0.name == name }),
            let believed: Int64 = members.number("believed"),
            let found: Int64 = members.number("found"),
            let evidence = members.text("known_by").flatMap({ SettingEvidence(rawValue: $0) })
        else { return nil }
        return .settingContradicted(
            settings: settings, sequence: sequence, group: group, believed: believed,
            found: found, by: evidence)
    }
}
