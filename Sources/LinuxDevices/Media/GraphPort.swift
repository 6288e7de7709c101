internal import CVideo
internal import Devices

/// What a plan is carried out on: the kernel, or in tests a model of it.
///
/// Every request returns 0 or the answer, or an errno. One thread at a time, and no stream runs: the kernel refuses
/// changes then (EBUSY).
protocol GraphPort: AnyObject {
    /// Enables or cuts a link; one that is fixed is refused (EINVAL).
    func setLink(_ link: MediaTopology.Link, isEnabled: Bool) -> KernelError?
    /// Replaces all routes of a sub-device, which takes its formats back to the driver's own.
    func setRoutes(_ routes: [SubdeviceRoute], of entity: UInt32) -> KernelError?
    func control(_ control: CameraControl, of entity: UInt32) -> Result<Int64, KernelError>
    func setControl(_ value: ControlValue, of entity: UInt32) -> KernelError?
    func format(of pad: PadStream) -> Result<BusFormat, KernelError>
    /// Asks a pad for a format; the answer is what the driver made of it, which may be another one.
    func setFormat(_ format: BusFormat, of pad: PadStream) -> Result<BusFormat, KernelError>
}
