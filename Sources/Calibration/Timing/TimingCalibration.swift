public import Devices
internal import Imaging
public import Timebase

/// Measures when a camera exposes its rows, with a light on an output line.
///
/// First single flashes are swept over two periods of the frame. What is found determines where the next ones go: two
/// flashes in a frame for a rolling shutter, so that a timestamp's delay cancels; flashes across both ends of the
/// exposure for a global one.
public struct TimingCalibration: Sendable {
    /// The output that drives the light.
    public var light: LineRequest
    /// The input to which that output is joined; nil if it is not.
    public var back: LineRequest?
    /// How long a flash is.
    public var pulse: Interval
    /// Flashes of the sweep.
    public var flashes: Int
    /// Receives what is done next.
    public var progress: @Sendable (String) -> Void = { _ in }

    /// Creates a calibration.
    ///
    /// - Parameters:
    ///   - light: the output that drives the light.
    ///   - back: an input that sees the same line, both of whose edges are read.
    ///   - pulse: longer ones are seen better, shorter ones give narrower bounds.
    ///   - flashes: flashes of the sweep, at least 16.
    public init(
        light: LineRequest, back: LineRequest? = nil, pulse: Interval = .microseconds(200),
        flashes: Int = 64
    ) {
        precondition(pulse > .zero && flashes >= 16, "a sweep needs flashes")
        self.light = light
        self.back = back
        self.pulse = pulse
        self.flashes = flashes
    }

    /// Measures a camera.
    ///
    /// - Throws: ``CalibrationError`` without light, with too much of it, and where the figures contradict each other;
    ///   ``DeviceError`` if a device fails.
    public func measure(
        in world: any World, profile: CameraProfile, configuration: CaptureConfiguration
    ) throws -> TimingReport {
        let camera = try CalibrationCamera(
            world: world, profile: profile, configuration: configuration,
            lines: [light] + [back].compactMap { $0 })
        defer { camera.end() }
        guard let period = camera.promisedPeriod ?? configuration.rate?.period else {
            throw CalibrationError(
                "camera \(camera.id) promises no frame rate: choose one with --rate", .camera)
        }
        // So long that neighbouring flashes of the sweep fall into one exposure of a row.
        var exposure = try exposure(
            max(pulse * 3, period * 5 / Int64(flashes) + pulse), camera)
        progress("flashing at \(flashes) places of the frame")
        let sweep = try flash(
            (0..<flashes).map { [period * Int64(2 * $0) / Int64(flashes) - period] }, camera,
            period, [exposure.value].compactMap { $0 })
        try refuseBrightRows(sweep, camera)
        var rough = try RoughTiming(sweep)
        let fit: TimingFit
        var skew: Int64 = 0
        if let rolling = rough.rolling {
            // So short that two flashes in a frame light bands apart.
            exposure = try self.exposure(max(pulse * 3, period / 32), camera)
            let programmes = try rolling.pairs(
                flashes / 2, exposure: exposure.duration, pulse: pulse)
            progress("flashing twice in each frame")
            let pairs = try flash(
                programmes, camera, period, [exposure.value].compactMap { $0 })
            let edges = pairs.samples.enumerated().flatMap {
                rough.rows.edges($0.element, frame: $0.offset)
            }
            fit = try TimingFit(
                rolling: edges, grid: TimestampGrid(pairs.samples.map(\.timestamp), period: period))
        } else {
            let samples = try flashAcrossEnds(&rough, camera, period)
            let edges = rough.partialEdges(samples)
            skew = edges.map { $0.most - $0.least }.min() ?? 0
            fit = TimingFit(
                global: edges, grid: TimestampGrid(samples.map(\.timestamp), period: period))
        }
        return try TimingReport(
            fit, rows: rough.rows, exposureSet: exposure.duration, globalSkew: skew,
            profile: camera.profile)
    }

    /// Flashes at both ends of a global exposure, closer and closer, until many frames see a part of one.
    private func flashAcrossEnds(
        _ rough: inout RoughTiming, _ camera: CalibrationCamera, _ period: Interval
    ) throws -> [FlashSample] {
        var samples: [FlashSample] = []
        for _ in 0..<3 {
            progress("flashing at both ends of the exposure")
            let across = try rough.acrossEnds(flashes, pulse: pulse)
            let ends = try flash(across.flashes, camera, period, [])
            samples += ends.samples
            rough.note(ends.samples)
            if across.step * 8 <= pulse { break }
        }
        return samples
    }

    /// The exposure nearest to one that is wanted, within the camera's range, and the duration that it really has.
    ///
    /// - Returns: nil for both where the profile names no exposure control.
    private func exposure(
        _ wanted: Interval, _ camera: CalibrationCamera
    ) throws -> (value: ControlValue?, duration: Interval?) {
        guard let model = camera.profile.exposure else { return (nil, nil) }
        let range = model.range
        let asked = min(max(wanted, range.lowerBound), range.upperBound)
        let code = try model.code(for: asked, from: camera.profile.origin)
        return (ControlValue(model.control, code), model.duration(ofCode: code))
    }

    /// Runs one set of programmes with the light on line 0 and its return on line 1, as
    /// ``measure(in:profile:configuration:)`` opened them.
    ///
    /// - Parameter values: written first; without any, one frame is skipped, else the latency of the exposure and two
    ///   more, twelve at least.
    private func flash(
        _ programmes: [[Interval]], _ camera: CalibrationCamera, _ period: Interval,
        _ values: [ControlValue]
    ) throws -> FlashStage {
        try camera.run(
            FlashStage(
                programmes, light: 0, back: back == nil ? nil : 1, width: pulse, period: period,
                writing: values,
                settling: values.isEmpty
                    ? 1 : max(12, (camera.profile.exposure?.latencyFrames ?? 0) + 2)))
    }

    /// Refuses a scene whose brightest row is at nine tenths of full scale without the light: flashes would not show
    /// there.
    private func refuseBrightRows(_ sweep: FlashStage, _ camera: CalibrationCamera) throws {
        let full = Int64(camera.accepted.layout.pixelFormat.maximum) * 1_000
        let brightest = sweep.dark.means.max() ?? 0
        guard brightest * 10 < full * 9 else {
            throw CalibrationError(
                "saturated: without the light the brightest row is at"
                    + " \(brightest * 100 / full) % of full scale; darken the room, or turn the gain down"
            )
        }
    }
}
