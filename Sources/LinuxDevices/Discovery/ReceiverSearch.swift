internal import Devices

/// Finds the sensor behind each capture node of a receiver.
///
/// It opens media devices and closes them again; nothing is changed in a graph.
struct ReceiverSearch {
    let tree: SystemTree
    let receivers: [ReceiverModel]
    /// - Parameters:
    ///   - tree: where /sys and /dev are.
    ///   - receivers: descriptions of receivers; a graph that none fits is walked without.
    init(tree: SystemTree, receivers: [ReceiverModel]) {
        self.tree = tree
        self.receivers = receivers
    }

    /// The media device whose graph has a node; nil if it belongs to none.
    ///
    /// USB cameras have a media device as well; whoever asks leaves them out where it matters.
    ///
    /// - Throws: ``DeviceError`` if a media device beside the node can't be opened or described.
    func graph(of node: VideoNode) throws(DeviceError) -> MediaGraph? {
        let names = tree.names(in: node.devicePath).filter { $0.hasPrefix("media") }
        var found: MediaGraph?
        for name in names where found?.has(node) != true {
            found = try MediaGraph(
                path: tree.path("/dev/\(name)"), tree: tree, receivers: receivers)
        }
        return found
    }

    /// Receivers whose media device has no sensor.
    ///
    /// Drivers of receivers register their capture nodes when the sensor comes, so a media device without any node
    /// waits for one; those with nodes all the same are recognised by their descriptions.
    func emptyReceivers() -> [EmptyReceiver] {
        let names = tree.names(in: "/dev").filter { $0.hasPrefix("media") }
        let graphs = names.compactMap {
            try? MediaGraph(path: tree.path("/dev/\($0)"), tree: tree, receivers: receivers)
        }
        let empty = graphs.filter { graph in
            let entities = graph.topology.entities
            return !entities.contains { $0.function == MediaTopology.sensorFunction }
                && (graph.receiver != nil || !entities.contains(where: \.isNode))
        }
        guard !empty.isEmpty else { return [] }
        let untaken = tree.untakenSensors
        return empty.map { graph in
            EmptyReceiver(
                driver: graph.information.driver, path: graph.path, bus: graph.information.bus,
                untaken: untaken)
        }
    }

    /// The node with its sensor; nil for a node that gives no frames of a sensor although its kind could.
    ///
    /// Of a receiver that is known only the node for unprocessed images counts.
    func place(_ node: VideoNode) -> VideoNode? {
        guard node.usb == nil, case .success = node.capability else { return node }
        let graph: MediaGraph?
        do throws(DeviceError) {
            graph = try self.graph(of: node)
        } catch {
            // The camera is listed all the same; opening it reports why its parts can't be.
            return node
        }
        guard let graph, graph.has(node) else { return node }
        if let receiver = graph.receiver, !graph.isImageNode(node) {
            if receiver.start == .enabled || receiver.metadata != nil { return nil }
        }
        guard let sensor = graph.sensor(behind: node) else {
            // A receiver that is known and has no sensor is listed as such.
            return graph.receiver == nil ? node : nil
        }
        guard sensor.function == MediaTopology.sensorFunction else { return node }
        var placed = node
        placed.sensor = SensorPlace(
            entity: sensor.name, device: sensor.device,
            receiver: graph.receiver?.name ?? graph.information.driver, in: tree)
        return placed
    }
}
