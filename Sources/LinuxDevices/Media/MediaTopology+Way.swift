internal import CVideo

extension MediaTopology {
    /// One step from the sensor towards the capture node.
    struct Step: Hashable, Sendable {
        /// The pad of the entity before, where pixels come in; nil for the sensor.
        var sink: Pad?
        /// The pad where pixels leave.
        var source: Pad
        /// The link that takes them on.
        var link: Link
    }

    /// What the kernel calls a sensor (`MEDIA_ENT_F_CAM_SENSOR`).
    static let sensorFunction = fl_entity_sensor

    /// More steps than this are taken for a loop.
    private static let stepsMaximum = 16

    /// The way from the sensor to a capture node, sensor first; empty if no sensor can be linked to the node.
    ///
    /// Of several ways one over links that are enabled is taken, else the first; one that ends at a sensor counts more
    /// than one that ends elsewhere.
    ///
    /// - Parameters:
    ///   - node: the capture node.
    ///   - sinks: where pixels enter that leave by a source pad; nil: as ``usualSinks(of:)``.
    func way(to node: Entity, sinks: (Pad) -> [Pad]? = { _ in nil }) -> [Step] {
        guard let sink = pads(of: node.id).first(where: { !$0.isSource }) else { return [] }
        let ways = ways(to: sink, sinks: sinks, depth: 0)
        let toSensor = ways.first { way in
            way.first.flatMap { entity($0.source.entity) }?.function == fl_entity_sensor
        }
        return toSensor ?? ways.first ?? []
    }

    /// The same by the node's device file.
    func way(to device: DeviceNumber) -> [Step] {
        entities.first { $0.device == device }.map { way(to: $0) } ?? []
    }

    /// All ways that end at a sink pad, the likeliest first; each begins where pixels are made.
    ///
    /// - Parameter depth: steps so far, which end a loop of links.
    private func ways(
        to sink: Pad, sinks: (Pad) -> [Pad]?, depth: Int
    ) -> [[Step]] {
        guard depth < MediaTopology.stepsMaximum else { return [] }
        var found: [[Step]] = []
        for link in links(into: sink) {
            guard let source = pad(link.source), let part = entity(source.entity), !part.isNode
            else { continue }
            if isOrigin(part) {
                found.append([Step(sink: nil, source: source, link: link)])
                continue
            }
            for next in sinks(source) ?? usualSinks(of: source) {
                let earlier = ways(to: next, sinks: sinks, depth: depth + 1)
                found += earlier.map { $0 + [Step(sink: next, source: source, link: link)] }
            }
        }
        return found
    }

    /// The links that lead to a sink pad: enabled ones first, then those that can't be changed, then the others.
    private func links(into sink: Pad) -> [Link] {
        let all = links.filter { $0.sink == sink.id }
        return all.filter(\.isEnabled) + all.filter { !$0.isEnabled && $0.isFixed }
            + all.filter { !$0.isEnabled && !$0.isFixed }
    }

    /// Whether pixels begin at an entity: it is a sensor, or nothing can be linked to it.
    func isOrigin(_ entity: Entity) -> Bool {
        entity.function == fl_entity_sensor
            || pads(of: entity.id).allSatisfy { $0.isSource || $0.isInternal }
    }

    /// Where pixels enter that leave by a source pad, the likeliest first, if no route states it.
    ///
    /// As many sinks as sources: each sink has its source, in order, as in receivers of several channels.
    private func usualSinks(of source: Pad) -> [Pad] {
        let all = pads(of: source.entity).filter { !$0.isInternal }
        let (sinks, sources) = (all.filter { !$0.isSource }, all.filter(\.isSource))
        guard sinks.count == sources.count, sinks.count > 1,
            let place = sources.firstIndex(of: source)
        else { return sinks }
        return [sinks[place]]
    }

    /// The first part on a way that makes other pixels of what a sensor sends, such as a demosaicer; nil for none.
    func converter(on way: [Step]) -> Entity? {
        way.lazy.compactMap { entity($0.source.entity) }.first {
            [fl_entity_composer, fl_entity_converter].contains($0.function)
        }
    }

    /// The parts behind a capture node that may have controls: the sensor, its companions, then the rest of the way.
    ///
    /// A graph that links no companions but has one sensor and one lens means the two for each other.
    func parts(behind way: [Step]) -> [Entity] {
        let way = way.map(\.source.entity)
        guard let first = way.first else { return [] }
        var companions = companions.filter { $0.of == first }.map(\.entity)
        let lenses = entities.filter { $0.function == fl_entity_lens }
        if self.companions.isEmpty, lenses.count == 1,
            entities.count(where: { $0.function == fl_entity_sensor }) == 1
        {
            companions = lenses.map(\.id)
        }
        return ([first] + companions + way.dropFirst()).compactMap { entity($0) }
    }
}
