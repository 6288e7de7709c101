public import Imaging
internal import Timebase

extension CameraProfile {
    /// The profile in one mode of a raw sensor: lines become time, and the frame length limits the exposure.
    ///
    /// With a rate the frame length is fixed, its blanking is in ``timing``, and no exposure can be longer than the
    /// frame less the sensor's margin. Without one, frames may be as long as the mode allows; ``timing`` is left out
    /// then, and ``sensorTiming(of:fitting:)`` gives it once the longest exposure is known.
    ///
    /// - Returns: the same profile for a camera that keeps its own time.
    /// - Throws: ``SettingProblem`` about the frame rate if the sensor has no such mode or rate.
    public func adapted(
        to configuration: CaptureConfiguration
    ) throws(SettingProblem) -> CameraProfile {
        guard let sensor else { return self }
        let (pixels, size) = (configuration.pixelFormat, configuration.size)
        guard let mode = sensor.mode(pixels, size), let line = mode.line else {
            throw SettingProblem(
                .frameRate, id: "mode-not-offered",
                "\(origin) has no mode for \(pixels.name) \(size)",
                hint: "use one of its formats")
        }
        var profile = self
        var (longest, limit): (Int64, LimitOrigin?) = (mode.frameLines.upperBound, nil)
        if let rate = configuration.rate {
            let timing = try fixed(rate, sensor, mode)
            profile.timing = timing
            longest = timing.frameLines
            limit = .frameLength(rate: "\(rate)", mode: "\(size)", of: origin)
        }
        let codes = mode.exposureLines ?? sensor.exposure.codes
        let maximum = min(codes.maximum, longest - sensor.marginLines)
        guard maximum >= codes.minimum else {
            throw SettingProblem(
                .frameRate, id: "rate-out-of-range",
                "frames of \(longest) lines leave no room for the shortest exposure of"
                    + " \(codes.minimum) lines and the margin of \(sensor.marginLines) (\(origin))",
                hint: "use a lower rate")
        }
        var exposure = ExposureModel(
            control: sensor.exposure.control, unit: line, offset: sensor.exposure.offset,
            codes: CodeRange(codes.minimum, maximum, step: codes.step),
            latencyFrames: sensor.exposure.latencyFrames,
            latencyOrigin: sensor.exposure.latencyOrigin)
        if maximum < codes.maximum { exposure.limit = limit }
        profile.exposure = exposure
        if shutter == .rolling {
            // From the stamp to the last row: lines before the image count as rows.
            profile.timestamps.readout = line.duration(
                ofCodes: sensor.embeddedLines + Int64(size.height) - 1)
        }
        return profile
    }

    /// The timing of a configuration without a rate: frames as short as the longest exposure allows.
    ///
    /// - Parameters:
    ///   - configuration: what ``adapted(to:)`` was called with.
    ///   - code: the longest exposure in lines; nil if none is known.
    /// - Returns: nil for a camera that keeps its own time.
    public func sensorTiming(
        of configuration: CaptureConfiguration, fitting code: Int64?
    ) -> SensorTiming? {
        if let timing { return timing }
        guard let sensor,
            let mode = sensor.mode(configuration.pixelFormat, configuration.size)
        else { return nil }
        let needed = (code ?? 0) + sensor.marginLines
        let lines = min(max(needed, mode.frameLines.lowerBound), mode.frameLines.upperBound)
        return SensorTiming(sensor, mode, frameLines: lines)
    }

    private func fixed(
        _ rate: FrameRate, _ sensor: SensorModel, _ mode: SensorMode
    ) throws(SettingProblem) -> SensorTiming {
        let lines = SensorTiming.frameLines(of: mode, at: rate)
        guard let timing = SensorTiming(sensor, mode, frameLines: lines) else {
            let slowest = SensorTiming.rateText(mode, frameLines: mode.frameLines.upperBound)
            let fastest = SensorTiming.rateText(mode, frameLines: mode.frameLines.lowerBound)
            throw SettingProblem(
                .frameRate, id: "rate-out-of-range",
                "\(rate) is outside \(slowest) to \(fastest) at \(mode.size)"
                    + " (\(sensor.vertical.control.name) \(mode.blankingLines.minimum) to"
                    + " \(mode.blankingLines.maximum) of \(origin))",
                hint: "use a rate in that range")
        }
        return timing
    }

    /// The profile with the timing that a driver has at the moment, which goes before the file's: it changes with
    /// kernels, link frequencies and bit depths.
    ///
    /// - Parameters:
    ///   - controls: the sensor's controls, described while it is in the mode.
    ///   - size: the frame size at which they were described.
    ///   - device: the camera's stable id, for messages.
    /// - Returns: the profile with every mode of that size changed; as it is where a figure is missing.
    public func timed(
        by controls: [ControlDescription], at size: FrameSize, of device: String
    ) -> CameraProfile {
        func found(_ control: CameraControl) -> ControlDescription? {
            controls.first { $0.control == control }
        }
        guard var sensor, let rate = found(.pixelRate)?.code, rate >= 1,
            let horizontal = found(.horizontalBlanking)?.code, horizontal >= 0,
            let vertical = found(sensor.vertical.control),
            0...1_000_000_000 ~= vertical.minimum, vertical.maximum >= vertical.minimum,
            vertical.maximum <= 1_000_000_000
        else { return self }
        let (line, overflow) = horizontal.addingReportingOverflow(Int64(size.width))
        guard !overflow, CodeDuration(linePixels: line, pixelRateHertz: rate) != nil else {
            return self
        }
        for index in sensor.modes.indices where sensor.modes[index].size == size {
            sensor.modes[index].pixelRateHertz = rate
            sensor.modes[index].linePixels = line
            sensor.modes[index].blankingLines = CodeRange(
                vertical.minimum, vertical.maximum, step: max(1, vertical.step))
        }
        var profile = self
        profile.sensor = sensor
        profile.live = LiveCamera(id: device, lacks: live?.lacks ?? [])
        return profile
    }
}

extension CameraControl {
    /// Pixels in a second, read-only (`V4L2_CID_PIXEL_RATE`).
    public static let pixelRate = CameraControl(rawValue: 0x009f_0902)
    /// Pixels after a line (`V4L2_CID_HBLANK`).
    public static let horizontalBlanking = CameraControl(rawValue: 0x009e_0902)
    /// Lines after a frame (`V4L2_CID_VBLANK`).
    public static let verticalBlanking = CameraControl(rawValue: 0x009e_0901)
}
