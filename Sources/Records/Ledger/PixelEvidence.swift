internal import Devices
internal import Imaging
internal import Recipes
internal import Timebase
internal import Tracking

/// What the brightness of recorded frames shows of their settings, from the very figures that the ledger has of it.
///
/// Costs nothing on the capture path: pixels are measured anyway while they are recorded.
///
/// Frames of the same lights are compared with each other only. Part of ``HeldRows``, on the record thread.
struct PixelEvidence {
    /// A black level that nobody noted is not above this, in millionths of full scale, so that frames three times as
    /// bright are not misjudged for it.
    private static let darkestWithoutBlack: Int64 = 200_000

    /// By index of settings, as the device can have them.
    private let planned: [FrameSettings]
    /// The lights of each step; nil for steps whose frames differ in that.
    private let lights: [UInt32?]
    /// Black level in codes; 0 if the profile does not know it.
    private let black: Int64
    /// The code of full scale.
    private let white: Int64
    /// Frames darker than this, in millionths of full scale above black, show nothing; 0 where the black level is
    /// known.
    private let darkest: Int64
    /// Whether the camera has an exposure that can be set; one that has none is the same for all frames.
    private let hasExposure: Bool
    /// Lines do not take as long as they are believed to: brightness shows ratios of exposures, and no exposure.
    private var isExposureUnknown = false
    /// Somebody else changed what the sensor multiplies its pixels with, or how long its lines are: brightness shows
    /// neither exposure nor gain.
    private var isBlind = false
    private let hasGain: Bool
    /// By lights, as bits of lines.
    private var brightnessChecks: [UInt32: BrightnessCheck] = [:]
    /// The same for sensors that are linear, with a black level that is known; nil for others.
    private var linear: [UInt32: LinearBrightness]?

    /// - Parameters:
    ///   - plan: its settings, steps and the profile's levels.
    ///   - layout: of the frames that are recorded.
    init(_ plan: Plan, _ layout: FrameLayout) {
        planned = plan.settings.map(\.quantised)
        lights = Self.lights(plan)
        let format = layout.pixelFormat
        let levels = plan.camera.profile.levels(bits: format.bitsPerSample)
        black = levels?.black ?? 0
        white = levels?.white ?? Int64(format.maximum)
        darkest = levels == nil ? Self.darkestWithoutBlack : 0
        hasExposure = plan.camera.profile.exposure != nil
        hasGain = plan.camera.profile.gain != nil
        linear = plan.camera.profile.sensor != nil && levels != nil ? [:] : nil
    }

    /// By index of steps, the lights of a step's captures.
    ///
    /// A step that a sweep or a bracket captures with changing lights has none: its frames can't be compared.
    private static func lights(_ plan: Plan) -> [UInt32?] {
        var lights = [UInt32?](repeating: nil, count: plan.steps.count)
        var seen: Set<Int32> = []
        for case .capture(_, _, let own, let step) in plan.program {
            let isFirst = seen.insert(step).inserted
            lights[Int(step)] = isFirst || lights[Int(step)] == own ? own : nil
        }
        return lights
    }

    /// Takes note of what makes exposures unknown, whatever pixels show; for the rest of the run.
    mutating func note(_ event: RunEvent) {
        if case .periodMismatch = event { isExposureUnknown = true }
        if case .controlChanged(let change, _) = event,
            [.digitalGain, .horizontalBlanking].contains(change.control)
        {
            isBlind = true
        }
    }

