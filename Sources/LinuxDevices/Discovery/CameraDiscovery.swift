internal import CVideo
public import Devices
internal import Glibc

/// Finds the cameras that the kernel knows, and opens them by their stable ids.
///
/// Every search reads sysfs and the device files again; nothing is cached between two.
public struct CameraDiscovery: Sendable {
    /// What a search found.
    public struct Findings: Sendable {
        /// The cameras that could be asked, by the number of their device file.
        public var cameras: [CameraDescription]
        /// Cameras that are there but could not be asked, in words.
        public var problems: [DeviceError]
        /// Receivers of raw sensors without one.
        public var emptyReceivers: [EmptyReceiver] = []
    }

    /// Frame buffers that a camera gets by default: enough for a stall of a quarter second at 30 fps.
    ///
    /// The driver may grant another number; each one costs a frame's memory in the kernel.
    public static let defaultBufferCount = 8

    private let tree: SystemTree
    private let receivers: [ReceiverModel]

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - root: where /sys and /dev are looked for; another root than `/` serves tests.
    ///   - receivers: what is known of receivers of raw sensors.
    public init(root: String = "/", receivers: [ReceiverModel] = []) {
        tree = SystemTree(root: root)
        self.receivers = receivers
    }

    /// The cameras that can be used, each with what it offers.
    public func cameras() -> [CameraDescription] { search().cameras }

    /// The cameras that can be used, and why others can't.
    ///
    /// Opens every capture node for a moment, also one that another program streams from: V4L2 lets several programs
    /// open a node, and one of them stream. No format is changed.
    public func search() -> Findings {
        var findings = Findings(cameras: [], problems: [])
        for (node, identity) in known {
            do throws(DeviceError) {
                _ = try node.capability.get()
                findings.cameras.append(try describe(node, identity, &findings.problems))
            } catch {
                findings.problems.append(error)
            }
        }
        findings.emptyReceivers = emptyReceivers
        return findings
    }

    /// Describes a camera; where the parts behind it can't be opened, without their controls.
    ///
    /// - Parameter problems: takes why the parts can't be opened; the camera itself is no problem then.
    /// - Throws: ``DeviceError`` if the node itself can't be opened, or does not get what its sensor sends.
    private func describe(
        _ node: VideoNode, _ identity: CameraIdentity, _ problems: inout [DeviceError]
    ) throws(DeviceError) -> CameraDescription {
        let device = try VideoDevice(path: node.path)
        do throws(DeviceError) {
            let camera = try V4L2Camera(
                device: device, identity: identity, graph: try graph(of: node, device),
                bufferCount: 0)
            return try camera.describe()
        } catch {
            if error.kind == .unsupported { throw error }
            problems.append(error)
            return try V4L2Camera(device: device, identity: identity, bufferCount: 0).describe()
        }
    }

    /// Opens a camera for this process alone.
    ///
    /// The lock is taken before the device is opened, so that a second framelock reports who has the camera instead of
    /// the kernel's EBUSY.
    ///
    /// - Parameters:
    ///   - id: a stable id, or at the bench a device file such as `/dev/video0`.
    ///   - bufferCount: frame buffers to ask the driver for; it may grant another number.
    ///   - priority: how long the kernel is to refuse every write of other programs (`v4l2-ctl` included).
    /// - Throws: ``DeviceError``: not there (lists the ids that are), in use (names the process), rights missing.
    public func open(
        _ id: String, bufferCount: Int = CameraDiscovery.defaultBufferCount,
        priority: PriorityClaim = .untilStart
    ) throws(DeviceError) -> V4L2Camera {
        let file = tree.path(id)
        guard
            let (node, identity) = known.first(where: {
                isNamed($0.0, $0.1, id) || $0.0.path == file
            })
        else {
            throw missing(id, known)
        }
        _ = try node.capability.get()
        let lock = try DeviceLock(id: identity.id, folders: DeviceLock.folders(tree))
        let device = try VideoDevice(path: node.path)
        return try V4L2Camera(
            device: device, identity: identity, graph: try graph(of: node, device),
            clock: CameraClockNode(beside: node, in: tree),
            metadataNodes: node.usb == nil ? MetadataQueue.nodes(beside: node, in: tree) : [],
            lock: lock, priority: priority, bufferCount: bufferCount)
    }

    /// The media graph of a node whose formats are decided there; nil for all others.
    private func graph(of node: VideoNode, _ device: VideoDevice) throws(DeviceError) -> MediaGraph?
    {
        guard device.capability.isMediaCentric else { return nil }
        return try ReceiverSearch(tree: tree, receivers: receivers).graph(of: node)
    }

    /// Whether a name means a camera: its id, where the device tree has its sensor, or its driver and bus.
    private func isNamed(_ node: VideoNode, _ identity: CameraIdentity, _ name: String) -> Bool {
        if identity.id == name || node.sensor.map({ !$0.path.isEmpty && $0.path == name }) == true {
            return true
        }
        return node.sensor?.id != nil && "\(identity.driver):\(identity.bus)" == name
    }

    private var emptyReceivers: [EmptyReceiver] {
        ReceiverSearch(tree: tree, receivers: receivers).emptyReceivers()
    }

    /// Every capture node that may give frames, with its identity, in the order of the device files' numbers.
    ///
    /// Identities are made of all nodes at once: whether a serial number is unique shows only then.
    private var known: [(VideoNode, CameraIdentity)] {
        let search = ReceiverSearch(tree: tree, receivers: receivers)
        let nodes = tree.videoNodes(probe: CameraDiscovery.probe).compactMap { search.place($0) }
        return Array(zip(nodes, StableNames.identities(of: nodes)))
    }

    /// What a node reports of itself; missing rights are an error of their own kind, since such a node is still listed.
    private static func probe(_ path: String) -> Result<VideoCapability, DeviceError> {
        let descriptor = fl_device_open(path)
        if descriptor == -EACCES || descriptor == -EPERM {
            return .failure(
                DeviceError(.permission, MissingRight.message(path: path, group: "video")))
        }
        guard descriptor >= 0 else {
            return .failure(
                DeviceError(.notFound, "\(path): \(KernelError(code: -descriptor))"))
        }
        defer { close(descriptor) }
        return VideoCapability.ask(descriptor: descriptor).mapError { error in
            DeviceError(.notFound, "\(path): \(error)")
        }
    }

    /// Why no camera has this id: the ids there are, or the right that is missing to see one that may have it.
    private func missing(
        _ id: String, _ known: [(VideoNode, CameraIdentity)]
    ) -> DeviceError {
        // Only the driver knows the bus of a camera that is not on USB, and it may not be asked.
        let denied = known.compactMap { node, _ -> DeviceError? in
            if case .failure(let error) = node.capability, node.usb == nil { error } else { nil }
        }
        if let denied = denied.first, !id.hasPrefix("usb:") {
            return DeviceError(
                .permission,
                "there is no camera `\(id)` among those that may be opened; \(denied.message)")
        }
        let ids = known.map(\.1.id).joined(separator: ", ")
        let list = ids.isEmpty ? "no camera is attached" : "attached: \(ids)"
        let why = emptyReceivers.map { "; \($0.message)" }.joined()
        return DeviceError(.notFound, "there is no camera `\(id)`; \(list)\(why)")
    }
}
