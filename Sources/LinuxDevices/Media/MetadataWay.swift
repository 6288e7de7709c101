internal import Devices

/// The way of embedded data from the sensor to their node.
///
/// Found beside the image's way: by the receiver's description where there is one, else by what the graph and its
/// routes show.
struct MetadataWay: Hashable, Sendable {
    /// The metadata node.
    var node: UInt32
    /// Links on the way besides the image's.
    var links: [MediaTopology.Link]
    /// The sensor's pad, or its stream.
    var sensor: PadStream
    /// The receiver, and its pads on the way; nil where the sensor is linked to the node itself.
    var entity: UInt32?
    var sink: PadStream?
    var source: PadStream?
    /// The same pads by the receiver's own numbers.
    var sinkIndex: UInt32 = 0
    var sourceIndex: UInt32 = 0
    /// Whether they are a stream of the image's pad.
    var isStream: Bool
    /// The node's format where the receiver's description names one.
    var format: String?

    /// The last pad before the node.
    var lastPad: PadStream { source ?? sensor }

    /// Why there is none.
    struct Missing: Error {
        var text: String
    }
}

extension GraphPlanner {
    /// The way of embedded data beside the image's, or why there is none.
    func metadataWay(
        beside way: [MediaTopology.Step]
    ) -> Result<MetadataWay, MetadataWay.Missing> {
        guard let sensor = way.first?.source else { return .failure(.init(text: "no sensor")) }
        if let receiver {
            guard let known = receiver.metadata, let node = topology.entity(named: known.way.node)
            else {
                return missing("the receiver `\(receiver.name)` has no node for embedded data")
            }
            return metadataWay(to: node, sensor, way, known)
        }
        let nodes = topology.entities.filter { snapshot.nodes[$0.id]?.isMetadata == true }
        var reason = MetadataWay.Missing(text: "the graph has no node for embedded data")
        for node in nodes {
            switch metadataWay(to: node, sensor, way, nil) {
            case .success(let found): return .success(found)
            case .failure(let why): reason = why
            }
        }
        return .failure(reason)
    }

    /// No way, and why; printed as "frames come without embedded data: …".
    private func missing(_ text: String) -> Result<MetadataWay, MetadataWay.Missing> {
        .failure(.init(text: text))
    }

    /// - Parameter known: the receiver's own description of it.
    private func metadataWay(
        to node: MediaTopology.Entity, _ sensor: MediaTopology.Pad, _ way: [MediaTopology.Step],
        _ known: ReceiverModel.Metadata?
    ) -> Result<MetadataWay, MetadataWay.Missing> {
        guard let end = topology.pads(of: node.id).first(where: { !$0.isSource }) else {
            return missing("`\(node.name)` has no pad")
        }
        let links = topology.links.filter { $0.sink == end.id }
        guard let link = links.first(where: \.isEnabled) ?? links.first,
            let source = topology.pad(link.source)
        else { return missing("nothing is linked to `\(node.name)`") }
        if source.entity == sensor.entity {
            guard source.id != sensor.id else {
                return missing("`\(node.name)` hangs on the pad of the image")
            }
            return .success(
                MetadataWay(
                    node: node.id, links: [link], sensor: PadStream(pad: source.id),
                    isStream: false, format: known?.format))
        }
        guard let step = way.first(where: { $0.source.entity == source.entity }) else {
            return missing("`\(node.name)` does not hang on the way of the image")
        }
        let hasStreams = snapshot.subdevices[source.entity]?.hasStreams == true
        if known?.carrier == .stream || known == nil && hasStreams {
            return streamWay(node, link, source, step, sensor, known)
        }
        return padWay(node, link, source, sensor, known)
    }

    /// As a stream of the image's pad, which a route takes to another source pad.
    private func streamWay(
        _ node: MediaTopology.Entity, _ link: MediaTopology.Link, _ source: MediaTopology.Pad,
        _ step: MediaTopology.Step, _ sensor: MediaTopology.Pad, _ known: ReceiverModel.Metadata?
    ) -> Result<MetadataWay, MetadataWay.Missing> {
        let name = topology.entity(sensor.entity)?.name ?? "?"
        guard let sink = step.sink, snapshot.subdevices[source.entity]?.hasStreams == true else {
            return missing(
                "this kernel lets no program use the streams of `"
                    + "\(topology.entity(source.entity)?.name ?? "?")`, which embedded data need")
        }
        let routes = snapshot.subdevices[sensor.entity]?.routes ?? []
        let image = stream(of: sensor).stream
        let lines = routes.first { route in
            route.sourcePad == sensor.index && route.sourceStream != image
                && makesMetadata(sensor.entity, sink: route.sinkPad)
        }
        guard let lines else { return missing("the driver of `\(name)` gives no embedded data") }
        return .success(
            MetadataWay(
                node: node.id, links: [link],
                sensor: PadStream(pad: sensor.id, stream: lines.sourceStream),
                entity: source.entity,
                sink: PadStream(pad: sink.id, stream: lines.sourceStream),
                source: PadStream(pad: source.id), sinkIndex: sink.index,
                sourceIndex: source.index, isStream: true, format: known?.format))
    }

    /// From a pad of the sensor's own to a sink of the receiver's own.
    private func padWay(
        _ node: MediaTopology.Entity, _ link: MediaTopology.Link, _ source: MediaTopology.Pad,
        _ sensor: MediaTopology.Pad, _ known: ReceiverModel.Metadata?
    ) -> Result<MetadataWay, MetadataWay.Missing> {
        let name = topology.entity(sensor.entity)?.name ?? "?"
        let pads = topology.pads(of: sensor.entity).filter {
            $0.isSource && $0.id != sensor.id
                && (known.map { $0.sensorPad } ?? $0.index) == $0.index
        }
        let sinks = topology.pads(of: source.entity).filter {
            !$0.isSource && (known.map { $0.way.sink } ?? $0.index) == $0.index
        }
        for pad in pads {
            for sink in sinks {
                guard let into = topology.link(from: pad.id, to: sink.id) else { continue }
                return .success(
                    MetadataWay(
                        node: node.id, links: [into, link], sensor: PadStream(pad: pad.id),
                        entity: source.entity, sink: PadStream(pad: sink.id),
                        source: PadStream(pad: source.id), sinkIndex: sink.index,
                        sourceIndex: source.index, isStream: false, format: known?.format))
            }
        }
        return missing(
            pads.isEmpty
                ? "the driver of `\(name)` gives no embedded data: the sensor has no second pad"
                : "the sensor's pad for embedded data leads nowhere")
    }
}
