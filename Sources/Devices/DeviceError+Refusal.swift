internal import Glibc

extension DeviceError {
    /// Why a camera did not take a value, in words.
    ///
    /// - Parameter errno: what the driver said; positive.
    public static func refusal(
        of value: ControlValue, by camera: CameraIdentity, errno: Int32
    ) -> DeviceError {
        let what = "camera \(camera.id) refused \(value.control.name) = \(value.code)"
        let reason = String(cString: strerror(errno))
        switch errno {
        case ENODEV:
            return DeviceError(.notFound, "\(what): it is gone")
        case ETIMEDOUT:
            return DeviceError(
                .refused,
                "\(what): it did not answer in time; unplug it and plug it in again, and leave the"
                    + " setting out of the recipe if that does not help")
        case EBUSY:
            return DeviceError(.busy, "\(what): another program has the control")
        default:
            return DeviceError(
                .refused,
                "\(what): \(reason); `framelock devices` shows the control's range, and whether an"
                    + " automatic still drives it")
        }
    }
}
