internal import Devices

/// Everything that a media device reports of itself at one time: what a plan starts from, and what a report keeps.
struct MediaSnapshot: Hashable, Sendable {
    /// What the media device reports of its driver.
    struct Information: Hashable, Sendable {
        var driver = ""
        var model = ""
        var bus = ""
        /// Three numbers out of one, for example `6.12.25`.
        var driverVersion = ""
        /// As the driver numbers it (`hw_revision`).
        var hardwareRevision: UInt32 = 0
    }

    /// What a sub-device reports of itself.
    struct Subdevice: Hashable, Sendable {
        /// Whether it knows streams and routes, and this kernel lets programs use them.
        var hasStreams = false
        /// Whether programs may only look.
        var isReadOnly = false
        /// Its routes, also those that carry nothing; empty without streams.
        var routes: [SubdeviceRoute] = []
        /// What passes its pads.
        var formats: [PadStream: BusFormat] = [:]
        /// What could pass, by the pads' ids.
        var codes: [UInt32: [UInt32]] = [:]
        /// Its controls with their values; those of sensors alone unless a report is made.
        var controls: [ControlDescription] = []
    }

    /// What a video node reports of itself.
    struct Node: Hashable, Sendable {
        var driver = ""
        var card = ""
        var bus = ""
        /// `V4L2_CAP_…` of this node.
        var capabilities: UInt32 = 0
        /// Four-character code, size and length of what it keeps.
        var format = ""
        var width: UInt32 = 0
        var height: UInt32 = 0
        var byteCount: UInt32 = 0
        /// Whether it keeps metadata instead of frames.
        var isMetadata: Bool { capabilities & 0x0080_0000 != 0 }
    }

    var information = Information()
    var topology = MediaTopology()
    /// By entity.
    var subdevices: [UInt32: Subdevice] = [:]
    /// Video nodes, by entity; empty where a plan did not need them.
    var nodes: [UInt32: Node] = [:]

    /// Where pixels enter that leave a sub-device by a source pad, by its active routes; nil without routes.
    func routedSinks(of source: MediaTopology.Pad) -> [MediaTopology.Pad]? {
        guard let part = subdevices[source.entity], part.hasStreams else { return nil }
        let indices = part.routes.filter { $0.isActive && $0.sourcePad == source.index }
            .map(\.sinkPad)
        guard !indices.isEmpty else { return nil }
        return topology.pads(of: source.entity).filter {
            !$0.isSource && indices.contains($0.index)
        }
    }

    /// The way from the sensor to a node.
    ///
    /// The receiver's description goes before the routes, and those before the generic walk.
    ///
    /// - Parameter receiver: what is known of the receiver beyond its graph.
    func way(
        to node: MediaTopology.Entity, receiver: ReceiverModel? = nil
    ) -> [MediaTopology.Step] {
        topology.way(to: node) { source in
            let part = topology.entity(source.entity)?.name
            if let image = receiver?.image, let entity = image.entity, entity == part,
                image.source == source.index
            {
                return topology.pads(of: source.entity).filter {
                    !$0.isSource && $0.index == image.sink
                }
            }
            return routedSinks(of: source)
        }
    }
}
