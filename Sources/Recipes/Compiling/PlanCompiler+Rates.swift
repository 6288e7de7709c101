internal import Devices
internal import Notation
internal import Timebase

/// What the compiler keeps for steps that have a frame rate of their own (`for: {rate: …}`, brackets of rates).
///
/// Only raw sensors have them: their rate is a blanking code, which can change from frame to frame.
struct StepRates {
    /// The profile before it was adapted to the run's rate; set before ``PlanCompiler/adaptProfile(to:)``.
    var profile: CameraProfile?
    /// The profile at each rate that a step asks for and the sensor has.
    var adapted: [FrameRate: CameraProfile] = [:]
    /// The rates that it does not have, each reported once.
    var refused: Set<FrameRate> = []
    /// Where a step first asked for one; nil where none does, and then ``PlanCompiler/fixStepRates()`` does nothing.
    var range: SourceRange?
}

extension PlanCompiler {
    /// Settings with a step's own rate, where it is another than the run's.
    ///
    /// The profile is adapted once for each such rate, whose frame length limits the exposure, and kept in
    /// ``StepRates/adapted``.
    ///
    /// - Returns: nil, and reports why, if this camera can't have the rate in this recipe.
    mutating func atStepRate(
        _ requested: FrameSettings, _ context: LoweringContext
    ) -> FrameSettings? {
        guard let rate = context.rate, let configuration else { return requested }
        if stepRates.range == nil { stepRates.range = rate.range }
        guard checkStepRate(rate, context) else { return nil }
        guard rate.value != configuration.rate else {
            var requested = requested
            requested.rate = nil
            return requested
        }
        if stepRates.adapted[rate.value] == nil, !stepRates.refused.contains(rate.value) {
            if let adapted = adapted(to: rate, of: configuration) {
                stepRates.adapted[rate.value] = adapted
            } else {
                stepRates.refused.insert(rate.value)
            }
        }
        return stepRates.refused.contains(rate.value) ? nil : requested
    }

    /// Settings as the camera can have them, and the frame timing of a step's own rate.
    ///
    /// The profile of a step's rate is looked up and not handed around: it is large, and sweeps come by here for every
    /// value.
    func quantise(
        _ requested: FrameSettings
    ) -> (settings: QuantisedSettings, problems: [SettingProblem], timing: SensorTiming?) {
        if let rate = requested.rate, let adapted = stepRates.adapted[rate] {
            let (settings, problems) = adapted.quantise(requested)
            return (settings, problems, adapted.timing)
        }
        let (settings, problems) = profile.quantise(requested)
        return (settings, problems, nil)
    }

    /// The profile at a rate; nil, and reported, where the sensor does not reach it.
    ///
    /// Rates so far apart that the sensor counts lines in different steps are refused too: one run has one unit of
    /// exposure.
    private mutating func adapted(
        to rate: Located<FrameRate>, of configuration: CaptureConfiguration
    ) -> CameraProfile? {
        guard let plain = stepRates.profile else { return nil }
        var configuration = configuration
        configuration.rate = rate.value
        do throws(SettingProblem) {
            let adapted = try plain.adapted(to: configuration)
            guard let step = adapted.timing?.linesPerCount,
                let run = profile.timing?.linesPerCount, step != run
            else { return adapted }
            report(
                "rate-counts-differ", at: rate.range,
                "at \(rate.value) the sensor counts frames and exposures in steps of \(step) lines, at the run's"
                    + " rate in steps of \(run); one run can't have both",
                hint: "use rates that are closer to each other, or a run for each")
        } catch {
            report(error.id, at: rate.range, error.message, hint: error.hint)
        }
        return nil
    }

    /// Whether steps of this recipe can have rates of their own.
    ///
    /// They need a raw sensor that runs by its own clock, a rate for the frames without one, and no light with
    /// exposures, whose times would depend on frames of changing length.
    private mutating func checkStepRate(
        _ rate: Located<FrameRate>, _ context: LoweringContext
    ) -> Bool {
        guard profile.sensor != nil else {
            report(
                "step-rate-unsupported", at: rate.range,
                "camera `\(profile.name)` keeps its own time: its rate is set before the stream starts and holds"
                    + " for the whole run",
                hint:
                    "give the rate once, in `camera: {format: {rate: \(rate.value)}}`, and make a run for each"
                    + " rate; only raw sensors (profiles with `sensor`) change theirs from frame to frame"
            )
            return false
        }
        if let trigger = recipe.camera.trigger {
            report(
                "step-rate-with-trigger", at: rate.range,
                "line `\(trigger.line.value)` exposes the camera, so frames have the rate of its edges",
                hint: "leave out `rate`, or the camera's `trigger`")
            return false
        }
        guard configuration?.rate != nil else {
            report(
                "step-rate-without-rate", at: rate.range,
                "a step's rate needs the rate of the frames that have none of their own",
                hint: "give it in `camera: {format: {rate: 30 fps}}`")
            return false
        }
        if context.lights != 0 {
            report(
                "step-rate-with-light", at: rate.range,
                "lights can't be switched with exposures while the rate changes from step to step",
                hint: "leave out `rate`, or pulse the light `for` a time")
            return false
        }
        return true
    }

    /// Looks once more at a plan with rates of steps, when all of its settings are known.
    ///
    /// Frame length and exposure are written together, so both count with the latency of the slower one. Where the two
    /// differ that figure is nobody's measurement, and is marked as assumed. Called after ``fixTiming(_:)``.
    mutating func fixStepRates() {
        guard let range = stepRates.range, settings.contains(where: { $0.timing != nil }),
            let sensor = profile.sensor
        else { return }
        if settings.contains(where: { $0.requested.exposure.asked == nil }) {
            report(
                "step-rate-without-exposure", at: range,
                "an exposure's range changes with the rate, so every step needs an exposure duration that is"
                    + " known before the run",
                hint: "lock one (`lock: {exposure: {duration: 8 ms}}`)")
        }
        let usesLights = program.contains { instruction in
            if case .capture(_, _, let lights, _) = instruction { lights != 0 } else { false }
        }
        if usesLights {
            report(
                "step-rate-with-light", at: range,
                "lights can't be switched with exposures while the rate changes from step to step",
                hint: "leave out `rate`, or pulse the light `for` a time")
        }
        // Both are written together, and shown when the slower one is.
        let frames = sensor.vertical.latencyFrames
        guard var exposure = profile.exposure else { return }
        if exposure.latencyFrames != frames
            || exposure.latencyOrigin != sensor.vertical.latencyOrigin
        {
            exposure.latencyOrigin = .assumed
        }
        exposure.latencyFrames = max(exposure.latencyFrames, frames)
        profile.exposure = exposure
        for index in settings.indices {
            settings[index].latencyFrames = max(settings[index].latencyFrames, frames)
        }
    }
}
