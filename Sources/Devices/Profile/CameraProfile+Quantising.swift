public import Timebase

/// Settings as a camera can really have them.
public struct QuantisedSettings: Hashable, Sendable {
    /// The values that the codes amount to; `current` and `free` stay what they are.
    public var settings: FrameSettings
    /// The codes, in the order in which they are to be written.
    public var codes: [ControlValue]
    /// Frames from a write of all codes to the first frame that surely shows them.
    public var latencyFrames: Int
    /// How long the lens still moves after such a write.
    public var settle: Interval
    /// Where the lens goes first, and rests for as long, so that it comes to its place from the declared side; nil
    /// where it is written straight away.
    public var lensApproach: ControlValue?
}

extension CameraProfile {
    /// Turns settings into this camera's codes, and back into the values that it will really have.
    ///
    /// The same code serves planning without a device and the run itself.
    ///
    /// - Returns: the settings, and every problem found; where there is a problem its setting is left out.
    public func quantise(
        _ asked: FrameSettings
    ) -> (settings: QuantisedSettings, problems: [SettingProblem]) {
        var result = QuantisedSettings(settings: asked, codes: [], latencyFrames: 0, settle: .zero)
        // One a group is the most for nearly all cameras; growing to it would allocate twice more.
        result.codes.reserveCapacity(4)
        var problems: [SettingProblem] = []
        func attempt(_ work: () throws(SettingProblem) -> Void) {
            do { try work() } catch { problems.append(error) }
        }
        attempt { () throws(SettingProblem) in try quantiseExposure(asked, into: &result) }
        attempt { () throws(SettingProblem) in try quantiseGain(asked, into: &result) }
        attempt { () throws(SettingProblem) in try quantiseLens(asked, into: &result) }
        attempt { () throws(SettingProblem) in try quantiseWhiteBalance(asked, into: &result) }
        return (result, problems)
    }

    private func quantiseExposure(
        _ asked: FrameSettings, into result: inout QuantisedSettings
    ) throws(SettingProblem) {
        guard asked.exposure != .free else { return }
        guard let exposure else { throw missing(.exposure) }
        guard let duration = asked.exposure.asked else { return }
        let code = try exposure.code(for: duration, from: origin)
        result.settings.exposure = .value(exposure.duration(ofCode: code))
        result.add(ControlValue(exposure.control, code), latency: exposure.latencyFrames)
    }

    private func quantiseGain(
        _ asked: FrameSettings, into result: inout QuantisedSettings
    ) throws(SettingProblem) {
        guard asked.gain != .free else { return }
        guard let gain else { throw missing(.gain) }
        guard let wanted = asked.gain.asked else { return }
        let code = try gain.code(for: wanted, from: origin)
        if let achieved = gain.gain(ofCode: code) { result.settings.gain = .value(achieved) }
        result.add(ControlValue(gain.control, code), latency: gain.latencyFrames)
    }

    private func quantiseLens(
        _ asked: FrameSettings, into result: inout QuantisedSettings
    ) throws(SettingProblem) {
        guard asked.lens != .free else { return }
        guard let focus else { throw missing(.lens) }
        guard let position = asked.lens.asked else { return }
        let code = try focus.code(for: position, from: origin)
        if let achieved = focus.position(ofCode: code) { result.settings.lens = .value(achieved) }
        result.add(ControlValue(focus.control, code), latency: focus.latencyFrames)
        result.settle = focus.settle
        result.lensApproach = focus.startOfApproach(to: code).map {
            ControlValue(focus.control, $0)
        }
    }

    private func quantiseWhiteBalance(
        _ asked: FrameSettings, into result: inout QuantisedSettings
    ) throws(SettingProblem) {
        guard asked.whiteBalance != .free else { return }
        guard let whiteBalance else { throw missing(.whiteBalance) }
        guard let wanted = asked.whiteBalance.asked else {
            guard !whiteBalance.isMetadata else { throw withoutCurrentBalance }
            return
        }
        let (codes, achieved) = try whiteBalance.quantise(wanted, from: origin)
        result.settings.whiteBalance = .value(achieved)
        for code in codes { result.add(code, latency: whiteBalance.latencyFrames) }
    }

    private var withoutCurrentBalance: SettingProblem {
        SettingProblem(
            .whiteBalance, id: "white-balance-unsupported", isUnsupported: true,
            "\(origin) keeps white balance with the frames and not in the camera, so there is no"
                + " current one",
            hint: "give gains or a temperature, or leave white balance out")
    }

    private func missing(_ group: ControlGroup) -> SettingProblem {
        let place: LimitOrigin =
            if let live, live.lacks.contains(group) { .device(live.id) } else { origin }
        return SettingProblem(
            group, id: "setting-unsupported", isUnsupported: true,
            "\(place) has no \(group.words) that can be set",
            hint: isUnknown
                ? "no profile was found for this camera: name one with --profile, or the folder that has it with"
                    + " --profiles"
                : "leave \(group.words) out of the recipe, or use another camera")
    }
}

extension QuantisedSettings {
    fileprivate mutating func add(_ code: ControlValue, latency: Int) {
        codes.append(code)
        latencyFrames = max(latencyFrames, latency)
    }
}
