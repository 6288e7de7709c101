internal import Devices
internal import Imaging

extension WhiteBalanceRoutine {
    /// Takes a frame's measurement: the colour of its middle, and the white balance that it certainly had.
    ///
    /// What a sensor gives is the gains that the frame had times those that it lacks; the estimate is made from that,
    /// so it does not depend on what was set.
    public mutating func handle(_ measurement: MeterReading) -> MeteringDecision {
        guard state != .locked, outcome == nil else { return .wait }
        // A format without colour never has one.
        guard let balance = measurement.reading.balance else {
            return countUnusable(.nothingUsable)
        }
        let current = measurement.settings.whiteBalance.asked
        if let written, current != written { return .wait }
        if let temperature = searchedTemperature {
            return search(temperature, balance, current: current, measurement.sequence)
        }
        guard let applied = applied(current) else { return writeStart() }
        guard let residual = balance.gains else { return countUnusable(.nothingUsable) }
        guard let estimate = estimate(raw: applied.times(residual)) else {
            return countUnusable(.noTemperature)
        }
        unusableFrames = 0
        return follow(estimate, current: current, applied: applied, measurement.sequence)
    }

    /// What a frame shows of the light.
    struct Estimate: Hashable {
        /// Gains relative to what the sensor gives.
        var gains: ChannelGains
        /// The illuminant by the curve.
        var illuminant: ColourTemperature?
        /// Whether that is beyond the curve.
        var isBeyondCurve = false
    }

    /// The gains that a frame's samples have already; nil if they are not known.
    private func applied(_ current: WhiteBalance?) -> ChannelGains? {
        guard let model, model.components != nil || model.temperature != nil else { return .unity }
        switch (current, method) {
        case (.gains(let red, let green, let blue), _):
            return ChannelGains(
                redMillionths: red.millionths, greenMillionths: green.millionths,
                blueMillionths: blue.millionths)
        case (.temperature(let kelvin, let tint), .curve(let curve)) where model.components == nil:
            return curve.gains(kelvin: kelvin, tintThousandths: tint)?.value
        default:
            return nil
        }
    }

    /// Nothing is known of the camera's white balance, or nothing that can be reckoned with: something known first.
    ///
    /// Gains of 1, or the temperature of the curve's first point.
    private mutating func writeStart() -> MeteringDecision {
        if let components = model?.components {
            let unity = Gain.unity
            return write(
                components.nearest(red: unity, blue: unity).setting)
        }
        guard let temperature = model?.temperature, case .curve(let curve) = method else {
            return finish(.limited(.balanceRange))
        }
        return write(temperature.nearest(kelvin: curve.points[0].kelvin).setting)
    }

    /// What the raw colours show of the light.
    ///
    /// By the curve, the tint is left out: the gains are those of the black body or daylight of that temperature.
    ///
    /// - Parameter raw: the gains that make the middle grey, relative to what the sensor gives.
    /// - Returns: nil for gains that no place of the curve leads to.
    private func estimate(raw: ChannelGains) -> Estimate? {
        switch method {
        case .grayWorld:
            return raw.leastIsOne.map { Estimate(gains: $0) }
        case .curve(let curve):
            guard let illuminant = curve.temperature(of: raw),
                let gains = curve.gains(
                    kelvin: illuminant.value.wholeKelvin, tintThousandths: 0),
                let least = gains.value.leastIsOne
            else { return nil }
            return Estimate(
                gains: least, illuminant: illuminant.value, isBeyondCurve: !gains.limits.isEmpty)
        }
    }

    /// A frame that gives no information; three in a row end a routine that runs once.
    mutating func countUnusable(_ failure: RoutineFailure) -> MeteringDecision {
        unusableFrames += 1
        guard unusableFrames >= Self.goodFrames else { return .wait }
        if mode == .auto { return finish(.diverged(failure)) }
        state = .diverged
        return .wait
    }

    // MARK: Following

    /// Counts a frame as good, writes what would be better, or begins a new row of frames.
    ///
    /// Good is a frame where the camera has what is wanted, or is within a tolerance of it, and whose estimate is
    /// steady: within two tolerances of the first of its row.
    ///
    /// - Parameters:
    ///   - current: the frame's white balance; nil where it is not known.
    ///   - applied: the gains that its samples have already.
    private mutating func follow(
        _ estimate: Estimate, current: WhiteBalance?, applied: ChannelGains, _ sequence: Int64
    ) -> MeteringDecision {
        let wanted = wanted(estimate)
        let base = recent.first ?? estimate.gains
        let isSteady = estimate.gains.differs(from: base, by: 2 * Self.tolerance) == false
        let isThere =
            wanted == nil || wanted?.setting == current
            || applied.differs(from: estimate.gains, by: Self.tolerance) == false
        if isThere && isSteady {
            let isCoarse = applied.differs(from: estimate.gains, by: 2 * Self.tolerance)
            limit = estimate.isBeyondCurve ? .balanceRange : wanted?.limit
            if limit == nil, wanted != nil, isCoarse { limit = .coarseSteps }
            return countGood(estimate, sequence)
        }
        return change(to: isThere ? nil : wanted?.setting, estimate, sequence)
    }

    /// A good frame; the third on end gives the gains, as the mean of all three.
    mutating func countGood(
        _ estimate: Estimate, _ sequence: Int64
    ) -> MeteringDecision {
        offFrames = 0
        if state == .converged { return .wait }
        recent.append(estimate.gains)
        framesUsed.append(sequence)
        illuminant = estimate.illuminant
        guard recent.count >= Self.goodFrames else { return .wait }
        gains = ChannelGains.mean(recent)
        if mode == .auto { return finish(limit.map { .limited($0) } ?? .converged) }
        state = .converged
        return .wait
    }

    /// A frame that is off: a routine that has converged restarts after three of them, any other writes.
    ///
    /// - Parameter setting: nil where nothing has to be written, only the estimate moved.
    mutating func change(
        to setting: WhiteBalance?, _ estimate: Estimate, _ sequence: Int64
    ) -> MeteringDecision {
        if state == .converged {
            offFrames += 1
            guard offFrames >= Self.goodFrames else { return .wait }
            startAnew()
            state = .metering
        }
        (recent, framesUsed) = ([], [])
        changeCount += 1
        if changeCount > Self.changes {
            if mode == .auto { return finish(.diverged(.unsteady)) }
            state = .diverged
            changeCount = 0
            return .wait
        }
        guard let setting else {
            // Nothing to write: this frame is the first of a new row.
            return countGood(estimate, sequence)
        }
        return write(setting)
    }

    mutating func write(_ setting: WhiteBalance) -> MeteringDecision {
        written = setting
        if state != .metering { state = .metering }
        return .write(FrameSettings(whiteBalance: .value(setting)))
    }

    private mutating func finish(_ outcome: RoutineOutcome) -> MeteringDecision {
        self.outcome = outcome
        if case .diverged = outcome { state = .diverged } else { state = .locked }
        return .finish(outcome)
    }

    /// What the camera comes nearest with; nil if it takes no white balance.
    private func wanted(_ estimate: Estimate) -> BalanceChoice? {
        if let components = model?.components {
            let green = estimate.gains.greenMillionths
            func over(_ gain: Int64) -> Gain {
                Gain(millionths: rounded(Int128(gain) * 1_000_000, over: Int128(green)))
            }
            return components.nearest(
                red: over(estimate.gains.redMillionths), blue: over(estimate.gains.blueMillionths))
        }
        guard let temperature = model?.temperature, let illuminant = estimate.illuminant else {
            return nil
        }
        return temperature.nearest(kelvin: illuminant.wholeKelvin)
    }
}
