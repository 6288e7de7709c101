public import Timebase

extension CameraDriver {
    /// That no frame came for so long: why, as far as the driver can tell, and what to look at.
    ///
    /// A sensor's ribbon cable is not made to be pulled while it has power.
    public func noFrame(for span: Interval) -> DeviceError {
        let reasons = whyNoFrames()
        let advice =
            identity.sensor == nil
            ? "unplug it and plug it in again, or choose a lower rate"
            : "look at what its driver says in `dmesg` and, with the power off, at its ribbon cable; or choose a"
                + " lower rate"
        return DeviceError(
            .failed,
            "camera \(identity.id) has delivered no frame for \(span): "
                + (reasons.isEmpty ? advice : reasons.joined(separator: "; ")))
    }
}
