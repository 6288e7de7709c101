internal import Devices

extension CameraProfile {
    /// Whether what is written before the stream starts is lost when it does.
    ///
    /// A quirk that a profile names; then everything is written once more behind the start.
    var forgetsAtStart: Bool { quirks.contains(.forgetsSettingsAtStart) }
}
