internal import Devices
internal import Timebase

extension ManualCamera {
    /// Begins a request, or ends it at once if the camera can't do it: skipped if that was allowed, else refused.
    mutating func begin(_ next: WaitingRequest, _ now: Instant<Monotonic>) {
        do throws(SettingProblem) {
            try start(next.request, next.id, isOptional: next.isOptional, now)
        } catch {
            let isSkipped = next.isOptional && error.isUnsupported
            actions.append(.complete(next.id, isSkipped ? .skipped(error) : .refused(error)))
        }
    }

    /// Sorts a request to what carries it out.
    ///
    /// - Throws: `SettingProblem` before anything is written.
    private mutating func start(
        _ request: ManualRequest, _ id: RequestID, isOptional: Bool, _ now: Instant<Monotonic>
    ) throws(SettingProblem) {
        switch request {
        case .exposure(.locked):
            try set(id, [.exposure], kept([.exposure]), mode: .locked)
        case .exposure(.custom(let duration, let sensitivity)):
            let settings = FrameSettings(
                exposure: duration.setting, gain: try gain(sensitivity))
            try set(id, [.exposure], settings, mode: .custom)
        case .focus(.locked(let lens)):
            try set(id, [.focus], FrameSettings(lens: lens.setting), mode: .locked)
        case .whiteBalance(.locked(let balance)):
            let settings = FrameSettings(whiteBalance: balance.setting)
            try set(id, [.whiteBalance], settings, mode: .locked)
        case .exposure(.auto), .exposure(.continuous), .focus(.auto), .focus(.continuous),
            .whiteBalance(.auto), .whiteBalance(.continuous), .scan:
            try startRoutine(request, id, isOptional: isOptional, now)
        case .bias(let thousandths): try setBias(thousandths, id, now)
        case .metering(let region): meter(on: region, id, now)
        case .focusPoint(let region):
            metering.askedFocusRegion = region
            completeWithNextFrame(id, now)
        case .nextFrame: completeWithNextFrame(id, now)
        case .lock(let subjects, let duration):
            try set(id, subjects, kept(subjects), mode: .locked)
            note(subjects, lockedFor: duration, now)
        case .unlock(let subjects):
            for subject in subjects { try checkSupport(subject) }
            unlock(subjects, by: id)
            completeWithNextFrame(id, now)
        }
    }

    /// Meters exposure on another part of the frame; a continuous routine restarts there.
    private mutating func meter(
        on region: MeteringRegion, _ id: RequestID, _ now: Instant<Monotonic>
    ) {
        metering.askedExposureRegion = region
        if let mode = metering.exposure?.mode { metering.exposure = exposureRoutine(mode) }
        completeWithNextFrame(id, now)
    }

    /// The gain of a sensitivity; a camera without gain has none that could stay.
    private func gain(_ wanted: WantedSensitivity) throws(SettingProblem) -> Setting<Gain> {
        switch wanted {
        case .current: return profile.gain == nil ? .free : .current
        case .gain(let gain): return .value(gain)
        case .iso(let iso):
            guard (1...10_000_000).contains(iso) else {
                throw SettingProblem(
                    .gain, id: "iso-out-of-range",
                    "ISO \(iso) is outside ISO 1 to ISO 10000000, which is all that an ISO can be",
                    hint: "use an ISO that the camera's gain reaches")
            }
            return .value(profile.gain?.gain(forISO: iso) ?? .unity)
        }
    }

    /// Settings that leave subjects as they are.
    ///
    /// For exposure, duration and gain; `free` where the camera has no gain that could stay.
    func kept(_ subjects: Set<ManualSubject>) -> FrameSettings {
        var settings = FrameSettings()
        if subjects.contains(.exposure) {
            settings.exposure = .current
            settings.gain = profile.gain == nil ? .free : .current
        }
        if subjects.contains(.focus) { settings.lens = .current }
        if subjects.contains(.whiteBalance) {
            // What is kept with the frames is kept here; the camera has no current one.
            let isMetadata = profile.whiteBalance?.isMetadata ?? false
            settings.whiteBalance =
                (isMetadata ? state.balance : nil).map { .value($0) } ?? .current
        }
        return settings
    }

