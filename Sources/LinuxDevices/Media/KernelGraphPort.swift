internal import CVideo
internal import Devices
internal import Glibc

/// A media device of the kernel, with its sub-devices as they are needed.
///
/// Its topology is that of when it was made; links that were changed since show in a new one. Sub-devices that were
/// opened stay open until it goes.
final class KernelGraphPort: GraphPort {
    let path: String
    let topology: MediaTopology
    private let descriptor: Int32
    private let tree: SystemTree
    private var subdevices: [UInt32: Subdevice] = [:]

    /// - Parameter descriptor: the open media device; stays the caller's.
    /// - Throws: ``DeviceError`` if it does not describe itself.
    init(path: String, descriptor: Int32, tree: SystemTree) throws(DeviceError) {
        self.path = path
        self.descriptor = descriptor
        self.tree = tree
        switch MediaTopology.read(descriptor: descriptor) {
        case .success(let topology): self.topology = topology
        case .failure(let error):
            throw DeviceError(.failed, "media device \(path) does not describe itself: \(error)")
        }
    }

    /// The device file of a part, found by its number in sysfs; nil if it has none.
    func file(of entity: MediaTopology.Entity) -> String? {
        guard let number = entity.device,
            let node = tree.resolved("/sys/dev/char/\(number.major):\(number.minor)"),
            let name = node.split(separator: "/").last
        else { return nil }
        return tree.path("/dev/\(name)")
    }

    /// The open sub-device of an entity, opened once; nil if it has no device file.
    ///
    /// - Throws: ``DeviceError`` if rights are missing, or the kernel refuses.
    func subdevice(_ entity: UInt32) throws(DeviceError) -> Subdevice? {
        if let open = subdevices[entity] { return open }
        guard let part = topology.entity(entity), !part.isNode, let file = file(of: part) else {
            return nil
        }
        let opened = try Subdevice(part: part.name, path: file)
        subdevices[entity] = opened
        return opened
    }

    // MARK: Requests

    /// Enables or cuts a link by MEDIA_IOC_SETUP_LINK.
    ///
    /// - Returns: nil if it was done; EINVAL for a link that is fixed or not there, EBUSY while a stream runs.
    func setLink(_ link: MediaTopology.Link, isEnabled: Bool) -> KernelError? {
        guard let source = topology.pad(link.source), let sink = topology.pad(link.sink) else {
            return KernelError(code: EINVAL)
        }
        var request = media_link_desc()
        request.source.entity = source.entity
        request.source.index = UInt16(truncatingIfNeeded: source.index)
        request.sink.entity = sink.entity
        request.sink.index = UInt16(truncatingIfNeeded: sink.index)
        request.flags = isEnabled ? UInt32(MEDIA_LNK_FL_ENABLED) : 0
        return KernelError(result: fl_media_setup_link(descriptor, &request))
    }

    func setRoutes(_ routes: [SubdeviceRoute], of entity: UInt32) -> KernelError? {
        guard let part = subdevices[entity] else { return KernelError(code: ENODEV) }
        return part.setRoutes(routes)
    }

    func control(_ control: CameraControl, of entity: UInt32) -> Result<Int64, KernelError> {
        guard let part = subdevices[entity] else { return .failure(KernelError(code: ENODEV)) }
        return ControlList(descriptor: part.descriptor).read(control.rawValue, isWide: false)
    }

    /// Writes a control with a request of its own; not on the capture thread, since it allocates.
    func setControl(_ value: ControlValue, of entity: UInt32) -> KernelError? {
        guard let part = subdevices[entity] else { return KernelError(code: ENODEV) }
        let writer = ControlWriter(descriptor: part.descriptor)
        writer.put(0, id: value.control.rawValue, code: value.code)
        return KernelError(result: writer.send(1))
    }

    func format(of pad: PadStream) -> Result<BusFormat, KernelError> {
        guard let known = topology.pad(pad.pad), let part = subdevices[known.entity] else {
            return .failure(KernelError(code: ENODEV))
        }
        return part.format(pad: known.index, stream: pad.stream)
    }

    func setFormat(_ format: BusFormat, of pad: PadStream) -> Result<BusFormat, KernelError> {
        guard let known = topology.pad(pad.pad), let part = subdevices[known.entity] else {
            return .failure(KernelError(code: ENODEV))
        }
        return part.setFormat(format, pad: known.index, stream: pad.stream)
    }
}
