internal import CVideo
internal import Devices
internal import Glibc

// Which nodes belong to a media device, and which sensors to them.
extension MediaGraph {
    /// The entity of a capture node; nil if the node is not part of this graph.
    private func entity(of node: VideoNode) -> MediaTopology.Entity? {
        var status = stat()
        guard stat(node.path, &status) == 0 else { return nil }
        let number = DeviceNumber(UInt64(status.st_rdev))
        return topology.entities.first { $0.isNode && $0.device == number }
    }

    /// Whether a node is part of this graph.
    func has(_ node: VideoNode) -> Bool { entity(of: node) != nil }

    /// Whether a node is the one that the receiver's description takes images from.
    func isImageNode(_ node: VideoNode) -> Bool {
        entity(of: node).map { $0.name == receiver?.image.node } ?? false
    }

    /// Where the pixels of a node begin; nil if nothing leads to it.
    func sensor(behind node: VideoNode) -> MediaTopology.Entity? {
        guard let entity = entity(of: node) else { return nil }
        // Routes are of help where they can be asked; the links alone do in most graphs.
        let known = (try? snapshot(.plan)) ?? MediaSnapshot(topology: topology)
        return known.way(to: entity, receiver: receiver).first
            .flatMap { known.topology.entity($0.source.entity) }
    }
}
