public import Devices
public import Timebase

/// How an amount of exposure is split: a longer exposure first, then more analogue gain.
///
/// Digital gain is never used. Whole periods of the mains keep lamps that flicker out of the level.
public struct ExposureProgramme: Hashable, Sendable {
    /// The mains that lamps may flicker with, at twice its frequency.
    public enum Mains: Int64, Hashable, Sendable, CaseIterable {
        /// 50 Hz: periods of 10 ms.
        case hertz50 = 50
        /// 60 Hz: periods of 8.333 ms.
        case hertz60 = 60
    }

    /// The longest exposure, for example what the frame rate leaves; nil for the camera's longest, and never below its
    /// shortest.
    public var longestExposure: Interval?
    /// The largest gain; nil for the camera's largest, and never below its smallest.
    public var largestGain: Gain?
    /// Exposures of at least a period are whole periods; nil for any.
    public var mains: Mains?

    /// Creates a programme.
    public init(longestExposure: Interval? = nil, largestGain: Gain? = nil, mains: Mains? = nil) {
        self.longestExposure = longestExposure
        self.largestGain = largestGain
        self.mains = mains
    }

    /// A split that the camera can have.
    struct Split: Hashable {
        /// Exposure and gain as the camera has them; free what it can't set.
        var settings: FrameSettings
        /// Their product.
        var amount: ExposureAmount
        /// The end of the range that the wanted amount lies beyond.
        var limit: RoutineLimit?
    }

    /// Splits an amount for a camera.
    ///
    /// The exposure is the one that the smallest gain needs, as far as it may be; gain makes up for what that and its
    /// steps leave.
    ///
    /// - Parameters:
    ///   - wanted: beyond what the camera can have, the end of its range is given, and the limit is reported.
    ///   - exposure: nil for a camera that can't set it; its part counts as ``ExposureAmount/unsetDuration``.
    ///   - gain: nil for a camera that can't set it; counts as 1.
    func split(_ wanted: ExposureAmount, exposure: ExposureModel?, gain: GainModel?) -> Split {
        let gains = gain.map(gainRange)
        var settings = FrameSettings()
        var (duration, factor) = (ExposureAmount.unsetDuration, Gain.unity)
        if let exposure {
            duration = achieved(
                wanted / (gains?.lowerBound ?? .unity), exposure, hasGain: gain != nil)
            settings.exposure = .value(duration)
        }
        if let gain, let gains {
            let rest = wanted.gain(over: duration)
            factor = gain.nearest(to: min(max(rest, gains.lowerBound), gains.upperBound))
            settings.gain = .value(factor)
        }
        return Split(
            settings: settings, amount: ExposureAmount(duration: duration, gain: factor),
            limit: limit(wanted, exposure: exposure, gain: gain))
    }

    /// Which end of what the camera can have an amount lies beyond.
    private func limit(
        _ wanted: ExposureAmount, exposure: ExposureModel?, gain: GainModel?
    ) -> RoutineLimit? {
        let gains = gain.map(gainRange)
        let durations = exposure.map(exposureRange)
        let least = ExposureAmount(
            duration: durations?.lowerBound ?? ExposureAmount.unsetDuration,
            gain: gains?.lowerBound ?? .unity)
        let most = ExposureAmount(
            duration: durations.map { wholePeriods($0.upperBound) }
                ?? ExposureAmount.unsetDuration,
            gain: gains?.upperBound ?? .unity)
        if wanted < least { return .tooBright }
        return most < wanted ? .tooDark : nil
    }

    /// Whether settings are no longer and no larger than allowed.
    func allows(_ settings: FrameSettings, exposure: ExposureModel?, gain: GainModel?) -> Bool {
        if let exposure, let duration = settings.exposure.asked,
            duration > exposureRange(exposure).upperBound
        {
            return false
        }
        if let gain, let factor = settings.gain.asked, factor > gainRange(gain).upperBound {
            return false
        }
        return true
    }

    /// The gains that the programme allows of the camera's.
    private func gainRange(_ model: GainModel) -> ClosedRange<Gain> {
        let range = model.range
        let top = min(range.upperBound, largestGain ?? range.upperBound)
        return range.lowerBound...max(top, range.lowerBound)
    }

    /// The exposures that the programme allows of the camera's, before whole periods.
    private func exposureRange(_ model: ExposureModel) -> ClosedRange<Interval> {
        let range = model.range
        let top = min(range.upperBound, longestExposure ?? range.upperBound)
        return range.lowerBound...max(top, range.lowerBound)
    }

    /// An exposure rounded down to whole periods of flicker, if it has one at least.
    ///
    /// Lamps on the mains flicker at twice its frequency; below one period nothing helps, so the exposure stays.
    private func wholePeriods(_ exposure: Interval) -> Interval {
        guard let mains else { return exposure }
        let halves = 2 * mains.rawValue
        let count = Int128(exposure.nanoseconds) * Int128(halves) / 1_000_000_000
        if count < 1 { return exposure }
        return Interval(nanoseconds: Int64(count * 1_000_000_000 / Int128(halves)))
    }

    /// The camera's exposure for a wanted one: the nearest, or the one below where gain can make up for it.
    private func achieved(
        _ wanted: Interval, _ model: ExposureModel, hasGain: Bool
    ) -> Interval {
        let range = exposureRange(model)
        let inside = min(max(wholePeriods(wanted), range.lowerBound), range.upperBound)
        return model.nearest(to: inside, orBelow: hasGain || inside == range.upperBound)
    }
}
