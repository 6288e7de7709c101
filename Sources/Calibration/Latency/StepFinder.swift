internal import Devices
internal import Imaging
internal import Timebase

/// Finds codes of each control that look different on the scene at hand, without saturation and not in the dark.
///
/// Aims at 0.42 of full scale at the brighter end, so that the darker end is at half of that: both far from black and
/// from white. Each reading waits for the longest latency that a profile can have, so nothing is assumed of what is to
/// be measured.
final class StepFinder {
    /// The level that is aimed at, in millionths of full scale.
    private static let aim: Int64 = 420_000
    /// Levels that will do, in millionths of full scale.
    private static let bright: ClosedRange<Int64> = 300_000...520_000
    /// With the highest gain, a level from here on will do, in millionths of full scale.
    private static let dimmest: Int64 = 100_000
    /// A step of light has to be at least so high, in millionths of full scale.
    private static let leastContrast: Int64 = 20_000
    /// A step has to be at least so many times as high as levels differ from frame to frame.
    private static let leastContrastOverNoise: UInt64 = 3
    /// More saturated pixels than these, in millionths of all, make the mean too low.
    private static let mostSaturated: Int64 = 20_000

    private let camera: CalibrationCamera
    private let profile: CameraProfile
    private let period: Interval
    /// What exposure and gain are set to between two measurements: the darker end of both of their steps.
    private(set) var darkest: [ControlValue] = []

    /// Creates a finder.
    ///
    /// - Parameter period: from frame to frame; no exposure that is tried is longer than nine tenths of it.
    init(_ camera: CalibrationCamera, period: Interval) {
        self.camera = camera
        self.period = period
        profile = camera.profile
    }

    // MARK: Light

    /// Codes of the exposure and of the gain between which light doubles or more; nil where the camera lacks the
    /// control, or has no double of it.
    struct Light {
        var exposure: (low: Int64, high: Int64)?
        var gain: (low: Int64, high: Int64)?
    }

    /// Finds an exposure and a gain that light the scene to about 0.42 of full scale at the brighter end of a step.
    ///
    /// The lowest gain with which an exposure reaches the level is taken, since higher ones are noisier. Sets
    /// ``darkest``.
    ///
    /// - Throws: ``CalibrationError`` if the scene is too bright or too dark for that.
    func findLight() throws -> Light {
        var light = Light()
        let codes = profile.gain.map { self.codes($0, from: $0.codes.minimum) } ?? [nil]
        for code in codes {
            let gain = profile.gain.flatMap { model in code.map { ControlValue(model.control, $0) }
            }
            let least = code == codes.last ? Self.dimmest : Self.bright.lowerBound
            guard let found = try findExposure(with: gain, least: least) else { continue }
            light.exposure = found.pair
            if let model = profile.gain, let code { light.gain = doubled(model, from: code) }
            darkest = [
                profile.exposure.flatMap { model in
                    found.pair.map { ControlValue(model.control, $0.low) }
                }, gain,
            ].compactMap { $0 }
            return light
        }
        throw CalibrationError(
            "there is too little light: with the longest exposure of a frame and the highest gain the picture stays"
                + " below \(Self.dimmest / 10_000) % of full scale; put a light on, open the lens, or choose a"
                + " lower rate")
    }

    /// Gains to try, each about twice the one before; their doubles are in range.
    ///
    /// - Returns: at least one; the first alone where no gain has a double.
    private func codes(_ model: GainModel, from first: Int64) -> [Int64?] {
        var codes: [Int64?] = []
        var code: Int64? = first
        while let current = code, let next = doubled(model, from: current) {
            codes.append(current)
            code = next.high
        }
        return codes.isEmpty ? [first] : codes
    }

    /// A code and the lowest one whose gain is at least its double, by bisection over the control's steps.
    ///
    /// - Returns: nil where the range ends before the double.
    private func doubled(_ model: GainModel, from code: Int64) -> (low: Int64, high: Int64)? {
        guard let gain = model.gain(ofCode: code)?.millionths, gain > 0 else { return nil }
        var (low, high) = (code, model.codes.maximum)
        guard let most = model.gain(ofCode: high)?.millionths, most >= 2 * gain else { return nil }
        while high - low > model.codes.step {
            let middle =
                model.codes.minimum
                + ((low + high) / 2 - model.codes.minimum) / model.codes.step * model.codes.step
            guard middle > low, let there = model.gain(ofCode: middle)?.millionths else { break }
            if there >= 2 * gain { high = middle } else { low = middle }
        }
        return (code, high)
    }

