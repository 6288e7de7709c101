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
                    try world.camera.set(values, isOptional: isOptional)
                    result.writtenAt = world.now()
                case .writeKept(let controls):
                    for value in kept where controls.contains(value.control) {
                        try world.camera.set([value])
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
}