    /// Notes when a lock ends by itself; nil, 0 and less leave it until it is unlocked.
    mutating func note(
        _ subjects: Set<ManualSubject>, lockedFor duration: Interval?, _ now: Instant<Monotonic>
    ) {
        guard let duration, duration > .zero else { return }
        for subject in subjects { state[subject].lockedUntil = now + duration }
    }

    /// Ends with the next frame: nothing has to be written for it.
    mutating func completeWithNextFrame(_ id: RequestID, _ now: Instant<Monotonic>) {
        pending.append(
            PendingRequest(id: id, subjects: [], awaited: AwaitedWrite(after: now)))
    }

    /// Writes settings of some subjects; all in one exchange.
    ///
    /// Earlier requests for the same subjects are superseded, and routines that have them end.
    ///
    /// - Throws: `SettingProblem` before anything is changed.
    private mutating func set(
        _ id: RequestID, _ subjects: Set<ManualSubject>, _ settings: FrameSettings,
        mode: ManualMode
    ) throws(SettingProblem) {
        let quantised = try check(settings)
        overtake(subjects, by: id)
        pending.append(PendingRequest(id: id, subjects: subjects))
        for subject in subjects {
            state[subject].mode = mode
            state[subject].routine = mode == .locked ? .locked : nil
            state[subject].lockedUntil = nil
        }
        write(quantised, subjects, id)
    }

    /// Quantises settings and holds them against the profile and the rate of the active format.
    ///
    /// - Returns: the codes, and the settings that they stand for.
    /// - Throws: the first problem that the profile finds, or that the exposure does not fit into the period.
    func check(_ settings: FrameSettings) throws(SettingProblem) -> QuantisedSettings {
        let (quantised, problems) = profile.quantise(settings)
        if let problem = problems.first { throw problem }
        if let duration = quantised.settings.exposure.asked, let rate = options.rate,
            duration > rate.period
        {
            throw SettingProblem(
                .exposure, id: "exposure-beyond-rate",
                "exposure \(duration) is longer than the \(rate.period) from frame to frame at"
                    + " \(rate), the rate of camera \(options.cameraID)'s active format",
                hint: "use a shorter exposure or a lower rate")
        }
        return quantised
    }

    /// Whether the camera has any control for a subject.
    ///
    /// One that keeps white balance with its frames can still meter it.
    ///
    /// - Throws: `SettingProblem` that names what is missing.
    func checkSupport(_ subject: ManualSubject) throws(SettingProblem) {
        if subject == .whiteBalance, profile.whiteBalance?.isMetadata ?? false { return }
        _ = try check(kept([subject]))
    }

    /// Requests that this one replaces end together with it; routines end now.
    ///
    /// - Parameter id: the new request; nil for a lock that ended by itself, which supersedes nobody.
    mutating func overtake(_ subjects: Set<ManualSubject>, by id: RequestID?) {
        for index in pending.indices
        where pending[index].sync == nil && !pending[index].subjects.isEmpty
            && pending[index].subjects.isSubset(of: subjects)
        {
            pending[index].overtakenBy = id
        }
        if subjects.contains(.focus) { lensMoves = nil }
        if subjects.contains(.exposure) { metering.lockedExposure = nil }
        for ended in metering.stop(subjects) {
            guard let id else { continue }
            actions.append(.complete(ended, .superseded(by: id, nil)))
        }
        // What such a metering had begun with stays where it is.
        for subject in ManualSubject.allCases
        where state[subject].mode == .auto && metering.routine(subject) == nil {
            (state[subject].mode, state[subject].routine) = (.locked, .locked)
        }
    }
}