    /// Takes the next frame: adds what its pixels show of settings that are not known otherwise.
    ///
    /// - Parameter report: gets each frame, this one or one before it, that turns out not to have had what the camera
    ///   reported; by its slot, as ``isOpen(_:)`` and ``giveUp(_:)`` are.
    mutating func judge(
        _ entry: inout LedgerEntry, report: (BrightnessCheck.Contradiction) -> Void
    ) {
        guard !isBlind, let lights = lights[Int(entry.row.step)], let frame = frame(entry)
        else { return }
        let finding = brightnessChecks[lights, default: BrightnessCheck()].take(frame)
        finding.shown.forEach { group in
            guard entry.row.applied[knownBy: group] == .none,
                group != .exposure || !isExposureUnknown
            else { return }
            if group == .exposure { entry.row.applied.exposure = frame.light.exposure }
            if group == .gain { entry.row.applied.gainMillionths = frame.light.gainMillionths }
            entry.row.applied[knownBy: group] = .statistics
        }
        finding.contradictions.forEach(report)
        linear?[lights, default: LinearBrightness()].take(frame, report: report)
    }

    /// Whether frames to come may still show that the frame of a row did not have its settings.
    func isOpen(_ row: LedgerRow) -> Bool {
        isSuspect(row) || checks(row).linear?.awaitsScene(Self.name(row)) ?? false
    }

    /// Whether the picture of a row looks as if it did not have its settings.
    func isSuspect(_ row: LedgerRow) -> Bool { suspect(row) != nil }

    /// Ends the wait for what frames to come may show of a row.
    ///
    /// - Returns: what is not known of its frame; nil if nothing speaks against it.
    mutating func giveUp(_ row: LedgerRow) -> BrightnessCheck.Contradiction? {
        guard let found = suspect(row), let lights = lights[Int(row.step)] else { return nil }
        brightnessChecks[lights]?.giveUp(Self.name(row))
        linear?[lights]?.giveUp(Self.name(row))
        return found
    }

    /// What speaks against a row; the linear check comes first, since it sees smaller changes.
    private func suspect(_ row: LedgerRow) -> BrightnessCheck.Contradiction? {
        let (checks, name) = (checks(row), Self.name(row))
        return checks.linear?.suspects.first { $0.frame.sequence == name }
            ?? checks.brightnessCheck?.suspects.first { $0.frame.sequence == name }
    }

    private func checks(_ row: LedgerRow) -> (
        brightnessCheck: BrightnessCheck?, linear: LinearBrightness?
    ) {
        guard let lights = lights[Int(row.step)] else { return (nil, nil) }
        return (brightnessChecks[lights], linear?[lights])
    }

    /// Slots are unique, which a driver's numbers are not.
    ///
    /// Slots are counted modulo 2^32 here: far fewer than that wait at a time.
    private static func name(_ row: LedgerRow) -> UInt32 {
        UInt32(truncatingIfNeeded: row.slot)
    }

    /// The frame as the brightnessCheck sees it; nil if its settings or its light are not known well enough.
    ///
    /// The level is what is above black, in millionths of full scale; settings that were only read back count as
    /// unproven, so that pixels may refute them.
    private func frame(_ entry: LedgerEntry) -> BrightnessCheck.Frame? {
        let (row, settings) = (entry.row, planned[Int(entry.row.settings)])
        // What could not be read back should be as planned, if pixels go along with that. What the camera lacks is the
        // same for all frames.
        let exposure =
            row.applied.exposure ?? settings.exposure.asked
            ?? (hasExposure ? nil : .milliseconds(1))
        let gain =
            row.applied.gainMillionths ?? settings.gain.asked?.millionths
            ?? (hasGain ? nil : 1_000_000)
        guard let mean = entry.lumaMeanThousandths,
            let saturated = entry.saturatedMillionths, let exposure, let gain, white > black
        else { return nil }
        let level = (mean - black * 1_000) * 1_000 / (white - black)
        guard level >= darkest else { return nil }
        var unproven: ControlGroups = []
        for group in [ControlGroup.exposure, .gain]
        where row.applied[knownBy: group] == .readBack {
            unproven.insert(ControlGroups(group))
        }
        return BrightnessCheck.Frame(
            sequence: Self.name(row), settings: row.settings,
            light: BrightnessAgreement.Frame(
                levelMillionths: level, saturatedMillionths: saturated, exposure: exposure,
                gainMillionths: gain),
            unproven: unproven,
            others: PerGroup { $0.changesBrightness ? row.applied[$0] : nil })
    }
}
