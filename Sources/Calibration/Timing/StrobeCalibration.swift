public import Devices
public import Timebase

/// Measures how late a camera's timestamps are, from its own strobe output on an input line.
///
/// The strobe is taken to be active from the start to the end of the exposure, and a timestamp to lie less than a frame
/// after that end. It gives no figure for rows.
public struct StrobeCalibration: Sendable {
    /// The input, both of whose edges are read.
    public var line: LineRequest
    /// How late an edge is timestamped at most; edges are never timestamped early.
    public var edgeDelay: Interval
    /// Frames that are looked at; more than half of them have to have a strobe's end before their timestamp.
    public var frames: Int

    /// Creates a calibration.
    public init(line: LineRequest, edgeDelay: Interval, frames: Int = 64) {
        precondition(edgeDelay >= .zero && frames > 0)
        self.line = line
        self.edgeDelay = edgeDelay
        self.frames = frames
    }

    /// Measures a camera.
    ///
    /// The first frames are skipped: the profile's start-up frames, four at least. Figures that only a light can show
    /// stay nil.
    ///
    /// - Throws: ``CalibrationError`` without edges, with edges of too few frames, and where strobes contradict each
    ///   other; ``DeviceError`` if a device fails.
    public func measure(
        in world: any World, profile: CameraProfile, configuration: CaptureConfiguration
    ) throws -> TimingReport {
        let camera = try CalibrationCamera(
            world: world, profile: profile, configuration: configuration, lines: [line])
        defer { camera.end() }
        guard let period = camera.promisedPeriod ?? configuration.rate?.period else {
            throw CalibrationError(
                "camera \(camera.id) promises no frame rate: choose one with --rate", .camera)
        }
        let stage = try camera.run(
            StrobeStage(
                frames: frames, skipping: max(4, camera.profile.startupFrames), line: line.name))
        var report = TimingReport(
            source: .strobe, delay: delay(stage, period: period))
        guard report.delay.count * 2 > frames else {
            throw CalibrationError(
                "only \(report.delay.count) of \(frames) frames have the end of a strobe before their timestamp:"
                    + " edges are lost, or the line is not the camera's strobe")
        }
        report.exposure = try exposure(stage)
        if let model = camera.profile.exposure, let code = try camera.describe(model.control)?.code
        {
            report.exposureSet = model.duration(ofCode: code)
        }
        return report
    }

    /// The timestamp less the last end of a strobe that can lie before it, for each frame that has one less than a
    /// period before.
    ///
    /// An edge's timestamp is late by up to ``edgeDelay``, so the delay may be that much longer than it looks.
    private func delay(_ stage: StrobeStage, period: Interval) -> [TimingReport.Span] {
        let ends = stage.edges.filter { !$0.isRising }.map(\.timestamp)
        return stage.timestamps.compactMap { timestamp in
            guard let end = ends.last(where: { $0 - edgeDelay <= timestamp }),
                timestamp - end < period
            else { return nil }
            return (timestamp - end)...(timestamp - end + edgeDelay)
        }
    }

    /// What all strobes agree on: each is as long as it looks, but for how late either of its edges may be.
    ///
    /// Only edges that follow each other in the kernel's count are pairs.
    ///
    /// - Returns: nil without a pair.
    /// - Throws: ``CalibrationError`` where no length explains every strobe.
    private func exposure(_ stage: StrobeStage) throws(CalibrationError) -> TimingReport.Span? {
        var (least, most): (Interval?, Interval?) = (nil, nil)
        // Half of the frames, so that the exposure that was there before has gone.
        let edges = stage.edges.suffix(frames)
        for (rise, fall) in zip(edges, edges.dropFirst())
        where rise.isRising && !fall.isRising && fall.lineSequence == rise.lineSequence + 1 {
            let span = fall.timestamp - rise.timestamp
            least = max(least ?? span - edgeDelay, span - edgeDelay)
            most = min(most ?? span + edgeDelay, span + edgeDelay)
        }
        guard let least, let most else { return nil }
        guard least <= most else {
            throw CalibrationError(
                "strobes differ by more than edges can be late: set how late they are with"
                    + " --edge-delay, or lock the exposure")
        }
        return max(.zero, least)...most
    }
}
