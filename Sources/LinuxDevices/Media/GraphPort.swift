internal import CVideo
internal import Devices

/// What a plan is carried out on: the kernel, or in tests a model of it.
///
/// Every request returns 0 or the answer, or an errno.
protocol GraphPort: AnyObject {
    func setLink(_ link: MediaTopology.Link, isEnabled: Bool) -> KernelError?
    func setRoutes(_ routes: [SubdeviceRoute], of entity: UInt32) -> KernelError?
    func control(_ control: CameraControl, of entity: UInt32) -> Result<Int64, KernelError>
    func setControl(_ value: ControlValue, of entity: UInt32) -> KernelError?
    func format(of pad: PadStream) -> Result<BusFormat, KernelError>
    func setFormat(_ format: BusFormat, of pad: PadStream) -> Result<BusFormat, KernelError>
}
