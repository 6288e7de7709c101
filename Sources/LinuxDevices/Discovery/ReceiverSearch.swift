internal import Cameras

/// Finds the sensor behind each capture node of a receiver.
struct ReceiverSearch {
    let tree: SystemTree
    let receivers: [ReceiverModel]
    /// What is there and can't be used, in words.
    private(set) var problems: [CameraError] = []

    init(tree: SystemTree, receivers: [ReceiverModel]) {
        self.tree = tree
        self.receivers = receivers
    }

    /// The media device whose graph has a node; nil if it belongs to none.
    func graph(of node: VideoNode) throws(CameraError) -> MediaGraph? {
        let names = tree.names(in: node.devicePath).filter { $0.hasPrefix("media") }
        var found: MediaGraph?
        for name in names where found?.has(node) != true {
            found = try MediaGraph(
                path: tree.path("/dev/\(name)"), tree: tree, receivers: receivers)
        }
        return found
    }

    /// The node with its sensor; nil for a node that gives no frames of a sensor although its kind could.
    ///
    /// Of a receiver that is known only the node for unprocessed images counts.
    mutating func place(_ node: VideoNode) -> VideoNode? {
        guard node.usb == nil, case .success = node.capability else { return node }
        let graph: MediaGraph?
        do throws(CameraError) {
            graph = try self.graph(of: node)
        } catch {
            // The camera is listed all the same; who opens it is told why its parts can't be.
            return node
        }
        guard let graph, graph.has(node) else { return node }
        if let receiver = graph.receiver, !graph.isImageNode(node) {
            if receiver.start == .enabled || receiver.metadata != nil { return nil }
        }
        guard let sensor = graph.sensor(behind: node) else {
            guard let receiver = graph.receiver else { return node }
            problems.append(
                CameraError(
                    .notFound,
                    "the receiver `\(receiver.name)` (\(graph.path)) has no sensor: its ribbon cable, its overlay in"
                        + " config.txt, or its driver is missing; `dmesg` says which"))
            return nil
        }
        guard sensor.function == MediaTopology.sensorFunction else { return node }
        var placed = node
        placed.sensor = SensorPlace(
            entity: sensor.name, receiver: graph.receiver?.name ?? graph.information.driver,
            in: tree)
        return placed
    }
}
