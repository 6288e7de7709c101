internal import CVideo
internal import Cameras
internal import Glibc
internal import Imaging

/// Sets up the way from a sensor to a capture node where the kernel leaves that to us (`V4L2_CAP_IO_MC`).
///
/// One format from end to end: what the sensor delivers is what is captured. Converters that hang on the sensor besides
/// are given the same format, and what follows them is cut off, because the kernel wants every enabled part to match.
final class MediaGraph {
    let path: String
    private let descriptor: Int32
    private let tree: SystemTree

    /// Opens a media device.
    init(path: String, tree: SystemTree) throws(CameraError) {
        self.path = path
        self.tree = tree
        descriptor = fl_device_open(path)
        if descriptor == -EACCES || descriptor == -EPERM {
            throw CameraError(.permission, MissingRight.message(path: path, group: "video"))
        }
        if let error = KernelError(result: descriptor) {
            throw CameraError(.failed, "media device \(path) could not be opened: \(error)")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes a sensor deliver a format to a capture node.
    ///
    /// - Parameters:
    ///   - node: the capture node's device number.
    ///   - pixelFormat: what is to arrive.
    ///   - size: frame size.
    /// - Throws: ``CameraError`` naming the part that refuses.
    func prepare(_ node: DeviceNumber, _ pixelFormat: PixelFormat, _ size: FrameSize)
        throws(CameraError)
    {
        guard let code = BusCode.of(pixelFormat) else {
            throw CameraError(
                .unsupported,
                "\(path): \(pixelFormat.name) can't be asked from a sensor; raw Bayer and grey "
                    + "formats can")
        }
        let topology = try read()
        let way = topology.way(to: node)
        guard !way.isEmpty else {
            throw CameraError(.unsupported, "\(path): no sensor is linked to this capture node")
        }
        for step in way {
            if let sink = step.sink { try setFormat(topology, sink, code, size) }
            try setFormat(topology, step.source, code, size)
            if !step.link.isEnabled { try setLink(topology, step.link, isEnabled: true) }
        }
        for branch in topology.sideBranches(of: way) {
            guard let sink = topology.pad(branch.sink),
                topology.entity(sink.entity)?.device != nil
            else { continue }
            for link in topology.cuttableLinks(from: sink.entity) {
                try setLink(topology, link, isEnabled: false)
            }
            try setFormat(topology, sink, code, size)
        }
        // What hangs on the sensor was set after it, and a flip may have been changed meanwhile.
        if let sensor = way.first?.source { try checkFormat(topology, sensor, code, size) }
    }

    /// Opens the parts behind a capture node that may have controls, the sensor first.
    ///
    /// - Throws: ``CameraError`` if rights are missing.
    func openParts(behind node: DeviceNumber) throws(CameraError) -> [ControlDevice] {
        let parts = try read().parts(
            behind: node, lens: fl_entity_lens, sensor: fl_entity_sensor)
        var opened: [ControlDevice] = []
        for part in parts {
            guard let file = file(of: part) else { continue }
            opened.append(try ControlDevice(part: part.name, path: file))
        }
        return opened
    }

    /// The pad where the image leaves the sensor behind a capture node; nil without a sensor that is open.
    func sensorPad(behind node: DeviceNumber?, among parts: [ControlDevice]) -> SensorPad? {
        guard let node, let topology = try? read(), let first = topology.way(to: node).first,
            let sensor = topology.entity(first.source.entity),
            let part = parts.first(where: { $0.part == sensor.name })
        else { return nil }
        return SensorPad(descriptor: part.descriptor, pad: first.source.index)
    }

    /// The device file of a part; nil if it has none.
    private func file(of entity: MediaTopology.Entity) -> String? {
        guard let number = entity.device,
            let node = tree.resolved("/sys/dev/char/\(number.major):\(number.minor)"),
            let name = node.split(separator: "/").last
        else { return nil }
        return tree.path("/dev/\(name)")
    }

    private func read() throws(CameraError) -> MediaTopology {
        switch MediaTopology.read(descriptor: descriptor) {
        case .success(let topology): return topology
        case .failure(let error):
            throw CameraError(.failed, "media device \(path) does not describe itself: \(error)")
        }
    }

    private func setFormat(
        _ topology: MediaTopology, _ pad: MediaTopology.Pad, _ code: UInt32, _ size: FrameSize
    ) throws(CameraError) {
        try withFormat(topology, pad, code, size) { fl_subdev_s_fmt($0, $1) }
    }

    private func checkFormat(
        _ topology: MediaTopology, _ pad: MediaTopology.Pad, _ code: UInt32, _ size: FrameSize
    ) throws(CameraError) {
        try withFormat(topology, pad, code, size) { fl_subdev_g_fmt($0, $1) }
    }

    /// Sends a request for a pad's format, and holds the answer against what is wanted.
    private func withFormat(
        _ topology: MediaTopology, _ pad: MediaTopology.Pad, _ code: UInt32, _ size: FrameSize,
        _ send: (Int32, UnsafeMutablePointer<v4l2_subdev_format>) -> Int32
    ) throws(CameraError) {
        guard let entity = topology.entity(pad.entity), let file = file(of: entity) else { return }
        let subdevice = fl_device_open(file)
        if subdevice == -EACCES || subdevice == -EPERM {
            throw CameraError(.permission, MissingRight.message(path: file, group: "video"))
        }
        guard subdevice >= 0 else { throw refusal(entity.name, size, -subdevice) }
        defer { close(subdevice) }
        var request = v4l2_subdev_format()
        request.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
        request.pad = pad.index
        request.format.width = UInt32(size.width)
        request.format.height = UInt32(size.height)
        request.format.code = code
        let result = send(subdevice, &request)
        guard result >= 0 else { throw refusal(entity.name, size, -result) }
        let given = request.format
        guard given.code == code, given.width == size.width, given.height == size.height else {
            throw CameraError(
                .unsupported,
                "`\(entity.name)` of \(path) can't deliver \(size) in \(BusCode.text(code)), the nearest is "
                    + "\(given.width)x\(given.height) in \(BusCode.text(given.code))"
                    + BusCode.advice(wanted: code, given: given.code))
        }
    }

    private func refusal(_ entity: String, _ size: FrameSize, _ code: Int32) -> CameraError {
        CameraError(
            code == EBUSY ? .busy : .failed,
            "`\(entity)` of \(path) could not be set to \(size): \(KernelError(code: code))")
    }

    private func setLink(
        _ topology: MediaTopology, _ link: MediaTopology.Link, isEnabled: Bool
    ) throws(CameraError) {
        guard let source = topology.pad(link.source), let sink = topology.pad(link.sink) else {
            return
        }
        var request = media_link_desc()
        request.source.entity = source.entity
        request.source.index = UInt16(truncatingIfNeeded: source.index)
        request.sink.entity = sink.entity
        request.sink.index = UInt16(truncatingIfNeeded: sink.index)
        request.flags = isEnabled ? UInt32(MEDIA_LNK_FL_ENABLED) : 0
        if let error = KernelError(result: fl_media_setup_link(descriptor, &request)) {
            let names = [source, sink].map { topology.entity($0.entity)?.name ?? "?" }
            throw CameraError(
                error.code == EBUSY ? .busy : .failed,
                "the link from `\(names[0])` to `\(names[1])` of \(path) could not be "
                    + "\(isEnabled ? "enabled" : "cut"): \(error)")
        }
    }
}
