public import Timebase

extension CameraDriver {
    /// The error for a stream without frames for so long: the reason as far as the driver knows it, and a remedy.
    ///
    /// A sensor's ribbon cable is not made to be pulled while it has power.
    public func noFrame(for span: Interval) -> DeviceError {
        let reasons = whyNoFrames()
        let advice =
            identity.sensor == nil
            ? "unplug it and plug it in again, or choose a lower rate"
            : "look at what its driver reports in `dmesg` and, with the power off, at its ribbon cable; or choose a"
                + " lower rate"
        return DeviceError(
            .failed,
            "camera \(identity.id) has delivered no frame for \(span): "
                + (reasons.isEmpty ? advice : reasons.joined(separator: "; ")))
    }
}
