internal import Devices
internal import Imaging
internal import Recipes
internal import Timebase
internal import Tracking

/// What the brightness of recorded frames shows of their settings.
///
/// Costs nothing on the capture path: pixels are summed anyway while they are recorded. Part of ``HeldRows``, on the
/// record thread.
struct PixelEvidence {
    /// What a frame looks at: its lights, and the settings that change brightness by a factor that nobody knows.
    private struct Scene: Hashable {
        let lights: UInt32
        let others: PerGroup<Int64?>
    }

    /// The groups that change brightness by a factor that is known.
    static let groups: [ControlGroup] = [.exposure, .gain]
    /// Scenes that are remembered.
    private static let mostScenes = 256

    /// By index of settings, as the device can have them.
    private let planned: [FrameSettings]
    /// The lights of each slot, in the order of rows.
    private var places: SlotPlaces
    private let profile: CameraProfile
    /// The longest exposure of the plan: what a frame may have had of which nothing is known.
    let longestExposure: Interval
    /// Whether the plan changes exposure or gain at all: brightness shows nothing of what is always the same.
    private let hasChanges: Bool
    /// Lines do not take as long as they are believed to: brightness shows ratios of exposures, and no exposure.
    private var isExposureUnknown = false
    /// Somebody else changed exposure or gain, what the sensor multiplies its pixels with, or how long its lines are:
    /// brightness shows neither exposure nor gain from then on.
    private var isBlind = false
    private var scenes: [Scene: Int] = [:]
    private var hidden: HiddenWrites
    /// What was asked for last, by a row or by what was written before it; nil before the first write.
    private var current: PerGroup<Int64>?
    /// Groups that were written since the last frame that was judged, with another value or with the same.
    private var written: ControlGroups = []
    /// The driver's number of the last frame that was taken; nil before the first.
    private var lastSequence: UInt32?
    /// Groups that frames had metadata of.
    private var hasMetadata: ControlGroups = []
    /// Groups of which pixels show that frames did not have what was read back: the camera's word is no evidence then.
    private(set) var refuted: ControlGroups = []
    private var levels: FrameLevels
    private var filter: BrightnessFilter
    private var lag = LagCheck()

    /// - Parameters:
    ///   - plan: its settings, steps and the profile's levels.
    ///   - layout: of the frames that are recorded.
    init(_ plan: Plan, _ layout: FrameLayout) {
        profile = plan.camera.profile
        hidden = HiddenWrites(profile)
        planned = plan.settings.map(\.quantised)
        places = SlotPlaces(plan.program)
        hasChanges = Self.groups.contains {
            plan.camera.profile.models($0) && plan.changes($0)
        }
        longestExposure = planned.compactMap { $0.exposure.asked }.max() ?? .zero
        let format = layout.pixelFormat
        let known = profile.levels(bits: format.bitsPerSample)
        // A raw sensor's plan has its timing, and not the sensor.
        let isLinear = profile.timing != nil && known != nil
        levels = FrameLevels(
            black: known?.black ?? 0, white: known?.white ?? Int64(format.maximum),
            isLinear: isLinear)
        filter = BrightnessFilter(isLinear: isLinear)
    }

    /// Takes note of what makes exposures unknown, whatever pixels show; for the rest of the run.
    mutating func note(_ event: RunEvent) {
        if case .periodMismatch = event { isExposureUnknown = true }
        refuted.formUnion(event.refutedReadBacks(sendsMetadata: profile.embeddedData != nil))
        hidden.note(event)
        if case .controlChanged(let change, _) = event,
            [.digitalGain, .horizontalBlanking].contains(change.control)
                || [.exposure, .gain].contains(profile.group(of: change.control))
        {
            isBlind = true
        }
    }

