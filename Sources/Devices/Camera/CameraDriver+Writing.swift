internal import Glibc

// The one way in which runs, live control and calibrations write controls.
extension CameraDriver {
    /// Writes controls in one call, and once more where the bus refused them (EIO, EILSEQ): USB cameras do that now and
    /// then, and take the same values a moment later.
    ///
    /// Allocates nothing.
    ///
    /// - Parameter repeated: takes the positive errno of a write that is made once more.
    /// - Returns: 0, or the positive errno.
    public func writeTwice(
        _ values: UnsafeBufferPointer<ControlValue>, _ repeated: (Int32) -> Void
    ) -> Int32 {
        let errno = -write(values)
        guard errno == EIO || errno == EILSEQ else { return errno }
        repeated(errno)
        return -write(values)
    }

    /// Writes controls in one call, as ``writeTwice(_:_:)`` does.
    ///
    /// - Parameters:
    ///   - isOptional: whether a control that the camera does not have (EINVAL) is passed over.
    ///   - repeated: takes the positive errno of a write that is made once more.
    /// - Returns: false for a control that was passed over.
    /// - Throws: ``DeviceError`` that names the controls and what to do.
    @discardableResult
    public func set(
        _ values: [ControlValue], isOptional: Bool = false, _ repeated: (Int32) -> Void = { _ in }
    ) throws(DeviceError) -> Bool {
        let errno = values.withUnsafeBufferPointer { writeTwice($0, repeated) }
        if errno == 0 { return true }
        if isOptional, errno == EINVAL { return false }
        throw .refusal(of: values, by: identity, errno: errno)
    }
}

extension DeviceError {
    /// Why a camera did not take values, in words.
    ///
    /// - Parameter errno: what the driver returned; positive.
    public static func refusal(
        of values: [ControlValue], by camera: CameraIdentity, errno: Int32
    ) -> DeviceError {
        let list = values.map { "\($0.control.name) = \($0.code)" }.joined(separator: ", ")
        let what = "camera \(camera.id) refused \(list)"
        let reason = String(cString: strerror(errno))
        return switch errno {
        case ENODEV, ESHUTDOWN: DeviceError(.notFound, "\(what): it is gone")
        case ETIMEDOUT:
            DeviceError(
                .refused,
                "\(what): it did not answer in time; unplug it and plug it in again, and leave the"
                    + " setting out of the recipe if that does not help")
        case EBUSY: DeviceError(.busy, "\(what): another program has the control")
        case EACCES:
            DeviceError(
                .refused,
                "\(what): an automatic still drives it; name what switches it off under"
                    + " `automatics_off` in the camera's profile")
        default:
            DeviceError(
                .refused,
                "\(what): \(reason); `framelock devices` shows the control's range, and whether an"
                    + " automatic still drives it")
        }
    }
}
