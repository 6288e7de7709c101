public import Devices
public import Imaging
internal import Timebase

/// Measures how a camera sees grey under an illuminant whose temperature is known.
///
/// A session adds one point to the profile's curve; two illuminants at least make a curve. Raw sensors are only
/// watched; a camera with gains of its own is set to unity, and then to the gains that were found, as a check.
public struct BalanceCalibration: Sendable {
    /// The illuminant's colour temperature in kelvin, as the person states it; nothing measures it.
    public var kelvin: Int64
    /// Points from elsewhere, for a profile without a curve; where two have one temperature, the later one counts.
    public var points: [ColourCurve.Point]

    /// Creates a calibration.
    public init(kelvin: Int64, points: [ColourCurve.Point] = []) {
        self.kelvin = kelvin
        self.points = points
    }

    /// Measures a camera that looks at a grey card.
    ///
    /// Frames that may still have the old gains are skipped: the profile's latency and two more, four at least.
    ///
    /// - Parameters:
    ///   - world: the camera and its time; what was changed is given back at the end.
    ///   - profile: its white-balance model, without which there is nothing to measure.
    ///   - configuration: a format with colour.
    /// - Throws: ``CalibrationError`` where the card can't be measured, or the camera balances by temperature alone;
    ///   `DeviceError` if the camera fails.
    public func measure(
        in world: any World, profile: CameraProfile, configuration: CaptureConfiguration
    ) throws -> BalanceReport {
        guard let model = profile.whiteBalance else {
            throw CalibrationError(
                "camera profile `\(profile.name)` has no `white_balance`", .camera)
        }
        guard model.isMetadata || model.components != nil else {
            throw CalibrationError(
                "camera profile `\(profile.name)` sets colour temperature alone: the sensor's response"
                    + " can't be separated from the camera's processing", .camera)
        }
        let camera = try CalibrationCamera(
            world: world, profile: profile, configuration: configuration)
        defer { camera.end() }
        let skipped = max(4, model.latencyFrames + 2)
        func values(_ red: Int64, _ blue: Int64) -> [ControlValue] {
            guard let components = model.components else { return [] }
            return [
                ControlValue(components.red, components.codes.nearest(red) ?? red),
                ControlValue(components.blue, components.codes.nearest(blue) ?? blue),
            ]
        }
        let unity = model.components?.unity ?? 0
        let seen = try camera.run(GrayStage(values(unity, unity), skipping: skipped)).ratios()
        var report = BalanceReport(
            point: .init(kelvin: kelvin, redMillionths: seen.red, blueMillionths: seen.blue),
            old: model.curve, added: points)
        if let components = model.components {
            // The gains that make the card neutral, as far as their codes go: does it become so?
            let red = (unity * 1_000_000 + seen.red / 2) / max(1, seen.red)
            let blue = (unity * 1_000_000 + seen.blue / 2) / max(1, seen.blue)
            if components.codes.nearest(red) == red, components.codes.nearest(blue) == blue {
                let balanced = try camera.run(GrayStage(values(red, blue), skipping: skipped))
                    .ratios()
                report.residual = (balanced.red - 1_000_000, balanced.blue - 1_000_000)
            }
        }
        return report
    }
}