    /// The camera's word does not stand where too many frames are in doubt, unless since a control does nothing.
    mutating func refute(_ tally: RunTally) {
        let mostly = tally.mostlyDoubted
        let isRefuted = Self.groups.contains {
            mostly.has($0) && !tally.unresponsive.contains($0)
        }
        // Brightness has the product of both: whichever of them the doubt is laid on, it may be the other one.
        if isRefuted { for group in Self.groups { refuted.insert(ControlGroups(group)) } }
    }

    /// Takes the next frame.
    ///
    /// - Parameters:
    ///   - row: the frame's.
    ///   - statistics: of its pixels.
    ///   - report: gets what is found of an earlier frame in the end, by its slot.
    /// - Returns: whether the frame can be judged at all.
    mutating func take(
        _ row: LedgerRow, _ statistics: FrameStatistics,
        report: (BrightnessFilter.Finding) -> Void
    ) -> Bool {
        guard hasChanges else { return false }
        passHidden(before: row)
        let distance = distance(to: row)
        guard !isBlind, let frame = frame(row, statistics, distance) else {
            lag.forget()
            // Its settings count all the same.
            if let exposure = claimed(.exposure, row)?.value,
                let gain = claimed(.gain, row)?.value, exposure > 0, gain > 0
            {
                filter.pass(Self.values(exposure, gain), frames: 1)
            }
            return false
        }
        lag.take(frame)
        filter.take(frame, report: report)
        written = []
        return true
    }

    /// Takes a row without a frame: its settings were written all the same, and nothing shows whether they came.
    mutating func skip(_ row: LedgerRow) {
        guard hasChanges else { return }
        lag.forget()
        passHidden(before: row, isHole: true)
    }

    /// Tells the filter of settings that were written before those of a row, and that no row has.
    private mutating func passHidden(before row: LedgerRow, isHole: Bool = false) {
        guard let exposure = asked(.exposure, row.settings), let gain = asked(.gain, row.settings)
        else { return }
        let own = Self.values(exposure, gain)
        var earlier = PerGroup<[Int32]>(repeating: [])
        for group in Self.groups {
            let found = hidden.take(group, before: row.slot, isHole: isHole) {
                [planned] in Self.asked(group, planned[Int($0)]) == own[group]
            }
            earlier[group] = found.hidden
            if found.isWritten { written.insert(ControlGroups(group)) }
        }
        if current == nil, Self.groups.contains(where: { !earlier[$0].isEmpty }) {
            var first = own
            for group in Self.groups {
                first[group] =
                    earlier[group].first.flatMap { asked(group, $0) } ?? own[group]
            }
            pass(first)
        }
        for group in Self.groups {
            for settings in earlier[group] {
                guard var next = current, let value = asked(group, settings), value != next[group]
                else { continue }
                next[group] = value
                pass(next)
            }
        }
        if !isHole { current = own }
    }

    private mutating func pass(_ values: PerGroup<Int64>) {
        current = values
        filter.pass(values)
    }

    /// What is found of all frames that are still open.
    mutating func finish(report: (BrightnessFilter.Finding) -> Void) {
        filter.finish(report: report)
    }

    /// What is known of the frame of a slot by now.
    func verdicts(of slot: Int64) -> PerGroup<PixelVerdict>? {
        filter.verdict(of: slot)?.verdicts
    }

    /// Controls that brightness does not follow, neither in time nor later.
    var unresponsive: ControlGroups {
        guard !isBlind else { return [] }
        let late = late
        var groups = filter.unresponsive
        for group in Self.groups where late[group] > 0 { groups.remove(ControlGroups(group)) }
        return groups
    }

    /// By group, how many frames later than the profile says brightness follows settings; 0 where that is not seen.
    ///
    /// Frames with metadata have what these say, however late it comes.
    var late: PerGroup<Int64> {
        let late = lag.late
        return PerGroup { isBlind || hasMetadata.has($0) ? 0 : late[$0] }
    }

