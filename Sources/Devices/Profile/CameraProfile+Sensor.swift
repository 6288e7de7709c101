public import Imaging
internal import Timebase

extension CameraProfile {
    /// Frames after stream start before the first that may be used.
    ///
    /// The first frames with metadata show how late they come, and whose they are.
    public var framesBeforeUse: Int {
        embeddedData == nil
            ? startupFrames : max(startupFrames, EmbeddedDataFormat.framesToIdentify)
    }

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
        guard let mode = sensorMode(pixels, size), let line = mode.line else {
            throw withoutMode(pixels, size)
        }
        var profile = self
        var (longest, limit): (Int64, LimitOrigin?) = (sensor.longestFrame(mode), nil)
        var linesPerCount = mode.linesPerCount
        if let rate = configuration.rate {
            let timing = try fixed(rate, sensor, mode)
            profile.timing = timing
            (longest, linesPerCount) = (timing.frameLines, timing.linesPerCount)
            limit = .frameLength(rate: "\(rate)", mode: "\(size)", of: origin)
        }
        let codes = mode.exposureLines ?? sensor.exposure.codes
        let margin = sensor.marginLines * sensor.linesPerCount(mode, frameLines: longest)
        guard let possible = codes.multiples(of: linesPerCount, upTo: longest - margin) else {
            throw SettingProblem(
                nil, id: "rate-out-of-range",
                "frames of \(longest) lines leave no room for the shortest exposure of"
                    + " \(codes.minimum) lines and the margin of \(margin) (\(origin))",
                hint: "use a lower rate")
        }
        var exposure = ExposureModel(
            control: sensor.exposure.control, unit: line, offset: sensor.exposure.offset,
            codes: possible, latencyFrames: sensor.exposure.latencyFrames,
            latencyOrigin: sensor.exposure.latencyOrigin)
        if possible.maximum < codes.maximum { exposure.limit = limit }
        exposure.codesPerCount = linesPerCount
        profile.exposure = exposure
        // A hundredth is more than crystals are off by, and the last row may be counted as begun.
        profile.timestamps.transfer = line.duration(ofCodes: Int64(size.height) - 1) * 99 / 100
        if shutter == .rolling {
            // From the timestamp to the last row: a line before the image takes as long as the rows that are read in
            // one.
            profile.timestamps.readout = line.duration(
                ofCodes: sensor.embeddedLines * mode.linesPerCount + Int64(size.height) - 1)
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
            let mode = sensorMode(configuration.pixelFormat, configuration.size)
        else { return nil }
        let lines = sensor.shortestFrame(mode, fitting: code ?? 0)
        return SensorTiming(sensor, mode, frameLines: lines)
    }

    /// The profile with the frame length of a plan, in which exposures are counted as the frame is.
    ///
    /// - Parameter timing: from ``sensorTiming(of:fitting:)`` for the longest exposure.
    public func fixed(to timing: SensorTiming) -> CameraProfile {
        var profile = self
        profile.timing = timing
        guard let sensor, let exposure, timing.linesPerCount > exposure.codesPerCount else {
            return profile
        }
        let longest = timing.frameLines - sensor.marginLines * timing.linesPerCount
        guard let possible = exposure.codes.multiples(of: timing.linesPerCount, upTo: longest)
        else { return profile }
        profile.exposure?.codes = possible
        profile.exposure?.codesPerCount = timing.linesPerCount
        profile.exposure?.limit = .frameCount(lines: timing.linesPerCount, of: origin)
        return profile
    }

    /// The mode of a raw sensor in which it delivers a pixel format, with the flips that are pinned; nil if none does.
    public func sensorMode(_ pixels: PixelFormat, _ size: FrameSize) -> SensorMode? {
        sensor?.mode(unflipped(pixels), size)
    }

    private func withoutMode(_ pixels: PixelFormat, _ size: FrameSize) -> SettingProblem {
        let native = unflipped(pixels)
        let isMisstated =
            sensor?.misstatedModes.contains { $0.size == size && $0.pixelFormats.contains(native) }
        if isMisstated ?? false, let live {
            return SettingProblem(
                nil, id: "mode-misstated",
                "the driver of camera \(live.id) reports a pixel rate or line length for \(pixels.name) \(size)"
                    + " at which the sensor does not read its rows, so their readout times would be unknown",
                hint: "use another size or another number of bits")
        }
        return SettingProblem(
            nil, id: "mode-not-offered",
            "\(origin) has no mode for \(pixels.name) \(size)",
            hint: flipAdvice(pixels, size) ?? "it has \(modeNames.joined(separator: ", "))")
    }

    /// The modes of a raw sensor, as formats name them, with the flips that are pinned: `SRGGB12 640x480`.
    private var modeNames: [String] {
        (sensor?.modes ?? []).flatMap { mode in
            mode.pixelFormats.map { "\(unflipped($0).name) \(mode.size)" }
        }
    }

    /// Whether a flip is pinned (`horizontal_flip: 1`).
    func isPinned(_ control: CameraControl?) -> Bool {
        pinned.contains { $0.control == control && $0.code != 0 }
    }

    /// The format that a raw sensor delivers in the place of one that it has without flips.
    public func delivered(_ native: PixelFormat) -> PixelFormat { unflipped(native) }

