public import Devices
internal import Imaging
public import Timebase

/// Measures how a lens moves: where it is sharp from either side, and how long it takes to come to rest.
///
/// A coarse scan over the whole range, a fine one around its best code from each side, then moves to the sharpest place
/// that are watched frame by frame.
public struct LensCalibration: Sendable {
    /// How long the lens is given to come to rest; more than it can take, or every figure is wrong.
    public var rest: Interval
    /// Moves that are watched for the settle time.
    public var trials: Int
    /// The sharpest code of an earlier measurement with the target farther away; nil if there was none.
    public var fartherCode: Int64?
    /// Receives what is done next.
    public var progress: @Sendable (String) -> Void = { _ in }

    /// Creates a calibration.
    public init(
        rest: Interval = .milliseconds(500), trials: Int = 5, fartherCode: Int64? = nil
    ) {
        precondition(rest > .zero && trials > 0, "a lens needs time")
        self.rest = rest
        self.trials = trials
        self.fartherCode = fartherCode
    }

    /// Measures a camera that looks at a target with detail, whose distance lies well within the lens's range.
    ///
    /// - Throws: ``CalibrationError`` without a lens that moves, without detail, and where the sharpest place lies at
    ///   an end of the range; `DeviceError` if the camera fails.
    public func measure(
        in world: any World, profile: CameraProfile, configuration: CaptureConfiguration
    ) throws -> LensReport {
        guard let model = profile.focus else {
            throw CalibrationError(
                "camera profile `\(profile.name)` has no `focus`: describe the lens's control first",
                .camera)
        }
        let camera = try CalibrationCamera(
            world: world, profile: profile, configuration: configuration)
        defer { camera.end() }
        let session = LensSession(calibration: self, camera: camera, model: model)
        return try session.measure()
    }
}

/// One lens calibration under way.
private struct LensSession {
    /// Steps of the first scan over the whole range.
    private static let coarseSteps: Int64 = 16
    /// Steps of the scans around its best code, over three coarse steps to either side.
    private static let fineSteps: Int64 = 24

    let calibration: LensCalibration
    let camera: CalibrationCamera
    let model: FocusModel

    private var low: Int64 { min(model.nearCode, model.farCode) }
    private var high: Int64 { max(model.nearCode, model.farCode) }

    /// Scans, compares both directions, and watches moves.
    ///
    /// - Throws: ``CalibrationError`` without contrast, and where it is sharpest at an end of the range.
    func measure() throws -> LensReport {
        calibration.progress("looking for the sharpest place")
        let coarse = try scan(codes(low, high, steps: Self.coarseSteps))
        guard coarse.hasContrast, let peak = coarse.peak else {
            throw CalibrationError(
                "no texture: sharpness does not change with the lens (\(coarse.least) to"
                    + " \(coarse.most)); point the camera at a target with fine detail, in good light"
            )
        }
        guard peak > 0, peak < coarse.points.count - 1 else {
            throw CalibrationError(
                "the target is sharpest at code \(coarse.points[peak].code), an end of the lens's range:"
                    + " move it, or correct `near` and `far` of the profile")
        }
        let step = (high - low) / Self.coarseSteps
        let centre = coarse.points[peak].code
        let (from, to) = (max(low, centre - 3 * step), min(high, centre + 3 * step))
        let fine = codes(from, to, steps: Self.fineSteps)
        calibration.progress("coming from lower codes")
        let up = try scan(fine)
        calibration.progress("coming from higher codes")
        let down = try scan(fine.reversed())
        var report = try LensReport(
            up: up, down: down, step: max(1, (to - from) / Self.fineSteps), model: model,
            fartherCode: calibration.fartherCode)
        calibration.progress("watching the lens come to rest")
        report.settle = try settle(report)
        return report
    }

    /// Codes from one end to the other, both included, evenly spaced; fewer where the range has fewer.
    private func codes(_ from: Int64, _ to: Int64, steps: Int64) -> [Int64] {
        let count = min(steps, max(1, to - from))
        return (0...count).map { from + (to - from) * $0 / count }
    }

    /// Goes through codes in one direction, beginning beyond the first: from the range's end, whose own reading is left
    /// out, so that every code is reached from one side.
    private func scan(_ codes: [Int64]) throws -> SharpnessCurve {
        let isUp = (codes.last ?? 0) > (codes.first ?? 0)
        let moves = try run([isUp ? low : high] + codes, isWatched: false).dropFirst()
        return SharpnessCurve(moves.map { .init(code: $0.code, score: $0.mean) })
    }

    private func run(_ codes: [Int64], isWatched: Bool) throws -> [LensMoves.Move] {
        try camera.run(
            LensMoves(
                codes, control: model.control, rest: calibration.rest,
                skippedFrames: model.latencyFrames + 1, isWatched: isWatched)
        ).moves
    }

    /// From an end of the range to the sharpest place, again and again, from the side from which positions are
    /// approached.
    ///
    /// - Returns: bounds of the slowest move; nil if no move could be seen.
    private func settle(_ report: LensReport) throws -> ClosedRange<Interval>? {
        let side = report.approach?.side ?? .far
        let start = side == .near ? model.nearCode : model.farCode
        let isUp = start == low
        let target = ((isUp ? report.sharpestUp : report.sharpestDown) + 500) / 1_000
        let codes = (0..<calibration.trials).flatMap { _ in [start, target] }
        let moves = try run(codes, isWatched: true)
        let half = try exposure() / 2
        let fits = stride(from: 1, to: moves.count, by: 2).compactMap { index in
            SettleFit(
                times(moves[index], exposureHalf: half),
                from: moves[index - 1].scores.last?.score ?? 0)
        }
        guard let least = fits.map(\.least).max(), let most = fits.map(\.most).max() else {
            return nil
        }
        return min(least, most)...most
    }

    /// Middles of exposures since the lens could begin to move: the frame before the first that shows the write ended.
    private func times(
        _ move: LensMoves.Move, exposureHalf: Interval
    ) -> [(time: Interval, score: Int64)] {
        let index = model.latencyFrames - 1
        guard let written = move.written else { return [] }
        let begin =
            index >= 0 && index < move.timestamps.count
            ? move.timestamps[index] - camera.profile.timestamps.delay : written.begun
        return move.scores.filter { $0.timestamp > begin }.map {
            ($0.timestamp - exposureHalf - begin, $0.score)
        }
    }

    private func exposure() throws -> Interval {
        guard let model = camera.profile.exposure,
            let code = try camera.describe(model.control)?.code
        else { return .zero }
        return model.duration(ofCode: code)
    }
}
