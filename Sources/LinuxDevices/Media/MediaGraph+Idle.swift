internal import Devices

extension MediaGraph {
    /// Nodes that the sensor waits for: what the receiver's start rule counts and nobody here streams from.
    ///
    /// - Returns: one sentence a node, with the programs that have it open.
    func idleNodes() -> [String] {
        guard let plan, let now = try? snapshot(.plan) else { return [] }
        let idle = IdleNodes(snapshot: now, receiver: receiver, plan: plan)
        return idle.entities.compactMap { entity in
            let path = file(of: entity) ?? ""
            let users = DeviceUsers.of(path).map(\.description)
            if receiver?.start == .unheld {
                // Nobody has it open: it is not what the sensor waits for.
                guard !users.isEmpty else { return nil }
                return "`\(entity.name)` (\(path)) is open in \(users.joined(separator: ", ")),"
                    + " and the sensor waits until that program closes it"
            }
            let holders =
                users.isEmpty
                ? "no program has it open" : "open in \(users.joined(separator: ", "))"
            return
                "`\(entity.name)` (\(path)) has an enabled link and does not stream (\(holders));"
                + " the sensor waits for it"
        }
    }
}

/// Which nodes a receiver may wait for besides those that stream.
///
/// STREAMON succeeds while the sensor waits, so this is asked only when no frame has come.
struct IdleNodes {
    /// How the graph stands now, with links that others may have changed meanwhile.
    let snapshot: MediaSnapshot
    let receiver: ReceiverModel?
    let plan: GraphPlan

    private var topology: MediaTopology { snapshot.topology }

    /// Nodes that the receiver's start rule counts and that this plan does not start.
    var entities: [MediaTopology.Entity] {
        candidates.filter { !plan.startOrder.contains($0.id) }
    }

    /// Nodes that the start rule counts; without a description, all that hang on the way by an enabled link.
    private var candidates: [MediaTopology.Entity] {
        switch receiver?.start {
        case .image: []
        case .unheld:
            receiver?.metadata.flatMap { topology.entity(named: $0.way.node) }.map { [$0] } ?? []
        case .enabled: linked { _, _ in true }
        case .routed:
            linked { source, _ in
                routedPads.contains(source)
            }
        case nil:
            linked { source, sink in
                plan.way.contains { step in
                    [source, sink].contains { topology.pad($0)?.entity == step.source.entity }
                }
            }
        }
    }

    /// The nodes at the ends of enabled links of some kind.
    private func linked(_ counts: (UInt32, UInt32) -> Bool) -> [MediaTopology.Entity] {
        let links = topology.links.filter { $0.isEnabled && counts($0.source, $0.sink) }
        let ends = Set(
            links.flatMap { [$0.source, $0.sink] }.compactMap { topology.pad($0)?.entity })
        return topology.entities.filter { $0.isNode && ends.contains($0.id) }
    }

    /// Source pads that an active route of the way's sink pads leads to.
    private var routedPads: [UInt32] {
        plan.way.flatMap { step -> [UInt32] in
            guard let sink = step.sink, let part = snapshot.subdevices[step.source.entity] else {
                return []
            }
            let indices = part.routes.filter { $0.isActive && $0.sinkPad == sink.index }
                .map(\.sourcePad)
            return topology.pads(of: step.source.entity).filter {
                $0.isSource && indices.contains($0.index)
            }.map(\.id)
        }
    }
}
