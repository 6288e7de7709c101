internal import Devices
internal import Notation
internal import Recipes
internal import Timebase

/// Holds what frames had by their rows against the plan, and against what the log has of another value.
///
/// A frame has what its settings ask for, unless the device was found to have something else: by a reading after a
/// write of the same value, by the frame itself (`setting-contradicted`), or because somebody else changed the control.
struct AppliedCheck {
    /// What a frame was found to have; nil where that is not known.
    private struct Finding {
        let sequence: UInt32
        let believed: Int64
        let found: Int64?
        let by: SettingEvidence
    }

    private let names: RunNames
    private let profile: CameraProfile
    private let isFinalised: Bool
    /// For each component, what the plan asks for anywhere.
    private let planned: [SettingComponent: Set<Int64>]
    /// What frames show, of those that an event names.
    private var named: [FrameSetting: [Finding]] = [:]
    /// Frames of which pixels show something else, and that no row was yet.
    private var unseen: Set<FrameSetting> = []
    /// What was believed of frames that were only doubted.
    private var doubts: [FrameSetting: Int64] = [:]
    /// Values that pixels show, by component.
    private var shown: [SettingComponent: Set<Int64>] = [:]
    /// What metadata show, in the order of frames: one event stands for frames in a row that differ alike.
    private var series = PerGroup<[Finding]>(repeating: [])
    /// For each component, what the device had after writes of a value.
    private var readings: [SettingComponent: [Int64: Set<Int64>]] = [:]
    /// For each component, what others put there, and the first frame that may show it; nil for any.
    private var others: [SettingComponent: [Int64: [UInt32?]]] = [:]
    /// For each component, what the first frame had whose settings leave it as it is.
    private var unasked: [SettingComponent: Int64] = [:]
    /// The last frame that had what it was to have, by its metadata.
    private var agreed = PerGroup<UInt32?>(repeating: nil)
    /// What the camera was late with over the whole run.
    private var late: ControlGroups = []
    /// Groups of which pixels refuted the camera's word.
    private var refuted: ControlGroups = []
    /// Whether the device began to count frames anew: a number does not show then which of two comes first.
    private var isRenumbered = false

    init(_ run: RecordedRun) {
        names = run.names
        profile = run.plan.camera.profile
        isFinalised = run.manifest.state == .finalised
        let quantised = run.names.quantised
        planned = Dictionary(
            uniqueKeysWithValues: SettingComponent.all.map { component in
                (component, Set(quantised.compactMap { $0.asked(component) }))
            })
    }

    // MARK: The log

    /// Takes the next event.
    mutating func note(_ event: RunEvent) {
        // Rows lose it when the run ends.
        if isFinalised {
            refuted.formUnion(event.refutedReadBacks(sendsMetadata: names.sendsMetadata))
        }
        switch event {
        case .settingContradicted(
            let settings, let sequence, let group, let believed, let found, let by):
            let finding = Finding(
                sequence: sequence, believed: believed, found: found, by: by)
            named[FrameSetting(group, settings, sequence), default: []]
                .append(finding)
            if by != .pixels { return series[group].append(finding) }
            unseen.insert(FrameSetting(group, settings, sequence))
            if let component = group.component, let found {
                shown[component, default: []].insert(found)
            }
        case .settingDoubted(let settings, let sequence, let group, let believed, .readBack):
            doubts[FrameSetting(group, settings, sequence)] = believed
        case .readBack(let settings, let control, let asked, let found) where asked != found:
            guard let component = profile.component(of: control),
                let value = names.quantised[Int(settings)].asked(component),
                let other = profile.value(of: component, code: found)
            else { return }
            readings[component, default: [:]][value, default: []].insert(other)
        case .controlChanged(let change, let sequence):
            guard let component = profile.component(of: change.control),
                let value = profile.value(of: component, code: change.code)
            else { return }
            others[component, default: [:]][value, default: []].append(sequence)
        case .settingsLate(let group, _): late.insert(ControlGroups(group))
        case .sequenceJumped, .quirkSeen(.sequenceIsStuck, _, _): isRenumbered = true
        default: break
        }
    }

    /// What is wrong with what pixels show by the log; to be asked once, after the last event.
    ///
    /// They show one of the values that the camera was ever to have, or that it said to have.
    var problems: [String] {
        SettingComponent.all.compactMap { component in
            let read = readings[component, default: [:]].values.reduce(into: Set<Int64>()) {
                $0.formUnion($1)
            }
            let others = Set(others[component, default: [:]].keys)
            let strange = shown[component, default: []].subtracting(planned[component] ?? [])
                .subtracting(read).subtracting(others)
            return strange.min().map {
                "pixels show \(component.quantity) \($0) by an event, which no settings have"
            }
        }
    }

    /// What the log has beyond the rows; nil for nothing.
    ///
    /// To be asked once, at the end of the ledger.
    var rest: String? {
        guard !isRenumbered, !unseen.isEmpty else { return nil }
        return
            "`setting-contradicted` by pixels names \(unseen.count.of("frame")) without a row"
    }

    // MARK: The ledger

