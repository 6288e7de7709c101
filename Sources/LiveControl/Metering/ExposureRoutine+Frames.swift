public import Devices
internal import Imaging
internal import Timebase

extension ExposureRoutine {
    /// Takes a frame's measurement: its light, and the exposure and gain that it certainly had.
    ///
    /// The level is noted in every state, locked ones too. Once something was written, a frame decides only if its
    /// settings are those: no change is answered twice.
    public mutating func handle(_ measurement: MeterReading) -> MeteringDecision {
        guard let light = measurement.reading.light,
            let level = light.level(weights, gains: pendingGains)
        else { return .wait }
        self.level = level
        guard state != .locked, outcome == nil else { return .wait }
        let current = settings(measurement.settings)
        if let written = progress.written {
            guard written == current else { return .wait }
        }
        guard let amount = amount(of: current) else { return writeStart() }
        progress.amount = amount
        let next = next(level, amount)
        return isGood(level, next, current) ? countGood() : change(to: next.split, from: current)
    }

    /// Exposure and gain alone, as far as the camera can set them.
    private func settings(_ settings: FrameSettings) -> FrameSettings {
        FrameSettings(
            exposure: exposure == nil ? .free : settings.exposure,
            gain: gain == nil ? .free : settings.gain)
    }

    /// What settings amount to; nil if one is not certain.
    private func amount(of settings: FrameSettings) -> ExposureAmount? {
        let duration = exposure == nil ? ExposureAmount.unsetDuration : settings.exposure.asked
        let factor = gain == nil ? Gain.unity : settings.gain.asked
        guard let duration, let factor else { return nil }
        return ExposureAmount(duration: duration, gain: factor)
    }

    /// Nothing is known of the camera's settings: 64 times the shortest exposure, or the longest, with the smallest
    /// gain, to start from something known.
    private mutating func writeStart() -> MeteringDecision {
        let low = exposure?.range.lowerBound ?? ExposureAmount.unsetDuration
        let high = exposure?.range.upperBound ?? ExposureAmount.unsetDuration
        let middle = Interval(nanoseconds: min(low.nanoseconds * 64, high.nanoseconds))
        let start = ExposureAmount(duration: middle, gain: gain?.range.lowerBound ?? .unity)
        return write(programme.split(start, exposure: exposure, gain: gain))
    }

    /// The best settings by a frame: its amount times what lacks, or a quarter where the frame is mostly white.
    ///
    /// The miss is how far the camera's steps leave it from what is wanted, in thousandths of an EV, positive if
    /// brighter.
    private func next(
        _ level: MeteredLevel, _ amount: ExposureAmount
    ) -> (split: ExposureProgramme.Split, missThousandths: Int64) {
        let power = BinaryLogarithm.powerMillionths(thousandths: biasThousandths)
        let wanted =
            isClipped(level)
            ? amount.times(1, over: 4)
            : amount.times(
                Int128(target) * Int128(power), over: Int128(max(level.billionths, 1)) * 1_000_000)
        let split = programme.split(wanted, exposure: exposure, gain: gain)
        let miss = BinaryLogarithm.thousandths(split.amount.product, over: wanted.product)
        return (split, miss)
    }

    /// Whether more than a fifth of the metered part is saturated: then the level does not show how bright it is.
    private func isClipped(_ level: MeteredLevel) -> Bool { level.saturatedMillionths > 200_000 }

    /// Whether a frame is near enough; one that is only just so is tried to be made better, twice at most.
    private mutating func isGood(
        _ level: MeteredLevel, _ next: (split: ExposureProgramme.Split, missThousandths: Int64),
        _ current: FrameSettings
    ) -> Bool {
        let offset = level.offset(target: target, biasThousandths: biasThousandths).magnitude
        let tolerance = UInt64(self.tolerance.offsetThousandths)
        if progress.isHolding { return !isClipped(level) && offset <= 2 * tolerance }
        // A tenth of the tolerance is left to noise.
        guard !isClipped(level), offset * 10 <= tolerance * 9,
            programme.allows(current, exposure: exposure, gain: gain)
        else { return false }
        guard offset * 2 > tolerance, next.split.settings != current,
            next.missThousandths.magnitude * 2 < offset, progress.refinements < 2
        else { return true }
        progress.refinements += 1
        return false
    }

    /// A frame at the target; as many in a row as the tolerance has end a routine that runs once, and let a continuous
    /// one rest.
    private mutating func countGood() -> MeteringDecision {
        (progress.stuckFrames, progress.offFrames) = (0, 0)
        progress.goodFrames += 1
        limit = nil
        guard progress.goodFrames >= tolerance.goodFrames else { return .wait }
        if mode == .auto { return finish(.converged) }
        state = .converged
        progress.isHolding = true
        return .wait
    }