    /// Looks for the exposure with which a gain gives the aim, in at most twelve readings.
    ///
    /// Brightness is assumed to be proportional to the exposure; a saturated frame does not show it, so a quarter is
    /// tried next.
    ///
    /// - Parameters:
    ///   - gain: nil for a camera without gain.
    ///   - least: what will do at the longest exposure, in millionths of full scale.
    /// - Returns: nil if even the longest gives less; the pair is nil if the camera has no exposure control.
    /// - Throws: ``CalibrationError`` if even the shortest gives too much, or levels do not settle.
    private func findExposure(
        with gain: ControlValue?, least: Int64
    ) throws -> (pair: (low: Int64, high: Int64)?, Void)? {
        guard let model = profile.exposure else {
            let level = try read([gain].compactMap { $0 })
            if level.whole > Self.bright.upperBound { throw tooBright(level) }
            return level.whole * 2 >= least ? (nil, ()) : nil
        }
        // A frame holds no longer exposure than its period, less what the readout may need.
        let longest = largest(model, upTo: period * 9 / 10)
        var code = model.codes.nearest(max(model.codes.minimum, longest / 4)) ?? longest
        for _ in 0..<12 {
            let level = try read([gain, ControlValue(model.control, code)].compactMap { $0 })
            let isSaturated = level.saturatedMillionths > Self.mostSaturated
            if Self.bright.contains(level.whole), !isSaturated {
                return half(model, of: code).map { (($0, code), ()) }
            }
            let wanted =
                isSaturated || level.whole <= 0
                ? (isSaturated ? code / 4 : longest)
                : Int64(Int128(code) * Int128(Self.aim) / Int128(level.whole))
            let next =
                model.codes.nearest(min(max(wanted, model.codes.minimum), longest)) ?? longest
            if next == code {
                if code >= longest {
                    return level.whole < least
                        ? nil : half(model, of: code).map { (($0, code), ()) }
                }
                throw tooBright(level)
            }
            code = next
        }
        throw CalibrationError(
            "the light is unsteady, or the scene moves: no exposure gives a level of \(Self.aim / 10_000) % of full"
                + " scale; use light that does not flicker, and keep everything in the picture still"
        )
    }

    /// The largest code whose exposure is not longer than a time.
    private func largest(_ model: ExposureModel, upTo time: Interval) -> Int64 {
        var (low, high) = (model.codes.minimum, model.codes.maximum)
        while low < high {
            let middle = low + (high - low + 1) / 2
            if model.duration(ofCode: middle) <= time { low = middle } else { high = middle - 1 }
        }
        return model.codes.nearest(low) ?? low
    }

    /// The code of half the exposure or less; nil where the camera has none so short.
    private func half(_ model: ExposureModel, of code: Int64) -> Int64? {
        let low = largest(model, upTo: model.duration(ofCode: code) / 2)
        return model.duration(ofCode: low) * 2 <= model.duration(ofCode: code) ? low : nil
    }

    private func tooBright(_ level: SignalLevel) -> CalibrationError {
        CalibrationError(
            "there is too much light: with the shortest exposure and the lowest gain the picture is at"
                + " \(level.whole / 10_000) % of full scale; put a light out, close the lens, or use a filter"
        )
    }

    /// The median level of a few frames with these values.
    private func read(_ values: [ControlValue]) throws -> SignalLevel {
        try levels(.light, of: values)[0]
    }

    // MARK: Steps

    /// Levels of a few frames with these values, the median first, then all of them.
    ///
    /// - Throws: ``CalibrationError`` where a frame shows nothing of the signal, `DeviceError` where a value is
    ///   refused.
    private func levels(
        _ signal: LatencySignal, of values: [ControlValue], rest: Interval = .zero
    ) throws -> [SignalLevel] {
        let steady = try camera.run(
            SteadyReading(values, subjects: signal.subjects, rest: rest))
        if let refused = steady.refused {
            throw camera.refusal(of: refused.value, errno: refused.errno)
        }
        let levels = steady.readings.compactMap { signal.level(of: $0, spacing: nil) }
            .sorted { $0.whole < $1.whole }
        guard levels.count == steady.readings.count,
            let middle = levels.dropFirst(levels.count / 2).first
        else {
            let hasColour = steady.readings.contains { $0.balance != nil }
            throw CalibrationError(
                signal == .colour && hasColour
                    ? "the middle of the picture is too dark or too bright to show its colour; keep everything in the"
                        + " picture still, and the light steady"
                    : signal == .colour
                        ? "the picture shows no colour: choose a format with colour (--pixels), and put a grey or"
                            + " white surface in the middle of the picture"
                        : "the picture is black: put a light on, or open the lens")
        }
        return [middle] + levels
    }