    /// Writes into a row what its pixels show.
    ///
    /// - Returns: an event for each group that the row has otherwise than it was reported.
    func apply(_ verdicts: PerGroup<PixelVerdict>, to row: inout LedgerRow) -> [RunEvent] {
        var events: [RunEvent] = []
        for group in Self.groups {
            guard let claimed = claimed(group, row)?.value else { continue }
            switch verdicts[group] {
            case .unseen: break
            case .confirmed:
                guard group != .exposure || !isExposureUnknown else { break }
                if row.applied[group] == nil {
                    row.applied[group] = claimed
                    events.append(
                        .settingShown(
                            settings: row.settings, sequence: row.deviceSequence ?? 0,
                            group: group, value: claimed))
                    if group == .exposure { row.setExposure(Interval(nanoseconds: claimed)) }
                }
                row.applied[knownBy: group] = .pixels
            case .doubted:
                events += [row.doubt(group)].compactMap { $0 }
                row.refute(group, shown: nil, longestExposure: longestExposure)
            case .contradicted(let shown):
                // An unreported write that is not there contradicts nobody.
                let isReported = row.applied[group] != nil
                let isKnown =
                    isReported && shown != nil && (group != .exposure || !isExposureUnknown)
                row.refute(
                    group, shown: isKnown ? shown : nil, longestExposure: longestExposure)
                guard isReported else { break }
                events.append(
                    .settingContradicted(
                        settings: row.settings, sequence: row.deviceSequence ?? 0, group: group,
                        believed: claimed, found: shown, by: isKnown ? .pixels : .none))
            }
        }
        return events
    }

    /// Takes from a row what is no longer known at the end of the run.
    ///
    /// That is what rests on the camera's word alone, where pixels refuted it. And what a row has of controls that the
    /// camera follows later than its profile says: frames had what earlier ones were to have, by whatever was read
    /// back, and a picture that seemed to confirm it was of another.
    ///
    /// - Parameter late: how many frames the camera was late with each group over the whole run.
    func withdraw(late: PerGroup<Int64>, from row: inout LedgerRow) {
        for group in ControlGroup.all where row.applied[group] != nil {
            let evidence = row.applied[knownBy: group]
            guard
                late[group] > 0 && evidence != .metadata
                    || refuted.has(group) && evidence == .readBack
            else { continue }
            row.refute(group, shown: nil, longestExposure: longestExposure)
        }
    }

    /// The frame as the filter sees it; nil if its lights or settings are not known well enough.
    private mutating func frame(
        _ row: LedgerRow, _ statistics: FrameStatistics, _ distance: Int
    ) -> BrightnessFrame? {
        guard let lights = places.lights(of: row.slot), let exposure = claimed(.exposure, row),
            let gain = claimed(.gain, row), exposure.value > 0, gain.value > 0
        else { return nil }
        for group in Self.groups where row.applied[knownBy: group] == .metadata {
            hasMetadata.insert(ControlGroups(group))
        }
        let own = scene(lights, row)
        let level = levels.level(of: statistics, scene: own)
        let scene = level.isProvisional ? BrightnessFrame.provisional(own) : own
        return BrightnessFrame(
            name: row.slot,
            claimed: Self.values(exposure.value, gain.value),
            certainty: PerGroup { $0 == .exposure ? exposure.certainty : gain.certainty },
            scene: scene, level: level.value, variance: level.variance, bias: level.bias,
            isSaturated: level.isSaturated, atMost: level.atMost, distance: distance,
            written: written)
    }

    /// Frames of the camera since the last row's; 1 where the driver's numbers do not tell.
    private mutating func distance(to row: LedgerRow) -> Int {
        defer { lastSequence = row.deviceSequence }
        guard let last = lastSequence, let own = row.deviceSequence else { return 1 }
        let distance = own &- last
        return distance > 0 && distance < 1 << 31 ? Int(distance) : 1
    }

    private static func values(_ exposure: Int64, _ gain: Int64) -> PerGroup<Int64> {
        PerGroup { $0 == .exposure ? exposure : $0 == .gain ? gain : 0 }
    }

