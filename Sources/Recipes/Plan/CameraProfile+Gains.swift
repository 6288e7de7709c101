package import Devices
package import Imaging

extension CameraProfile {
    /// The gains that a camera leaves to whoever develops its frames: those of a raw sensor, which keeps white balance
    /// as metadata.
    ///
    /// - Returns: nil where no gains are asked for, and for a camera that has balanced its samples already.
    package func gainsToDevelop(_ settings: PlannedSettings) -> ChannelGains? {
        guard whiteBalance?.isMetadata == true,
            case .gains(let red, let green, let blue) = settings.quantised.whiteBalance.asked
        else { return nil }
        return ChannelGains(
            redMillionths: red.millionths, greenMillionths: green.millionths,
            blueMillionths: blue.millionths)
    }
}
