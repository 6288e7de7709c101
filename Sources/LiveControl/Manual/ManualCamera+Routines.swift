internal import Devices
internal import Imaging
internal import Timebase

extension ManualCamera {
    /// Starts what a request wants metered.
    ///
    /// A continuous request ends with the next frame, since it is never done; one that runs once ends with its routine.
    ///
    /// - Throws: `SettingProblem` where the camera has no control for it, before anything is changed.
    mutating func startRoutine(
        _ request: ManualRequest, _ id: RequestID, isOptional: Bool, _ now: Instant<Monotonic>
    ) throws(SettingProblem) {
        switch request {
        case .exposure(.continuous), .focus(.continuous), .whiteBalance(.continuous):
            for subject in request.subjects { try checkSupport(subject) }
            overtake(request.subjects, by: id)
            if case .focus(.continuous(let search)) = request { focusSearch = search }
            for subject in request.subjects { activate(subject, .continuous) }
            completeWithNextFrame(id, now)
        case .exposure, .focus, .whiteBalance:
            for subject in request.subjects { try checkSupport(subject) }
            if case .focus(.auto(let search)) = request { focusSearch = search }
            startJob(id, Array(request.subjects), skipped: [:], center: nil, lockDuration: nil)
        case .scan(let scan): try startScan(scan, id, isOptional: isOptional, now)
        default: preconditionFailure("only routines are started here")
        }
    }

    /// Begins a scan: of what the camera can, or an error where it can't and that was not allowed.
    ///
    /// A point of interest holds for exposure and focus alike, as long as the scan lasts, and changes no metering mode.
    /// Where nothing has to be metered, the scan ends with the next frame.
    private mutating func startScan(
        _ scan: ScanRequest, _ id: RequestID, isOptional: Bool, _ now: Instant<Monotonic>
    ) throws(SettingProblem) {
        var skipped: [ManualSubject: MeteringResult] = [:]
        var wanted: [ManualSubject] = []
        // The light first, then its colour; the lens last, while nothing else moves.
        for subject in [ManualSubject.exposure, .whiteBalance, .focus]
        where scan.subjects.contains(subject) {
            do throws(SettingProblem) {
                try checkSupport(subject)
                let isInForce = scan.isOnlyIfNeeded && metering.found.contains(subject)
                if !isInForce { wanted.append(subject) }
            } catch {
                guard isOptional, error.isUnsupported else { throw error }
                skipped[subject] = .skipped(error)
            }
        }
        if wanted.isEmpty, skipped.isEmpty { return completeWithNextFrame(id, now) }
        startJob(
            id, wanted, skipped: skipped, center: scan.center, lockDuration: scan.lockDuration)
    }

    /// Begins a metering that ends when all of its routines have, one after the other in the order given.
    ///
    /// - Parameters:
    ///   - skipped: what was left out, for the result; a job of nothing else ends at once.
    ///   - center: the point of interest; nil for those of the regions.
    ///   - lockDuration: how long what was found is kept; nil until it is unlocked.
    private mutating func startJob(
        _ id: RequestID, _ subjects: [ManualSubject], skipped: [ManualSubject: MeteringResult],
        center: FramePoint?, lockDuration: Interval?
    ) {
        overtake(Set(subjects), by: id)
        guard let first = subjects.first else {
            return actions.append(.complete(id, .metered(skipped, nil, state)))
        }
        metering.jobs.append(
            MeteringCoordinator.Job(
                id: id, remaining: subjects, center: center, results: skipped,
                lockDuration: lockDuration))
        activate(first, .auto)
    }

    /// Lets a routine have a subject; takes it over where it is, so that there is something certain to start from.
    mutating func activate(_ subject: ManualSubject, _ mode: RoutineMode) {
        metering.dismiss(subject)
        state[subject].mode = mode == .auto ? .auto : .continuous
        state[subject].lockedUntil = nil
        switch subject {
        case .exposure: metering.exposure = exposureRoutine(mode)
        case .focus:
            var search = focusSearch
            if let side = profile.focus?.approach?.side {
                search.approach = side == .far ? .fromFar : .fromNear
            }
            metering.focus = FocusRoutine(profile: profile, mode: mode, search: search)
        case .whiteBalance:
            metering.balance = WhiteBalanceRoutine(
                profile: profile, mode: mode, method: balanceMethod)
        }
        state[subject].routine = .metering
        if !manual.contains(subject) { metering.decisions.append((subject, kept([subject]))) }
    }

    /// How white balance is found: as the options have it; else by the curve where the camera takes temperatures only.
    private var balanceMethod: WhiteBalanceRoutine.Method {
        if let method = options.balanceMethod { return method }
        guard let model = profile.whiteBalance, model.components == nil,
            model.temperature != nil, let curve = model.curve
        else { return .grayWorld }
        return .curve(curve)
    }

    /// A new routine for the present region and bias; exposures end at the frame's period.
    func exposureRoutine(_ mode: RoutineMode) -> ExposureRoutine {
        var programme = options.programme
        let period = options.rate?.period
        programme.longestExposure = [programme.longestExposure, period].compactMap { $0 }.min()
        return ExposureRoutine(
            profile: profile, mode: mode, region: metering.exposureRegion, programme: programme,
            biasThousandths: state.biasThousandths)
    }

