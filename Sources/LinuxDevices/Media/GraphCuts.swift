internal import Devices

/// Which links have to go before a way can be used, and which stay because nobody can cut them.
///
/// A branch that stays enabled fails the stream in one of two ways: its formats do not match (EPIPE), or the receiver
/// waits for a node that nobody starts. libcamera leaves such branches behind.
struct GraphCuts {
    /// Links to cut.
    private(set) var cut: [MediaTopology.Link] = []
    /// Links that stay although nobody asked for them: what they lead to needs the same format.
    private(set) var fixed: [MediaTopology.Link] = []
    /// Links that can't be cut and that would keep the sensor from starting.
    private(set) var blocking: [MediaTopology.Link] = []

    private let topology: MediaTopology
    private let snapshot: MediaSnapshot
    private let way: [MediaTopology.Step]
    /// Links that the way of the image and of embedded data need.
    private let kept: [MediaTopology.Link]

    /// - Parameters:
    ///   - snapshot: how the graph stands.
    ///   - receiver: its start rule decides whether other nodes' links matter; nil: they are left alone unless they
    ///     hang on the way.
    ///   - way: the image's way.
    ///   - kept: links that must stay.
    init(
        snapshot: MediaSnapshot, receiver: ReceiverModel?, way: [MediaTopology.Step],
        kept: [MediaTopology.Link]
    ) {
        topology = snapshot.topology
        self.snapshot = snapshot
        self.way = way
        self.kept = kept
        if receiver?.start == .enabled { cutNodes() }
        cutBranches()
    }

    /// Enabled links that neither the image nor the embedded data need.
    private var unwanted: [MediaTopology.Link] {
        topology.links.filter { link in
            link.isEnabled && !kept.contains { $0.joinsSame(as: link) }
        }
    }

    /// Every other node of the device: the sensor would wait for it.
    private mutating func cutNodes() {
        for link in unwanted {
            let ends = [link.source, link.sink].compactMap { topology.pad($0)?.entity }
            guard ends.contains(where: { topology.entity($0)?.isNode == true }) else { continue }
            if link.isFixed { blocking.append(link) } else { add(link) }
        }
    }

    /// Whatever hangs on the way: cut where that can be done, else followed to what hangs on it.
    private mutating func cutBranches() {
        var reached = way.map(\.source.entity)
        var next = 0
        while next < reached.count {
            let entity = reached[next]
            next += 1
            for link in unwanted where touches(link, entity) {
                guard link.isFixed else {
                    add(link)
                    continue
                }
                guard !fixed.contains(link) else { continue }
                fixed.append(link)
                for end in [link.source, link.sink] {
                    guard let part = topology.pad(end)?.entity, !reached.contains(part),
                        topology.entity(part)?.isNode == false
                    else { continue }
                    reached.append(part)
                }
            }
        }
    }

    /// Whether a link ends at an entity, at a pad that the kernel counts to the way.
    ///
    /// In a part with routes only the pads are that this sensor's streams pass; another sensor's way through it stays.
    private func touches(_ link: MediaTopology.Link, _ entity: UInt32) -> Bool {
        let ends = [topology.pad(link.source), topology.pad(link.sink)].compactMap { $0 }
        guard let pad = ends.first(where: { $0.entity == entity }) else { return false }
        guard let step = way.first(where: { $0.source.entity == entity }), let sink = step.sink,
            let part = snapshot.subdevices[entity], part.hasStreams
        else { return true }
        if pad.id == sink.id || kept.contains(where: { $0.source == pad.id }) { return true }
        if !pad.isSource { return false }
        return part.routes.contains {
            $0.isActive && $0.sinkPad == sink.index && $0.sourcePad == pad.index
        }
    }

    /// Notes a link to cut, once.
    private mutating func add(_ link: MediaTopology.Link) {
        if !cut.contains(link) { cut.append(link) }
    }
}
