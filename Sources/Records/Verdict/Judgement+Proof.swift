internal import Devices
internal import Notation
internal import Recipes

// How settings of frames are known.
extension Judgement {
    /// Controls that do nothing, and frames whose settings are known by less than the recipe asks for.
    static func proof(_ tally: RunTally, _ limits: Requirements) -> [Finding] {
        var findings: [Finding] = []
        for group in tally.unresponsive {
            findings.add(
                .controlUnresponsive,
                "frames are as bright whatever \(group.words) is set to: the control does nothing, or a flash or the"
                    + " camera itself makes up for it; what frames had of it is not known",
                isOver: limits.lockViolations != nil)
        }
        for group in ControlGroup.all where tally.late[group] > 0 {
            findings.add(
                .settingsLate,
                "brightness follows the \(group.words) \(tally.late[group].of("frame")) later than the camera's profile"
                    + " says: what frames had of it is not known; measure it with `framelock calibrate latency`",
                isOver: limits.lockViolations != nil)
        }
        for group in ControlGroup.all {
            let (doubted, all) = (tally.doubted[group], tally.knownBy[group].values.reduce(0, +))
            if doubted > 0 {
                findings.add(
                    .brightnessMismatch,
                    "the \(group.words) of \(doubted) of \(all.of("frame")) is not known: brightness does not bear out"
                        + " what was read back (a lost write, a camera that is late, a control without effect, or a"
                        + " scene that changed just then)",
                    isOver: limits.lockViolations != nil && tally.mostlyDoubted.has(group))
            }
            guard let least = limits.proof[group] else { continue }
            let isEnough = Set(SettingEvidence.allCases.prefix { $0 != least } + [least])
            let count = tally.knownBy[group].reduce(0) {
                $0 + (isEnough.contains($1.key) ? 0 : $1.value)
            }
            guard count > 0 else { continue }
            findings.add(
                .unprovenSettings,
                "the \(group.words) of \(count.of("frame")) is not known by \(least.rawValue), as the recipe requires:"
                    + (least == .metadata
                        ? " their metadata are missing, or are not known to be their own"
                        : " brightness shows settings that change early in the run, come again within 64 frames,"
                            + " and stay below saturation"),
                isOver: true)
        }
        return findings
    }
}

extension Judgement {
    /// The first line for people: the verdict, its exit code, and what of the settings is not proven.
    public func line(_ tally: RunTally) -> String {
        let unproven = tally.unprovenText
        return "verdict   \(verdict.rawValue) (exit code \(exitCode))"
            + (unproven.isEmpty ? "" : "; \(unproven)")
    }
}

extension RunTally {
    /// With fewer frames than this in doubt it may have been the scene, unless they are most frames of the run.
    private static let fewestDoubted: Int64 = 8

    /// Groups of which so many frames are in doubt that the run's settings are not known.
    var mostlyDoubted: ControlGroups {
        var groups: ControlGroups = []
        for group in ControlGroup.all {
            let (doubted, all) = (doubted[group], knownBy[group].values.reduce(0, +))
            let isMost =
                doubted >= Self.fewestDoubted ? doubted * 3 > all : doubted > 1 && doubted * 2 > all
            if isMost { groups.insert(ControlGroups(group)) }
        }
        return groups
    }

    /// Which settings are not known by metadata or pixels alone: `exposure 50 proven, 5 by read-back, of 55 frames; …`.
    ///
    /// Empty where all are, or the camera has none.
    fileprivate var unprovenText: String {
        let texts = ControlGroup.all.compactMap { group -> String? in
            let counts = knownBy[group]
            let all = counts.values.reduce(0, +)
            let proven = counts[.metadata, default: 0] + counts[.pixels, default: 0]
            let reported = counts[.readBack, default: 0]
            if all == 0 || proven == all { return nil }
            if reported == all { return "\(group.words) by read-back only" }
            if proven + reported == 0 { return "\(group.words) not known" }
            let parts = [
                proven > 0 ? "\(proven) proven" : nil,
                reported > 0 ? "\(reported) by read-back" : nil,
                all - proven - reported > 0 ? "\(all - proven - reported) unknown" : nil,
            ].compactMap { $0 }
            return "\(group.words) \(parts.joined(separator: ", ")), of \(all.of("frame"))"
        }
        return texts.joined(separator: "; ")
    }
}