    private mutating func scene(_ lights: UInt32, _ row: LedgerRow) -> Int {
        let scene = Scene(
            lights: lights, others: PerGroup { $0.changesBrightness ? row.applied[$0] : nil })
        if let known = scenes[scene] { return known }
        if scenes.count == Self.mostScenes { scenes = [:] }
        scenes[scene] = Int(row.slot)
        return Int(row.slot)
    }

    /// What a frame should have of a group; nil if nobody knows.
    ///
    /// What could not be read back should be as planned; what the camera lacks can't be another one.
    private func claimed(
        _ group: ControlGroup, _ row: LedgerRow
    ) -> (value: Int64, certainty: BrightnessFrame.Certainty)? {
        if let value = row.applied[group] {
            return (value, row.applied[knownBy: group] == .metadata ? .proven : .reported)
        }
        return asked(group, row.settings).map { ($0, profile.models(group) ? .expected : .proven) }
    }

    /// What settings of the plan ask for; what the camera lacks is the same for all frames, nil where it is free.
    private func asked(_ group: ControlGroup, _ settings: Int32) -> Int64? {
        guard profile.models(group) else { return 1_000_000 }
        return Self.asked(group, planned[Int(settings)])
    }

    private static func asked(_ group: ControlGroup, _ settings: FrameSettings) -> Int64? {
        group == .exposure
            ? settings.exposure.asked?.nanoseconds : settings.gain.asked?.millionths
    }
}

extension RunEvent {
    /// The groups of which pixels show here that what was read back is no evidence.
    ///
    /// A frame that is contradicted refutes them all: it had not what the camera said. Which of exposure and gain it
    /// was is a likelihood, and a camera that lost one write may have lost those of lens and white balance too, which
    /// brightness does not show.
    ///
    /// - Parameter sendsMetadata: then a value that nothing replaces may be one that metadata contradict.
    func refutedReadBacks(sendsMetadata: Bool) -> ControlGroups {
        switch self {
        case .settingContradicted(_, _, _, _, _, let evidence)
        where evidence == .pixels || evidence == .none && !sendsMetadata:
            .all
        case .controlUnresponsive(let group): ControlGroups(group)
        default: []
        }
    }
}

extension LedgerRow {
    /// Puts start and middle where an exposure has them; the end stays, since timestamps mark it.
    fileprivate mutating func setExposure(_ exposure: Interval) {
        guard var time = exposureTime else { return }
        let start = time.start
        time.start = time.end - exposure
        time.mid = time.end - exposure / 2
        exposureTime = time
        let delay = trigger?.delay
        trigger?.delay = delay.map { $0 + (time.start - start) }
    }

    /// Puts right what pixels refute of exposure or gain, and the times that were made of it.
    ///
    /// - Parameters:
    ///   - shown: what the frame had instead, in nanoseconds or millionths; nil if it is not known.
    ///   - longestExposure: what it may have had then.
    fileprivate mutating func refute(
        _ group: ControlGroup, shown: Int64?, longestExposure: Interval
    ) {
        if group == .exposure, let believed = applied.exposure {
            correctTimes(
                from: believed,
                to: shown.map { Interval(nanoseconds: $0) } ?? max(believed, longestExposure),
                isKnown: shown != nil)
        }
        applied[group] = shown
        if shown != nil { applied[knownBy: group] = .pixels }
    }

    /// - Parameters:
    ///   - believed: the exposure that the times were made of.
    ///   - exposure: what the picture shows, or the longest that it may have had.
    ///   - isKnown: whether that is sure; if not, the bound has room for all up to it.
    private mutating func correctTimes(
        from believed: Interval, to exposure: Interval, isKnown: Bool
    ) {
        // Exposures that a trigger's pulse makes are not the control's.
        guard let time = exposureTime,
            abs((time.end - time.start - believed).nanoseconds) <= 1_000
        else { return }
        setExposure(exposure)
        guard !isKnown else { return }
        exposureTime?.halfWidth = time.halfWidth + exposure
        trigger?.delay = nil
    }
}
