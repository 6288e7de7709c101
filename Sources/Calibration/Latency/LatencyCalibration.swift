public import Devices
internal import Imaging
internal import Timebase

/// Measures how many frames a camera's controls take to show, from its pixels.
///
/// The camera is configured, taken over from its automatics, and given back as it was. What a control's latency in the
/// profile is plays no part.
///
/// Frames are counted from the one that is being exposed at the write, as profiles count. Light has to be steady and
/// the scene still; blanking is seen in timestamps and needs neither.
public struct LatencyCalibration: Sendable {
    /// What is measured.
    public var subjects: [LatencyReport.Subject]
    /// Trials of each control at each of the five phases of the frame; an odd number counts as the next even one.
    public var trials: Int
    /// Receives what is done next, in a few words; called on the thread that measures.
    public var progress: @Sendable (String) -> Void = { _ in }

    /// Creates a calibration.
    ///
    /// - Parameters:
    ///   - subjects: what is measured; what the camera lacks is reported as skipped.
    ///   - trials: trials at each of the five phases, at least 2.
    public init(
        _ subjects: [LatencyReport.Subject] = LatencyReport.Subject.allCases, trials: Int = 50
    ) {
        precondition(trials >= 2, "both directions need a trial")
        self.subjects = subjects
        self.trials = trials
    }

    /// Measures a camera.
    ///
    /// Settings are measured in a fixed order, whatever the order of ``subjects``.
    ///
    /// - Parameters:
    ///   - world: the camera and its time.
    ///   - profile: its controls and what its timestamps mean.
    ///   - configuration: how it is to stream.
    ///   - generator: draws the order of the phases and the gaps between trials.
    /// - Throws: ``CalibrationError`` if nothing at all can be measured, `DeviceError` if the camera fails.
    public func measure(
        in world: any World, profile: CameraProfile, configuration: CaptureConfiguration,
        using generator: inout some RandomNumberGenerator
    ) throws -> LatencyReport {
        let camera = try CalibrationCamera(
            world: world, profile: profile, configuration: configuration)
        defer { camera.end() }
        guard let period = camera.promisedPeriod ?? configuration.rate?.period else {
            throw CalibrationError(
                "camera \(camera.id) promises no frame rate: choose one with --rate", .camera)
        }
        var session = Session(calibration: self, camera: camera, period: period)
        try session.measure(using: &generator)
        return session.report
    }
}

/// One calibration under way.
///
/// Light is found first, for all that is seen in pixels; then each setting, of which one that fails is skipped with its
/// reason; last, exposure and gain together.
private struct Session {
    /// How often exposure and gain are changed together; each change takes ``FlashTrials`` some 34 frames.
    private static let flashChanges = 10

    let calibration: LatencyCalibration
    let camera: CalibrationCamera
    let finder: StepFinder
    var report = LatencyReport()
    private var light = StepFinder.Light()
    /// The steps that were measured, kept for the check of exposure and gain together.
    private var steps: [LatencyReport.Subject: LatencyStep] = [:]

    init(calibration: LatencyCalibration, camera: CalibrationCamera, period: Interval) {
        self.calibration = calibration
        self.camera = camera
        finder = StepFinder(camera, period: period)
    }

    private var profile: CameraProfile { camera.profile }

    /// Measures every setting that was asked for, in the order of ``LatencyReport/Subject``.
    ///
    /// - Throws: ``CalibrationError`` without suitable light, `DeviceError` if the camera fails; a control that is
    ///   refused or busy only skips its setting.
    mutating func measure(using generator: inout some RandomNumberGenerator) throws {
        if calibration.subjects.contains(where: { $0 != .blanking }) {
            calibration.progress("looking for an exposure and a gain that suit the scene")
            light = try finder.findLight()
        }
        for subject in LatencyReport.Subject.allCases where calibration.subjects.contains(subject) {
            do {
                for step in try steps(of: subject) {
                    calibration.progress("stepping \(step.control.name)")
                    try measure(step, of: subject, using: &generator)
                }
            } catch let error as CalibrationError {
                report.skipped.append(.init(subject: subject, reason: error.message))
            } catch let error as DeviceError where error.kind == .refused || error.kind == .busy {
                report.skipped.append(.init(subject: subject, reason: error.message))
            }
        }
        try checkFlash()
    }

    /// Runs the trials of one control and keeps its figure.
    ///
    /// - Throws: ``CalibrationError`` where too many trials have no result.
    private mutating func measure(
        _ step: LatencyStep, of subject: LatencyReport.Subject,
        using generator: inout some RandomNumberGenerator
    ) throws {
        let trials = try camera.run(
            LatencyTrials(
                step, schedule: TrialSchedule(trials: calibration.trials, using: &generator),
                timestamps: profile.timestamps, period: camera.promisedPeriod,
                camera: camera.identity))
        report.measured.append(.init(subject: subject, figure: LatencyFigure(trials.tally)))
        steps[subject] = step
    }

