internal import Devices
internal import Notation
internal import Timebase

extension PlanCompiler {
    /// Chooses the mode of a raw sensor, so that its lines become time; of other cameras nothing changes.
    ///
    /// Called before any settings are quantised, and after the configuration was checked.
    ///
    /// - Returns: false, and reports why, if the sensor has no such mode or rate; what the settings would be is unknown
    ///   then.
    mutating func adaptProfile(to configuration: CaptureConfiguration) -> Bool {
        do throws(SettingProblem) {
            profile = try profile.adapted(to: configuration)
            return true
        } catch {
            // A format that is not offered has been reported already, and better.
            if problems.contains(where: { $0.severity == .error }) { return false }
            let format = recipe.camera.format
            let mode = profile.sensorMode(configuration.pixelFormat, configuration.size)
            let rate = mode?.line == nil ? nil : format.rate?.range
            let range =
                rate ?? format.size?.range ?? format.preset?.range ?? recipe.camera.use.range
            report(error.id, at: range, error.message, hint: error.hint)
            return false
        }
    }

    /// The frame timing of a raw sensor, once all settings are known, and its blanking as the first code of each.
    ///
    /// One frame length holds for the whole plan: that of the rate, or the shortest in which the longest exposure has
    /// room. Without a rate, and with an exposure that is not known before the run, it stays the sensor's own.
    mutating func fixTiming(_ configuration: CaptureConfiguration) {
        guard let control = profile.exposure?.control, profile.sensor != nil else { return }
        let codes = settings.map { $0.codes.first { $0.control == control }?.code }
        guard configuration.rate != nil || !codes.contains(nil) else { return }
        guard
            let timing = profile.sensorTiming(
                of: configuration, fitting: codes.compactMap { $0 }.max())
        else { return }
        let counted = profile.exposure?.codesPerCount
        profile = profile.fixed(to: timing)
        if profile.exposure?.codesPerCount != counted { countExposures() }
        for index in settings.indices {
            settings[index].codes.insert(
                settings[index].timing?.blanking ?? timing.blanking, at: 0)
        }
    }

    /// Quantises the exposures once more, in frames so long that the sensor counts several lines as one.
    ///
    /// The first pass did not know the frame length, which follows from the longest exposure. Problems are reported at
    /// the shortest one, for which long frames may have no room.
    private mutating func countExposures() {
        for index in settings.indices {
            let exposureAlone = FrameSettings(exposure: settings[index].requested.exposure)
            let (quantised, found) = profile.quantise(exposureAlone)
            for problem in found {
                let range = shortestExposure?.range ?? recipe.camera.use.range
                report(problem.id, at: range, problem.message, hint: problem.hint)
            }
            guard let code = quantised.codes.first,
                let place = settings[index].codes.firstIndex(where: { $0.control == code.control })
            else { continue }
            settings[index].codes[place] = code
            settings[index].quantised.exposure = quantised.settings.exposure
        }
    }

    /// What a context asks for, less what the camera can't do and the recipe wants only if it can.
    ///
    /// What is left out becomes a warning and a line of the plan's `skipped`, so that the record has it. Only a
    /// setting that is not supported is left out; one out of range stays an error.
    mutating func supported(_ context: LoweringContext) -> FrameSettings {
        var requested = context.requested(profile: profile)
        if let exposure = context.settings.exposure { checkExposure(exposure.range) }
        // Before it is metered there is none where it is kept with the frames.
        if recipe.metering?.whiteBalance ?? false, profile.whiteBalance?.isMetadata ?? false,
            requested.whiteBalance == .current
        {
            requested.whiteBalance = .free
        }
        guard !context.settings.ifSupported.isEmpty else { return requested }
        for problem in profile.quantise(requested).problems where problem.isUnsupported {
            guard let group = problem.group, context.settings.ifSupported.contains(group),
                let range = context.range(of: group)
            else { continue }
            let asked = context.text(of: group, in: requested)
            report(
                "setting-skipped", at: range,
                "\(problem.message), so \(group.words) \(asked) is skipped, as"
                    + " `if_supported` asks", severity: .warning)
            let skipped = SkippedSetting(group, asked: asked, reason: problem.id)
            if !self.skipped.contains(skipped) { self.skipped.append(skipped) }
            requested.leaveFree(group)
        }
        return requested
    }
}

extension LoweringContext {
    /// What is asked for one group, in the recipe's words: ISO where ISO was written.
    fileprivate func text(of group: ControlGroup, in requested: FrameSettings) -> String {
        if group == .gain, case .value(.iso(let iso))? = settings.gain?.value {
            return "ISO \(iso)"
        }
        return requested.words(of: group)
    }
}
