internal import Devices
internal import Imaging
internal import Recipes

/// What is still to be done to the colours of a plan's frames, by what the profile knows of the camera.
///
/// Gains and matrices are in millionths.
struct StillColour {
    let profile: CameraProfile

    /// The gains that the camera left to us: those of a raw sensor, which keeps white balance as metadata.
    ///
    /// A camera with controls of its own has balanced its samples already.
    func gains(_ settings: PlannedSettings) -> ChannelGains {
        profile.gainsToDevelop(settings) ?? .unity
    }

    /// The matrix from balanced colours to linear sRGB for the light that the gains make neutral.
    ///
    /// Between two temperatures matrices are mixed in proportion, beyond them the nearest holds. The temperature is the
    /// one that the profile's curve gives for the gains, in whole kelvin; without one the first matrix holds.
    ///
    /// - Returns: nil if the profile has none.
    func matrix(_ gains: ChannelGains) -> [Int64]? {
        guard let balance = profile.whiteBalance, let first = balance.matrices.first,
            let last = balance.matrices.last
        else { return nil }
        guard let light = balance.curve?.temperature(of: gains)?.value.wholeKelvin,
            light > first.kelvin
        else { return first.millionths }
        guard let next = balance.matrices.first(where: { $0.kelvin >= light }) else {
            return last.millionths
        }
        let before = balance.matrices.last { $0.kelvin < light } ?? first
        let span = next.kelvin - before.kelvin
        guard span > 0, before.millionths.count == next.millionths.count else {
            return next.millionths
        }
        return zip(before.millionths, next.millionths).map { low, high in
            low + (high - low) * (light - before.kelvin) / span
        }
    }

    /// What the samples of frames mean.
    ///
    /// - Parameters:
    ///   - layout: of the recorded frames.
    ///   - settings: of the frame.
    ///   - serial: names the camera in the file.
    func raw(
        _ layout: FrameLayout, _ settings: PlannedSettings, serial: String
    ) -> RawDescription {
        let gains = gains(settings)
        let levels = profile.levels(bits: layout.pixelFormat.bitsPerSample)
        return RawDescription(
            format: layout.pixelFormat, size: layout.size,
            black: [Int(levels?.black ?? 0)], white: levels.map { Int($0.white) }, gains: gains,
            matrixMillionths: matrix(gains), serial: serial)
    }
}