    /// What is wrong with what a frame had by its row.
    mutating func problems(_ row: LedgerRow) -> [String] {
        for group in ControlGroup.all {
            if let frame = FrameSetting(group, of: row) { unseen.remove(frame) }
        }
        let planned = names.quantised[Int(row.settings)]
        defer { noteAgreement(row, planned) }
        var problems: [String] = []
        for component in SettingComponent.all {
            guard let applied = row.applied[component], let asked = planned.asked(component),
                applied != asked, !isExplained(component, applied, asked, row)
            else { continue }
            problems.append(
                "\(component.quantity) was \(applied), the plan has \(asked),"
                    + " and no event explains it")
        }
        problems += SettingComponent.all.compactMap { strange($0, row, planned) }
        for group in ControlGroup.all where group.component != nil && !agrees(row, group) {
            problems.append("\(group.words) is not what an event has of this frame")
        }
        for component in SettingComponent.all where !names.sendsMetadata {
            guard let asked = planned.asked(component),
                let believed = believed(row, component).first(where: {
                    $0 != asked && !(readings[component]?[asked]?.contains($0) ?? false)
                        && !isOthers(component, $0, row)
                })
            else { continue }
            problems.append(
                "\(component.quantity) was believed to be \(believed) by an event, which nothing reported"
            )
        }
        for group in ControlGroup.all
        where late.has(group) && [.pixels, .readBack].contains(row.applied[knownBy: group]) {
            problems.append(
                "\(group.words) is given, though the camera was late with it by an event")
        }
        for group in ControlGroup.all
        where refuted.has(group) && row.applied[knownBy: group] == .readBack {
            problems.append(
                "\(group.words) is given by read-back, though pixels refute that by an event")
        }
        return problems
    }

    /// What is wrong with a value that nobody asked for: the camera keeps it, unless the log has another one.
    private mutating func strange(
        _ component: SettingComponent, _ row: LedgerRow, _ planned: FrameSettings
    ) -> String? {
        guard planned.asked(component) == nil, let applied = row.applied[component],
            row.applied[knownBy: component.group] == .readBack
        else { return nil }
        let usual = unasked[component, default: applied]
        unasked[component] = usual
        guard applied != usual, !isOthers(component, applied, row),
            !(self.planned[component]?.contains(applied) ?? false),
            !readings[component, default: [:]].values.contains(where: { $0.contains(applied) })
        else { return nil }
        return "\(component.quantity) was \(applied), frames before had \(usual),"
            + " and no event explains it"
    }

    /// Whether the log has why a frame had another value than its settings ask for.
    private func isExplained(
        _ component: SettingComponent, _ applied: Int64, _ asked: Int64, _ row: LedgerRow
    ) -> Bool {
        let group = component.group
        let known = row.applied[knownBy: group]
        if readings[component]?[asked]?.contains(applied) ?? false { return true }
        if isOthers(component, applied, row) { return true }
        guard group.component == component, known != .readBack else { return false }
        if findings(row, group).contains(where: { $0.found == applied }) { return true }
        // Frames behind may show of a frame that was contradicted which of the plan's values it had.
        if known == .pixels, planned[component]?.contains(applied) ?? false,
            findings(row, group).contains(where: { $0.by == .pixels || $0.found == nil })
        {
            return true
        }
        // Pixels name every frame, metadata the first one of a series.
        return names.sendsMetadata
            && seriesFindings(row, group).contains {
                $0.found == applied
                    && ($0.believed == asked
                        || readings[component]?[asked]?.contains($0.believed) ?? false)
            }
    }

    /// Whether somebody else had put a value there, before this frame or while it was exposed.
    private func isOthers(
        _ component: SettingComponent, _ applied: Int64, _ row: LedgerRow
    ) -> Bool {
        (others[component]?[applied] ?? []).contains { first in
            guard let first, let number = row.deviceSequence, !isRenumbered else { return true }
            return Int32(bitPattern: number &- first) >= 0
        }
    }

    /// Whether a row has what an event proves of just this frame, or nothing.
    ///
    /// What pixels refute once is not believed again, but it may turn out which other value it was.
    private func agrees(_ row: LedgerRow, _ group: ControlGroup) -> Bool {
        guard let applied = row.applied[group], !isRenumbered else { return true }
        return findings(row, group).allSatisfy { finding in
            switch finding.by {
            case .metadata: finding.found == applied
            case .pixels: finding.believed != applied
            default: true
            }
        }
    }

    /// What was believed of a frame that pixels contradict or doubt.
    private func believed(_ row: LedgerRow, _ component: SettingComponent) -> [Int64] {
        let group = component.group
        guard group.component == component, let frame = FrameSetting(group, of: row), !isRenumbered
        else { return [] }
        return findings(row, group).map(\.believed) + [doubts[frame]].compactMap { $0 }
    }

    private func findings(_ row: LedgerRow, _ group: ControlGroup) -> [Finding] {
        FrameSetting(group, of: row).flatMap { named[$0] } ?? []
    }

    /// What metadata show of frames from the last event on that is not about a later frame.
    ///
    /// A frame in between that had what it was to have ends the series.
    private func seriesFindings(_ row: LedgerRow, _ group: ControlGroup) -> [Finding] {
        let series = series[group]
        guard let number = row.deviceSequence, let first = series.first, !isRenumbered else {
            return series
        }
        let next = series.partitioningIndex {
            $0.sequence &- first.sequence > number &- first.sequence
        }
        guard next > 0 else { return [] }
        let last = series[next - 1]
        let isOver = agreed[group].map { Int32(bitPattern: $0 &- last.sequence) > 0 } ?? false
        return isOver ? [] : [last]
    }

    /// Takes note of a frame that had by its metadata what it was to have.
    private mutating func noteAgreement(_ row: LedgerRow, _ planned: FrameSettings) {
        for group in ControlGroup.all where row.applied[knownBy: group] == .metadata {
            guard let component = group.component, let number = row.deviceSequence,
                row.applied[component] == planned.asked(component)
            else { continue }
            agreed[group] = number
        }
    }
}
