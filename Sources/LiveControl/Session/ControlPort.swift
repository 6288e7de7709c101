internal import Devices
internal import Glibc
internal import Timebase

/// Carries exchanges out on a camera, on the thread that the world belongs to.
struct ControlPort {
    let world: any World

    /// Does every step in order; stops at the first that fails, and what was done before it stays done.
    ///
    /// - Returns: what was read back, and when the last write returned; without a write, when the exchange began.
    func perform(_ exchange: ControlExchange) -> ExchangeResult {
        var kept: [ControlValue] = []
        var result = ExchangeResult(writtenAt: world.now())
        for step in exchange.steps {
            do {
                switch step {
                case .keep(let control):
                    kept.append(ControlValue(control, try read(control)))
                case .write(let values, let isOptional):
                    try write(values, isOptional: isOptional)
                    result.writtenAt = world.now()
                case .writeKept(let controls):
                    for value in kept where controls.contains(value.control) {
                        try write([value], isOptional: false)
                    }
                    result.writtenAt = world.now()
                case .read(let control):
                    result.found.append(ControlValue(control, try read(control)))
                }
            } catch {
                result.failure = error
                return result
            }
        }
        return result
    }

    private func read(_ control: CameraControl) throws(DeviceError) -> Int64 {
        try world.camera.read(control).get()
    }

    /// Writes values in one call.
    ///
    /// A refusal on the bus (EIO, EILSEQ) is tried once more: I²C and USB stall now and then.
    ///
    /// - Parameter isOptional: whether a camera without the control (EINVAL) is passed over.
    /// - Throws: `DeviceError` with what to do, by what the kernel says.
    private func write(_ values: [ControlValue], isOptional: Bool) throws(DeviceError) {
        var status = values.withUnsafeBufferPointer { world.camera.write($0) }
        if status == -EIO || status == -EILSEQ {
            status = values.withUnsafeBufferPointer { world.camera.write($0) }
        }
        // EINVAL: the camera has no such control.
        if status >= 0 || (isOptional && status == -EINVAL) { return }
        throw refusal(of: values, errno: -status)
    }

    private func refusal(of values: [ControlValue], errno: Int32) -> DeviceError {
        let list = values.map { "\($0.control.name) = \($0.code)" }.joined(separator: ", ")
        let what = "camera \(world.camera.identity.id) refused \(list)"
        let reason = String(cString: strerror(errno))
        return switch errno {
        case ENODEV, ESHUTDOWN: DeviceError(.notFound, "\(what): it is gone")
        case EBUSY: DeviceError(.busy, "\(what): another program has the control")
        case EACCES:
            DeviceError(
                .refused,
                "\(what): an automatic still drives it; name what switches it off under"
                    + " `automatics_off` in the camera's profile")
        default:
            DeviceError(
                .refused,
                "\(what): \(reason); `framelock devices` shows what the control takes")
        }
    }
}
