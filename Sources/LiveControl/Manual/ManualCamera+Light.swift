internal import Devices
public import Imaging
internal import Timebase

extension ManualCamera {
    /// What has to be measured in the next frame.
    public var neededReadings: FrameMeter.Subjects {
        var needed: FrameMeter.Subjects = .light
        if metering.focus != nil { needed.insert(.focus) }
        if metering.balance != nil { needed.insert(.balance) }
        return needed
    }

    /// Where sharpness is to be measured, on the sensor's image.
    public var focusPoint: FramePoint { metering.focusRegion.sensorPoint }

    /// Takes note of what a frame shows, in every mode.
    ///
    /// Level, offset and score are those of the last measured frame, damaged ones left out; nil where it shows nothing.
    mutating func note(_ reading: FrameReading) {
        let level = reading.light?.level(metering.weights)
        state.offsetThousandths = level?.offset(biasThousandths: state.biasThousandths)
        state.isOffsetLowerBound = level?.isLowerBound ?? false
        state.focusScore = reading.focus
        state.grayWorld = grayWorld(reading)
    }

    /// Gains as if the middle of the frame were a grey card: those that the frame lacks, on top of those it had.
    private func grayWorld(_ reading: FrameReading) -> ChannelGains? {
        guard isCertain(.whiteBalance), let lacking = reading.balance?.gains else { return nil }
        guard case .gains(let red, let green, let blue) = state.balance else { return lacking }
        return ChannelGains(
            redMillionths: red.millionths, greenMillionths: green.millionths,
            blueMillionths: blue.millionths
        ).times(lacking).leastIsOne
    }

    /// Sets the bias: locked exposure moves by it, continuous exposure aims at it, a custom one is only metered by it.
    ///
    /// - Throws: `SettingProblem` outside ``ExposureRoutine/biases``, and where the moved exposure can't be had.
    mutating func setBias(
        _ thousandths: Int64, _ id: RequestID, _ now: Instant<Monotonic>
    ) throws(SettingProblem) {
        var decision = MeteringDecision.wait
        var biased: ExposureRoutine?
        if metering.exposure != nil {
            decision = try metering.exposure?.setBias(thousandths: thousandths) ?? .wait
        } else {
            var light = metering.lockedExposure ?? exposureRoutine(.auto)
            if state.exposure.mode == .locked, metering.lockedExposure == nil {
                light.keep(state.duration, state.gain)
            }
            decision = try light.setBias(thousandths: thousandths)
            biased = light
        }
        state.biasThousandths = thousandths
        guard case .write(let settings) = decision else { return completeWithNextFrame(id, now) }
        let quantised = try check(settings)
        overtake([.exposure], by: id)
        // What it was before the first bias, so that a bias of 0 leads back to it.
        metering.lockedExposure = biased
        pending.append(PendingRequest(id: id, subjects: [.exposure]))
        write(quantised, [.exposure], id)
    }
}

extension ExposureRoutine {
    /// Keeps an exposure that somebody else set.
    fileprivate mutating func keep(_ duration: Interval?, _ gain: Gain?) {
        lock()
        progress.written = FrameSettings(
            exposure: (exposure == nil ? nil : duration).map { .value($0) } ?? .free,
            gain: (self.gain == nil ? nil : gain).map { .value($0) } ?? .free)
        progress.amount = ExposureAmount(
            duration: (exposure == nil ? nil : duration) ?? ExposureAmount.unsetDuration,
            gain: (self.gain == nil ? nil : gain) ?? .unity)
    }
}
