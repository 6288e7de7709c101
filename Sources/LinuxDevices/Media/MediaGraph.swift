internal import CVideo
internal import Devices
internal import Glibc
internal import Imaging

/// Sets up the way from a sensor to a capture node where the kernel leaves that to us (`V4L2_CAP_IO_MC`).
///
/// What is done is decided by ``GraphPlanner``. What was found is put back when the camera stops.
///
/// ``prepare(_:_:wantsMetadata:)``, then the stream, then ``putBack()``; again for each format. One thread at a time.
final class MediaGraph {
    /// The media device's file, for messages.
    let path: String
    /// What is known of the receiver beyond its graph; nil: the generic walk.
    let receiver: ReceiverModel?
    /// What its driver reports of itself.
    let information: MediaSnapshot.Information
    /// What was carried out last; nil before that and after ``putBack()``.
    private(set) var plan: GraphPlan?
    /// The open media device, which all requests on links go through.
    private let descriptor: Int32
    private let tree: SystemTree
    /// The graph as it was read last; replaced by each snapshot.
    private var port: KernelGraphPort
    /// What has changed the graph, and can put it back; nil where nothing is changed.
    private var executor: GraphExecutor?
    /// How everything stood when the camera was opened: flips may be written before a format is set.
    private var original: MediaSnapshot?

    /// Opens a media device.
    ///
    /// - Parameter receivers: descriptions, of which the one that fits is taken.
    /// - Throws: ``DeviceError`` if rights are missing, or the device does not describe itself.
    init(path: String, tree: SystemTree, receivers: [ReceiverModel] = []) throws(DeviceError) {
        self.path = path
        self.tree = tree
        let descriptor = fl_device_open(path)
        self.descriptor = descriptor
        if descriptor == -EACCES || descriptor == -EPERM {
            throw DeviceError(.permission, MissingRight.message(path: path, group: "video"))
        }
        if let error = KernelError(result: descriptor) {
            throw DeviceError(.failed, "media device \(path) could not be opened: \(error)")
        }
        information = MediaSnapshot.information(descriptor: descriptor)
        do throws(DeviceError) {
            port = try KernelGraphPort(path: path, descriptor: descriptor, tree: tree)
        } catch {
            _ = close(descriptor)
            throw error
        }
        receiver = ReceiverModel.fitting(
            driver: information.driver, entities: port.topology.entities.map(\.name),
            among: receivers)
    }

    deinit {
        _ = putBack()
        _ = close(descriptor)
    }

    /// How everything stands now.
    ///
    /// Sub-devices are opened for it, and closed at the next one.
    ///
    /// - Throws: ``DeviceError`` if a part can't be opened.
    func snapshot(_ depth: MediaSnapshot.Depth) throws(DeviceError) -> MediaSnapshot {
        port = try KernelGraphPort(path: path, descriptor: descriptor, tree: tree)
        return try MediaSnapshot.read(port, information: information, depth: depth)
    }

    /// Makes a sensor deliver a format to a capture node.
    ///
    /// Embedded data that can't be had are left out; the plan then has the reason.
    ///
    /// - Parameters:
    ///   - number: the capture node, by its device file.
    ///   - configuration: pixels, size and flips.
    ///   - wantsMetadata: whether the way of embedded data is set up too.
    /// - Throws: ``DeviceError`` naming the part that refuses; everything is as it was then, as far as that can be.
    func prepare(
        _ number: DeviceNumber, _ configuration: CaptureConfiguration, wantsMetadata: Bool
    ) throws(DeviceError) {
        let left = putBack()
        let found = try snapshot(wantsMetadata ? .planWithNodes : .plan)
        let original = original ?? found
        self.original = original
        guard let node = found.topology.entities.first(where: { $0.device == number && $0.isNode })
        else {
            throw DeviceError(.unsupported, "\(path): no sensor is linked to this capture node")
        }
        let request = GraphRequest(
            node: node.id, pixelFormat: configuration.pixelFormat, size: configuration.size,
            layout: configuration.layout, wantsMetadata: wantsMetadata)
        let plan: GraphPlan
        do throws(DeviceError) {
            plan = try GraphPlanner(snapshot: found, receiver: receiver, request: request).plan()
        } catch {
            throw DeviceError(error.kind, "\(path): \(error.message)")
        }
        let executor = GraphExecutor(port, found: original, path: path)
        do throws(DeviceError) {
            try executor.perform(plan.operations)
        } catch {
            let rest = left + executor.putBack()
            guard rest.isEmpty else {
                throw DeviceError(
                    error.kind,
                    "\(error.message); not put back as it was: \(rest.joined(separator: ", "))")
            }
            throw error
        }
        self.executor = executor
        self.plan = plan
    }

    /// The parts and links as they were read last.
    var topology: MediaTopology { port.topology }

    /// The device file of a part; nil if it has none.
    func file(of entity: MediaTopology.Entity) -> String? { port.file(of: entity) }

    /// Where embedded data come out, as the plan that was carried out has it.
    ///
    /// Its size is what the last pad before it answered; the node itself has not been asked.
    var metadataNode: MetadataNode? {
        guard let metadata = plan?.metadata, let entity = port.topology.entity(metadata.node),
            let file = port.file(of: entity), let format = executor?.formats[metadata.pad]
        else { return nil }
        return MetadataNode(path: file, format, named: metadata.format)
    }

    /// Puts back what ``prepare(_:_:wantsMetadata:)`` changed.
    ///
    /// - Returns: what could not be put back, in words.
    func putBack() -> [String] {
        defer { (executor, plan) = (nil, nil) }
        return executor?.putBack() ?? []
    }

    /// Opens the parts behind a capture node that may have controls, the sensor first.
    ///
    /// How the graph stands now is what is put back in the end, so this comes before anything is written to a part.
    ///
    /// - Throws: ``DeviceError`` if rights are missing; `unsupported` where the node does not get the sensor's pixels.
    func openParts(behind number: DeviceNumber) throws(DeviceError) -> [ControlDevice] {
        let topology = port.topology
        guard let node = topology.entities.first(where: { $0.device == number && $0.isNode }) else {
            return []
        }
        let found = try snapshot(.plan)
        original = found
        let way = found.way(to: node, receiver: receiver)
        if let converter = topology.converter(on: way) {
            throw DeviceError(
                .unsupported,
                "`\(converter.name)` makes other pixels of what the sensor sends to `\(node.name)`; framelock"
                    + " records what sensors send: use a capture node before it")
        }
        var opened: [ControlDevice] = []
        for part in topology.parts(behind: way) {
            guard let file = port.file(of: part) else { continue }
            opened.append(try ControlDevice(part: part.name, path: file))
        }
        return opened
    }

    /// The pad where the image leaves the sensor behind a capture node; nil without a sensor that is open.
    func sensorPad(behind number: DeviceNumber?, among parts: [ControlDevice]) -> SensorPad? {
        guard
            let node = port.topology.entities.first(where: { $0.device == number && $0.isNode }),
            let first = original?.way(to: node, receiver: receiver).first,
            let sensor = port.topology.entity(first.source.entity),
            let part = parts.first(where: { $0.part == sensor.name })
        else { return nil }
        return SensorPad(descriptor: part.descriptor, pad: first.source.index)
    }
}