    /// Lets continuous routines have subjects again, whatever mode they had before they were locked.
    ///
    /// - Parameter id: nil where a lock ended by itself.
    mutating func unlock(_ subjects: Set<ManualSubject>, by id: RequestID?) {
        overtake(subjects, by: id)
        for subject in ManualSubject.allCases where subjects.contains(subject) {
            activate(subject, .continuous)
        }
    }

    // MARK: Frames

    /// Hands a frame to the routines, and takes note of what it shows.
    ///
    /// Light first, colour next, the lens last; which of them may take this frame into account
    /// ``MeteringCoordinator/mayRun(_:)`` allows. Decisions are carried out afterwards, one exchange at a time.
    mutating func meter(_ frame: MeteredFrame, _ now: Instant<Monotonic>) {
        guard let reading = frame.reading else { return }
        note(reading)
        let measurement = MeterReading(
            sequence: Int64(frame.sequence), settings: certainSettings, reading: reading)
        for subject in [ManualSubject.exposure, .whiteBalance, .focus]
        where metering.mayRun(subject) {
            guard let decision = decide(subject, measurement) else { continue }
            state[subject].routine = metering.routine(subject)?.state
            switch decision {
            case .wait: break
            case .write(let settings): metering.decisions.append((subject, settings))
            case .finish(let outcome): end(subject, outcome, frame, now)
            }
        }
    }

    /// What the subject's routine decides by a frame; nil where none is at work.
    private mutating func decide(
        _ subject: ManualSubject, _ measurement: MeterReading
    ) -> MeteringDecision? {
        switch subject {
        case .exposure: return metering.exposure?.handle(measurement)
        case .whiteBalance:
            let decision = metering.balance?.handle(measurement)
            if let used = metering.balance?.framesUsed, !used.isEmpty { state.grayFrames = used }
            return decision
        case .focus:
            let decision = metering.focus?.handle(measurement)
            metering.isSweeping = metering.focus?.isAdjusting ?? false
            return decision
        }
    }

    /// What the frame's settings surely are; the rest is free.
    private var certainSettings: FrameSettings {
        var settings = FrameSettings()
        if isCertain(.exposure) {
            if let duration = state.duration { settings.exposure = .value(duration) }
            if let gain = state.gain { settings.gain = .value(gain) }
        }
        if isCertain(.focus), let lens = state.lens { settings.lens = .value(lens) }
        if isCertain(.whiteBalance), let balance = state.balance {
            settings.whiteBalance = .value(balance)
        }
        return settings
    }

    /// A routine that ran once has ended: its subject stays as it is, and the next one has its turn.
    private mutating func end(
        _ subject: ManualSubject, _ outcome: RoutineOutcome, _ frame: MeteredFrame,
        _ now: Instant<Monotonic>
    ) {
        let left = metering.routine(subject)?.state
        if subject == .whiteBalance, profile.whiteBalance?.isMetadata ?? false,
            let found = metering.balance?.gains
        {
            state.balance = .gains(
                red: Gain(millionths: found.redMillionths),
                green: Gain(millionths: found.greenMillionths),
                blue: Gain(millionths: found.blueMillionths))
        }
        metering.dismiss(subject)
        state[subject].mode = .locked
        state[subject].routine = left
        if left != .diverged { metering.found.insert(subject) }
        guard let place = metering.jobs.firstIndex(where: { $0.remaining.first == subject }) else {
            return
        }
        var isExposed = false
        if case .ended? = metering.jobs[place].results[.exposure] { isExposed = true }
        metering.jobs[place].results[subject] = .ended(outcome)
        metering.jobs[place].remaining.removeFirst()
        // The gains of a camera that balances make the picture brighter or darker: the exposure with them counts.
        if subject == .whiteBalance, isExposed, profile.whiteBalance?.isMetadata != true {
            metering.jobs[place].remaining.insert(.exposure, at: 0)
        }
        if let next = metering.jobs[place].remaining.first { return activate(next, .auto) }
        let job = metering.jobs.remove(at: place)
        let ended = job.results.filter { if case .ended = $0.value { true } else { false } }
        note(Set(ended.keys), lockedFor: job.lockDuration, now)
        let sync = SyncTime(sequence: frame.sequence, deviceTime: frame.timestamp)
        noteAdjusting()
        actions.append(.complete(job.id, .metered(job.results, sync, state)))
    }

    /// Carries out what a routine decided; returns whether there was something.
    ///
    /// A routine whose settings can't be had is stopped, and the requests that wait for it are refused.
    mutating func meterNext(_ now: Instant<Monotonic>) -> Bool {
        guard !metering.decisions.isEmpty else { return false }
        let (subject, settings) = metering.decisions.removeFirst()
        do throws(SettingProblem) {
            let quantised = try check(settings)
            pending.append(PendingRequest(id: nil, subjects: [subject]))
            write(quantised, [subject], nil, isDirect: true)
        } catch {
            for id in metering.stop([subject]) { actions.append(.complete(id, .refused(error))) }
        }
        return true
    }
}