    /// A frame off the target: one that rests moves only after three of them, any other writes, unless the camera has
    /// nothing better or all changes that the tolerance allows did not lead there.
    private mutating func change(
        to next: ExposureProgramme.Split, from current: FrameSettings
    ) -> MeteringDecision {
        progress.goodFrames = 0
        if progress.isHolding {
            // One odd frame does not move it.
            progress.offFrames += 1
            let far = 3 * tolerance.offsetThousandths
            if progress.offFrames >= 2, (offsetThousandths ?? 0).magnitude > far {
                state = .diverged
            }
            guard progress.offFrames >= 3 else { return .wait }
            startAnew()
        }
        guard next.settings != current else { return stay(next.limit ?? .coarseSteps) }
        progress.stuckFrames = 0
        if progress.changes >= tolerance.changes {
            if mode == .auto { return finish(.diverged(.unsteady)) }
            state = .diverged
            progress.changes = 0
            return .wait
        }
        return write(next)
    }

    /// The camera can't come nearer.
    ///
    /// It reports that after as many frames as would confirm a good one; a continuous routine goes on looking.
    private mutating func stay(_ limit: RoutineLimit) -> MeteringDecision {
        progress.stuckFrames += 1
        guard progress.stuckFrames >= tolerance.goodFrames else { return .wait }
        self.limit = limit
        if mode == .auto { return finish(.limited(limit)) }
        state = .diverged
        return .wait
    }

    /// Writes a split, and counts it as a change.
    private mutating func write(_ split: ExposureProgramme.Split) -> MeteringDecision {
        progress.changes += 1
        progress.written = split.settings
        progress.amount = split.amount
        state = .metering
        return .write(split.settings)
    }

    /// Ends the routine: locked where it came as near as the camera can, diverged else.
    private mutating func finish(_ outcome: RoutineOutcome) -> MeteringDecision {
        self.outcome = outcome
        if case .diverged = outcome { state = .diverged } else { state = .locked }
        return .finish(outcome)
    }

    // MARK: Lock and bias

    /// Keeps exposure and gain from now on; the offset stays live, and a change of bias still moves them.
    public mutating func lock() {
        state = .locked
        progress.base = nil
    }

    /// Restarts from the settings that frames have then, whoever wrote them.
    public mutating func unlock() {
        outcome = nil
        startAnew()
        progress.written = nil
    }

    /// Forgets all counts; what was written last stays known.
    private mutating func startAnew() {
        progress = Progress(written: progress.written, amount: progress.amount)
        (state, limit) = (.metering, nil)
    }

    /// Changes the bias.
    ///
    /// - Parameter thousandths: in thousandths of an EV.
    /// - Returns: in locked state the settings moved by the difference, if the camera has others there; else nothing,
    ///   since the next frames decide.
    /// - Throws: ``SettingProblem`` outside ``biases``.
    public mutating func setBias(
        thousandths: Int64
    ) throws(SettingProblem) -> MeteringDecision {
        guard Self.biases.contains(thousandths) else {
            throw SettingProblem(
                .exposure, id: "bias-out-of-range",
                "an exposure bias of \(evText(thousandths)) is outside \(evText(Self.biases.lowerBound)) to"
                    + " \(evText(Self.biases.upperBound)) (framelock's range for every camera)",
                hint: "use a bias from -8 to +8 EV")
        }
        let before = biasThousandths
        biasThousandths = thousandths
        guard thousandths != before else { return .wait }
        guard state == .locked else {
            if outcome == nil { startAnew() }
            return .wait
        }
        guard let amount = progress.amount else { return .wait }
        // From where it was locked, so that a bias that met a limit leads back.
        let base =
            progress.base
            ?? Progress.Base(
                amount: amount, settings: progress.written, biasThousandths: before)
        progress.base = base
        let power = BinaryLogarithm.powerMillionths(
            thousandths: thousandths - base.biasThousandths)
        let split = programme.split(
            ExposureAmount(product: base.amount.product * Int128(power) / 1_000_000),
            exposure: exposure, gain: gain)
        // Back where it was, it is split as it was.
        let isBase = thousandths == base.biasThousandths
        let settings = (isBase ? base.settings : nil) ?? split.settings
        guard settings != progress.written else { return .wait }
        (progress.written, progress.amount) = (settings, isBase ? base.amount : split.amount)
        return .write(settings)
    }
}

/// Thousandths of an EV as text, for example `-0.5 EV`.
private func evText(_ thousandths: Int64) -> String {
    (thousandths < 0 ? "-" : "") + decimalText(thousandths.magnitude, unit: 1_000) + " EV"
}
