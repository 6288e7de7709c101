internal import CVideo
internal import Devices
internal import Imaging

/// Decides how a graph is set up: from what is known of it to the requests, without asking anything.
///
/// The format of the sensor is given on from pad to pad as the driver answered it, whole. What else is enabled and
/// would make the kernel refuse, or wait for ever, is cut where it can be; where it can't, it gets the same format.
struct GraphPlanner {
    let snapshot: MediaSnapshot
    let receiver: ReceiverModel?
    let request: GraphRequest

    var topology: MediaTopology { snapshot.topology }

    /// The requests.
    ///
    /// Links are cut, then enabled; then come routes, flips, the formats from the sensor onwards, those of what hangs
    /// on the way, those of embedded data, and at last a look at the sensor. In this order, since routes reset formats
    /// and flips change bus codes.
    ///
    /// - Throws: ``DeviceError`` naming what is in the way and what to do.
    func plan() throws(DeviceError) -> GraphPlan {
        let code = try busCode()
        let way = try wayToNode()
        var plan = GraphPlan(node: request.node)
        plan.way = way
        let metadata = metadataWay(beside: way)
        if request.wantsMetadata, case .failure(let reason) = metadata {
            plan.withoutMetadata = reason.text
        }
        let taken = request.wantsMetadata ? try? metadata.get() : nil
        let kept = way.map(\.link) + (taken?.links ?? [])
        let cuts = GraphCuts(snapshot: snapshot, receiver: receiver, way: way, kept: kept)
        try refuse(cuts.blocking)
        plan.operations += cuts.cut.map { .link($0, isEnabled: false) }
        for link in kept where !link.isEnabled {
            guard !link.isFixed else { throw refusal(ofFixed: link) }
            plan.operations.append(.link(link, isEnabled: true))
        }
        plan.operations += routes(along: way, taken)
        plan.operations += controls(of: way)
        let wanted = BusFormat.frames(
            code: code, width: request.size.width, height: request.size.height)
        plan.operations += formats(along: way, wanted)
        plan.operations += sideFormats(cuts.fixed, way, hasMetadata: taken != nil)
        if let taken {
            plan.operations += formats(of: taken, way)
            plan.metadata = .init(
                node: taken.node, pad: taken.lastPad, format: taken.format)
        }
        if let sensor = way.first?.source, isSettable(sensor) {
            // What hangs on the sensor was set after it, and a flip may have been changed meanwhile.
            plan.operations.append(.checkFormat(stream(of: sensor), wanted))
        }
        return plan
    }

    /// Whether a pad's format can be set: its part has a device file that may be written.
    func isSettable(_ pad: MediaTopology.Pad) -> Bool {
        guard let entity = topology.entity(pad.entity), !entity.isNode, entity.device != nil else {
            return false
        }
        return snapshot.subdevices[pad.entity]?.isReadOnly != true
    }

    /// The pad as the image's stream of it.
    func stream(of pad: MediaTopology.Pad) -> PadStream {
        PadStream(pad: pad.id, stream: imageStream(at: pad))
    }

    /// Which stream of a sensor's pad the image is: the one that does not begin where metadata are made.
    private func imageStream(at pad: MediaTopology.Pad) -> UInt32 {
        guard let part = snapshot.subdevices[pad.entity], part.hasStreams, pad.isSource,
            topology.entity(pad.entity).map(topology.isOrigin) == true
        else { return 0 }
        let routes = part.routes.filter { $0.sourcePad == pad.index }
        let image = routes.first { route in
            !makesMetadata(pad.entity, sink: route.sinkPad)
        }
        return image?.sourceStream ?? 0
    }

    /// Whether an internal pad is where metadata are made.
    func makesMetadata(_ entity: UInt32, sink index: UInt32) -> Bool {
        guard let pad = topology.pads(of: entity).first(where: { $0.index == index }) else {
            return false
        }
        let part = snapshot.subdevices[entity]
        if let format = part?.formats[PadStream(pad: pad.id)] { return format.isMetadata }
        return part?.codes[pad.id]?.contains { BusFormat(code: $0).isMetadata } ?? false
    }

    // MARK: Parts of the plan

    /// New routes for those parts of the way whose active ones are not what is wanted; parts without streams have none.
    private func routes(
        along way: [MediaTopology.Step], _ metadata: MetadataWay?
    ) -> [GraphOperation] {
        way.compactMap { step in
            let entity = step.source.entity
            guard let part = snapshot.subdevices[entity], part.hasStreams, !part.isReadOnly,
                let wanted = RoutePlan(step: step, part: part, metadata: metadata).wanted
            else { return nil }
            return .routes(entity: entity, wanted)
        }
    }

    /// Controls that move the order of colours: flips are off unless pinned.
    private func controls(of way: [MediaTopology.Step]) -> [GraphOperation] {
        guard let sensor = way.first?.source.entity,
            let part = snapshot.subdevices[sensor]
        else { return [] }
        return part.controls.filter { !$0.isReadOnly }.compactMap { control in
            let named = request.layout.first { $0.control == control.control }
            let off = control.control.isFlip ? ControlValue(control.control, 0) : nil
            guard let wanted = named ?? off else { return nil }
            // Also where it is so already: who puts back knows then that it may have been changed before.
            return .control(entity: sensor, wanted)
        }
    }

    /// Formats along the way of the image: the sensor is asked for one, each further pad gets the whole of what the pad
    /// before it answered.
    private func formats(
        along way: [MediaTopology.Step], _ wanted: BusFormat
    ) -> [GraphOperation] {
        var operations: [GraphOperation] = []
        var last: PadStream?
        for pad in way.flatMap({ [$0.sink, $0.source].compactMap { $0 } }) where isSettable(pad) {
            let stream = stream(of: pad)
            operations.append(
                last.map { .copyFormat(stream, from: $0) } ?? .setFormat(stream, wanted))
            last = stream
        }
        return operations
    }

    /// Formats of what hangs on the way by links that can't be cut.
    ///
    /// Their source pad may be the sensor's, which has its format by then; else it is asked what passes it.
    private func sideFormats(
        _ links: [MediaTopology.Link], _ way: [MediaTopology.Step], hasMetadata: Bool
    ) -> [GraphOperation] {
        var known = Set(way.flatMap { [$0.sink?.id, $0.source.id].compactMap { $0 } })
        var operations: [GraphOperation] = []
        for link in links {
            guard let source = topology.pad(link.source), let sink = topology.pad(link.sink),
                isSettable(sink), snapshot.subdevices[source.entity] != nil
            else { continue }
            if known.insert(source.id).inserted {
                operations.append(.readFormat(PadStream(pad: source.id)))
            }
            operations.append(
                .copyFormat(
                    PadStream(pad: sink.id),
                    from: known.contains(source.id)
                        && way.first?.source.id == source.id
                        ? stream(of: source) : PadStream(pad: source.id)))
            known.insert(sink.id)
        }
        return operations
    }

    /// Formats of the way of embedded data: what the sensor sends is read, never asked for.
    private func formats(
        of metadata: MetadataWay, _ way: [MediaTopology.Step]
    ) -> [GraphOperation] {
        var operations: [GraphOperation] = [.readFormat(metadata.sensor)]
        var last = metadata.sensor
        for pad in [metadata.sink, metadata.source].compactMap({ $0 }) {
            guard topology.pad(pad.pad).map(isSettable) == true else { continue }
            operations.append(.copyFormat(pad, from: last))
            last = pad
        }
        return operations
    }
}
