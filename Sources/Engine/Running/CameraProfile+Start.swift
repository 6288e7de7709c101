internal import Devices

extension CameraProfile {
    /// Whether what is written before the stream starts is lost when it does.
    var forgetsAtStart: Bool { quirks.contains(.forgetsSettingsAtStart) }
}