    /// The format that the sensor would deliver in its place without the flips that are pinned.
    private func unflipped(_ pixels: PixelFormat) -> PixelFormat {
        guard let sensor, !sensor.keepsOrderWhenFlipped else { return pixels }
        return pixels.flipped(
            horizontally: isPinned(.horizontalFlip), vertically: isPinned(.verticalFlip))
    }

    /// What to ask for where the flips have moved the order of colours.
    private func flipAdvice(_ pixels: PixelFormat, _ size: FrameSize) -> String? {
        guard sensor?.mode(pixels, size) != nil else { return nil }
        return "its flips make \(unflipped(pixels).name) of it: ask for that"
    }

    private func fixed(
        _ rate: FrameRate, _ sensor: SensorModel, _ mode: SensorMode
    ) throws(SettingProblem) -> SensorTiming {
        let lines = SensorTiming.frameLines(of: sensor, mode, at: rate)
        guard let timing = SensorTiming(sensor, mode, frameLines: lines) else {
            let slowest = SensorTiming.rateText(mode, frameLines: mode.frameLines.upperBound)
            let fastest = SensorTiming.rateText(mode, frameLines: mode.frameLines.lowerBound)
            throw SettingProblem(
                nil, id: "rate-out-of-range",
                "\(rate) is outside \(slowest) to \(fastest) at \(mode.size)"
                    + " (\(sensor.vertical.control.name) \(mode.blankingLines.minimum) to"
                    + " \(mode.blankingLines.maximum) of \(origin))",
                hint: "use a rate in that range")
        }
        return timing
    }

    /// The profile with the timing of an attached camera that is in a configuration.
    public func timed(
        by device: CameraDescription, in configuration: CaptureConfiguration
    ) -> CameraProfile {
        timed(
            by: device.controls, at: configuration.size, configuration.pixelFormat,
            of: device.identity.id)
    }

    /// The profile with the timing that a driver has at the moment, which goes before the file's: it changes with
    /// kernels, link frequencies and bit depths.
    ///
    /// A mode that the driver has and the file does not know is added, and the shortest exposure and its step are the
    /// driver's where they are larger. Frames that are too long for the driver, as the file states, are left out.
    ///
    /// - Parameters:
    ///   - controls: the sensor's controls, described while it is in the mode.
    ///   - size: the frame size at which they were described.
    ///   - pixels: the pixel format at which they were described; nil changes known modes alone.
    ///   - device: the camera's stable id, for messages.
    /// - Returns: the profile with every mode of that size changed; as it is where a figure is missing.
    public func timed(
        by controls: [ControlDescription], at size: FrameSize, _ pixels: PixelFormat? = nil,
        of device: String
    ) -> CameraProfile {
        guard var sensor,
            let timing = DriverTiming(controls, size: size, vertical: sensor.vertical.control)
        else { return self }
        if let pixels, let mode = sensorMode(pixels, size), mode.refusesOtherRates,
            mode.pixelRateHertz != timing.pixelRateHertz || timing.linePixels < mode.linePixels
        {
            sensor.modes.removeAll { $0 == mode }
            sensor.misstatedModes.append(mode)
        } else if let pixels, sensorMode(pixels, size) == nil {
            let known = sensor.modes.first { $0.size == size }
            sensor.modes.append(
                SensorMode(
                    size: size, pixelFormats: [unflipped(pixels)],
                    pixelRateHertz: timing.pixelRateHertz,
                    linePixels: timing.linePixels, blankingLines: timing.blankingLines,
                    exposureLines: known?.exposureLines, binning: known?.binning ?? 1,
                    crop: known?.crop,
                    linesPerCount: known.map { timing.linesPerCount(of: $0) } ?? 1))
        }
        let exposure = controls.first { $0.control == sensor.exposure.control }
        for index in sensor.modes.indices where sensor.modes[index].size == size {
            sensor.modes[index].linesPerCount = timing.linesPerCount(of: sensor.modes[index])
            sensor.modes[index].pixelRateHertz = timing.pixelRateHertz
            sensor.modes[index].linePixels = timing.linePixels
            sensor.modes[index].takeBlanking(
                timing.blankingLines, longestFrame: sensor.longestFrameLines)
            guard let exposure else { continue }
            let codes = sensor.modes[index].exposureLines ?? sensor.exposure.codes
            let (least, step) = (
                max(codes.minimum, exposure.minimum), max(codes.step, exposure.step)
            )
            if least <= codes.maximum, (least, step) != (codes.minimum, codes.step) {
                sensor.modes[index].exposureLines = CodeRange(least, codes.maximum, step: step)
            }
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
    /// Mirrors the image (`V4L2_CID_HFLIP`).
    public static let horizontalFlip = CameraControl(rawValue: 0x0098_0914)
    /// Turns the image upside down (`V4L2_CID_VFLIP`).
    public static let verticalFlip = CameraControl(rawValue: 0x0098_0915)
    /// The exposure of a raw sensor in lines (`V4L2_CID_EXPOSURE`).
    public static let exposureLines = CameraControl(rawValue: 0x0098_0911)
    /// What a sensor multiplies its pixels with (`V4L2_CID_DIGITAL_GAIN`).
    public static let digitalGain = CameraControl(rawValue: 0x009f_0905)
    /// Lines after a frame (`V4L2_CID_VBLANK`).
    public static let verticalBlanking = CameraControl(rawValue: 0x009e_0901)
}