    /// The steps of a setting's controls; finding one leaves the others where they are.
    private func steps(of subject: LatencyReport.Subject) throws -> [LatencyStep] {
        switch subject {
        case .exposure:
            guard let model = profile.exposure, let codes = light.exposure else {
                throw lacks(subject)
            }
            return [
                try finder.step(model.control, codes, .light, others: others(than: model.control))
            ]
        case .gain:
            guard let model = profile.gain, let codes = light.gain else { throw lacks(subject) }
            return [
                try finder.step(model.control, codes, .light, others: others(than: model.control))
            ]
        case .focus:
            guard let model = profile.focus else { throw lacks(subject) }
            let codes = try finder.focusCodes(model, others: finder.darkest)
            return [
                try finder.step(
                    model.control, codes, .sharpness, others: finder.darkest, rest: model.settle)
            ]
        case .whiteBalance: return try balanceSteps()
        case .blanking: return try blankingSteps()
        }
    }

    /// Exposure and gain at the darker ends of their steps, without the control that is stepped.
    private func others(than control: CameraControl) -> [ControlValue] {
        finder.darkest.filter { $0.control != control }
    }

    /// Steps of the white balance: each gain from unity to its double, or half where it has no double; then temperature
    /// from end to end.
    ///
    /// The others stand at unity meanwhile.
    ///
    /// - Throws: ``CalibrationError`` where white balance is kept with the frames, or the profile names no control for
    ///   it.
    private func balanceSteps() throws -> [LatencyStep] {
        guard let model = profile.whiteBalance, !model.isMetadata else {
            throw lacks(.whiteBalance)
        }
        var steps: [LatencyStep] = []
        var others = finder.darkest
        if let components = model.components {
            let codes = components.codes
            let neutral = codes.nearest(components.unity) ?? codes.minimum
            let double =
                codes.nearest(components.unity * 2) ?? codes.nearest(components.unity / 2)
                ?? codes.maximum
            for control in [components.red, components.blue] {
                others.append(ControlValue(control, neutral))
            }
            for control in [components.red, components.blue] {
                let rest = others.filter { $0.control != control }
                steps.append(
                    try finder.step(control, (neutral, double), .colour, others: rest))
            }
        }
        if let temperature = model.temperature {
            let codes = temperature.codes
            steps.append(
                try finder.step(
                    temperature.control, (codes.minimum, codes.maximum), .colour, others: others))
        }
        guard !steps.isEmpty else { throw lacks(.whiteBalance) }
        return steps
    }

    /// Steps of the frame's and the line's length by a quarter; seen in timestamps, so they need no light.
    ///
    /// A control that is read-only, or whose range ends before that, is left out.
    ///
    /// - Throws: ``CalibrationError`` for a camera that is no raw sensor or promises no rate, or if all are left out.
    private func blankingSteps() throws -> [LatencyStep] {
        guard let sensor = profile.sensor, let period = camera.promisedPeriod else {
            throw lacks(.blanking)
        }
        let size = camera.accepted.layout.size
        let parts = [
            (sensor.vertical.control, size.height), (sensor.horizontal?.control, size.width),
        ]
        let steps = try parts.compactMap { control, pixels -> LatencyStep? in
            guard let control, let found = try camera.describe(control), !found.isReadOnly,
                let code = found.code
            else { return nil }
            let more = code + (Int64(pixels) + code) / 4
            guard more <= found.maximum else { return nil }
            return LatencyStep(
                control: control, low: code, high: more, contrast: period.nanoseconds / 4,
                signal: .spacing)
        }
        guard !steps.isEmpty else {
            throw CalibrationError(
                "camera \(camera.id) can make neither frames nor lines a quarter longer in this format",
                .camera)
        }
        return steps
    }

    private func lacks(_ subject: LatencyReport.Subject) -> CalibrationError {
        CalibrationError(
            "camera \(camera.id) has no control for it that profile `\(profile.name)` names",
            .camera)
    }

    /// Changes exposure and gain together, each written ahead by what was found.
    ///
    /// Done only where both latencies are exact: then no frame may have one of the two without the other.
    private mutating func checkFlash() throws {
        guard let exposure = steps[.exposure], let gain = steps[.gain],
            let one = report.figures(of: .exposure).first, one.isExact,
            let other = report.figures(of: .gain).first, other.isExact
        else { return }
        calibration.progress("changing exposure and gain together")
        let trials = try camera.run(
            FlashTrials(
                exposure: exposure, gain: gain, distance: Int64(one.frames - other.frames),
                changes: Self.flashChanges, period: camera.promisedPeriod))
        guard trials.changeCount > 0 else { return }
        report.flash = .init(changeCount: trials.changeCount, flashCount: trials.flashCount)
    }
}
