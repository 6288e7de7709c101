import Glibc

@testable import LinuxDevices

extension KernelModel {
    /// Why a stream does not start, or starts and gives nothing.
    enum Refusal: Error, Equatable, CustomStringConvertible {
        /// STREAMON answers EPIPE: two ends of an enabled link differ.
        case linkDiffers(String)
        /// STREAMON answers ENOLINK: a pad that must be connected is not.
        case notConnected(String)
        /// STREAMON succeeds and no frame ever comes: these nodes don't stream.
        case waits(for: [String])

        var description: String {
            switch self {
            case .linkDiffers(let link): "EPIPE: \(link)"
            case .notConnected(let pad): "ENOLINK: \(pad)"
            case .waits(let nodes): "waits for \(nodes.joined(separator: ", "))"
            }
        }
    }

    /// Starts nodes in order, each set to a format.
    ///
    /// - Parameters:
    ///   - nodes: the nodes, and what they are set to keep.
    ///   - held: nodes that another program has open.
    func start(_ nodes: [(entity: UInt32, format: BusFormat)], held: Set<UInt32> = []) -> Refusal? {
        for node in nodes {
            let pads = pipeline(of: node.entity)
            for pad in pads.sorted() {
                guard let known = state.topology.pad(pad), known.mustConnect, !known.isSource,
                    !state.topology.links.contains(where: { $0.sink == pad && $0.isEnabled })
                else { continue }
                return .notConnected(state.topology.text(ofPad: pad))
            }
            for link in state.topology.links where link.isEnabled && pads.contains(link.sink) {
                guard pads.contains(link.source), differs(link, nodes) else { continue }
                return .linkDiffers(state.topology.text(of: link))
            }
        }
        let waiting = waitedFor(nodes.map(\.entity), held)
        return waiting.isEmpty ? nil : .waits(for: waiting)
    }

    /// Every pad that enabled links and the insides of parts join to a node.
    private func pipeline(of node: UInt32) -> Set<UInt32> {
        var pads = Set(state.topology.pads(of: node).map(\.id))
        var open = Array(pads)
        while let pad = open.popLast() {
            let linked = state.topology.links.filter(\.isEnabled).compactMap { link -> UInt32? in
                if link.source == pad { return link.sink }
                return link.sink == pad ? link.source : nil
            }
            for next in linked + inside(pad) where pads.insert(next).inserted { open.append(next) }
        }
        return pads
    }

    /// The pads of the same part that the kernel joins to a pad: all, or those of the same routes.
    private func inside(_ pad: UInt32) -> [UInt32] {
        guard let known = state.topology.pad(pad) else { return [] }
        let pads = state.topology.pads(of: known.entity)
        guard let part = state.subdevices[known.entity], part.hasStreams else {
            return pads.map(\.id)
        }
        let joined = part.routes.filter(\.isActive).compactMap { route -> UInt32? in
            if known.isSource { return route.sourcePad == known.index ? route.sinkPad : nil }
            return route.sinkPad == known.index ? route.sourcePad : nil
        }
        return pads.filter { $0.isSource != known.isSource && joined.contains($0.index) }.map(\.id)
    }

    private func differs(
        _ link: MediaTopology.Link, _ nodes: [(entity: UInt32, format: BusFormat)]
    ) -> Bool {
        guard let source = state.topology.pad(link.source),
            let sink = state.topology.pad(link.sink),
            let from = state.subdevices[source.entity]
        else { return false }
        if let node = nodes.first(where: { $0.entity == sink.entity }) {
            guard let given = from.formats[PadStream(pad: source.id)] else { return true }
            return !given.isAlike(node.format)
        }
        guard let into = state.subdevices[sink.entity] else { return false }
        let streams = from.formats.keys.filter { $0.pad == source.id }.map(\.stream)
        return streams.contains { stream in
            guard let given = from.formats[PadStream(pad: source.id, stream: stream)],
                let taken = into.formats[PadStream(pad: sink.id, stream: stream)]
            else { return false }
            return !given.isAlike(taken) || given.field != taken.field && taken.field != 1
        }
    }

    private func waitedFor(_ started: [UInt32], _ held: Set<UInt32>) -> [String] {
        let entities = state.topology.entities.filter { $0.isNode && !started.contains($0.id) }
        let waited = entities.filter { node in
            switch receiver {
            case .cfeDownstream, .cfeMainline:
                let pads = state.topology.pads(of: node.id).map(\.id)
                return state.topology.links.contains {
                    $0.isEnabled && (pads.contains($0.source) || pads.contains($0.sink))
                }
            case .unicamDownstream: return held.contains(node.id)
            case .unicam: return isRouted(node.id)
            case .plain: return false
            }
        }
        return waited.map(\.name)
    }

    private func isRouted(_ node: UInt32) -> Bool {
        let pads = state.topology.pads(of: node).map(\.id)
        return state.topology.links.contains { link in
            guard link.isEnabled, pads.contains(link.sink),
                let source = state.topology.pad(link.source),
                let part = state.subdevices[source.entity], part.hasStreams
            else { return false }
            return part.routes.contains { $0.isActive && $0.sourcePad == source.index }
        }
    }
}