    /// A step between two codes, if it shows.
    ///
    /// Leaves the control at the second code.
    ///
    /// - Parameters:
    ///   - others: what the other controls are set to.
    ///   - rest: how long a lens moves.
    /// - Throws: ``CalibrationError`` if the two look alike, or the scene changes as much by itself.
    func step(
        _ control: CameraControl, _ codes: (Int64, Int64), _ signal: LatencySignal,
        others: [ControlValue], rest: Interval = .zero
    ) throws -> LatencyStep {
        let one = try levels(signal, of: others + [ControlValue(control, codes.0)], rest: rest)
        let two = try levels(signal, of: [ControlValue(control, codes.1)], rest: rest)
        let contrast = two[0].whole - one[0].whole
        let noise = max(spread(one), spread(two))
        let least =
            signal == .light ? Self.leastContrast : max(1, max(one[0].whole, two[0].whole) / 20)
        guard contrast.magnitude >= max(UInt64(least), noise * Self.leastContrastOverNoise) else {
            // Once more as at first: what differs now is the scene's doing.
            let again = try levels(signal, of: [ControlValue(control, codes.0)], rest: rest)
            let unrest = max(noise, spread(again), (again[0].whole - one[0].whole).magnitude)
            if unrest * Self.leastContrastOverNoise > UInt64(least) {
                throw CalibrationError(
                    "the scene is not still enough to measure \(control.name): without a change of the control frames"
                        + " differ by \(unrest) \(signal.unit), and codes \(codes.0) and \(codes.1) by"
                        + " \(contrast.magnitude); keep everything in the picture still, and the light steady"
                )
            }
            throw CalibrationError(
                "\(control.name) has no effect that shows: codes \(codes.0) and \(codes.1) look alike"
                    + " (\(one[0].whole) and \(two[0].whole) \(signal.unit)); look whether the camera has this control"
                    + " in truth, and whether the scene \(signal.need)")
        }
        let isRising = contrast > 0
        return LatencyStep(
            control: control, low: isRising ? codes.0 : codes.1,
            high: isRising ? codes.1 : codes.0, contrast: abs(contrast), signal: signal,
            others: others)
    }

    /// How far the levels of one setting lie apart: noise, and flicker.
    private func spread(_ levels: [SignalLevel]) -> UInt64 {
        let all = levels.map(\.whole)
        return ((all.max() ?? 0) - (all.min() ?? 0)).magnitude
    }

    /// The lens codes of which one is sharp and the other is not.
    ///
    /// Five places over the way of the lens are read; the scene has to be sharp near one of them.
    func focusCodes(_ model: FocusModel, others: [ControlValue]) throws -> (Int64, Int64) {
        var sharpness: [(level: Int64, code: Int64)] = []
        for part in 0...4 {
            let code = model.nearCode + (model.farCode - model.nearCode) * Int64(part) / 4
            let values = others + [ControlValue(model.control, code)]
            sharpness.append(
                (try levels(.sharpness, of: values, rest: model.settle)[0].whole, code))
        }
        let least = sharpness.min { $0.level < $1.level } ?? (0, model.nearCode)
        let most = sharpness.max { $0.level < $1.level } ?? (0, model.farCode)
        return (least.code, most.code)
    }
}

extension LatencySignal {
    /// What levels are given in.
    var unit: String {
        switch self {
        case .light: "millionths of full scale"
        case .colour: "millionths of red in red and blue"
        case .sharpness: "millionths of sharpness"
        case .spacing: "ns from frame to frame"
        }
    }

    /// What the scene has to have for the signal to show anything.
    var need: String {
        switch self {
        case .light, .spacing: "is lit evenly and steadily"
        case .colour: "has a grey or white surface in its middle"
        case .sharpness: "has fine detail in its middle"
        }
    }
}
