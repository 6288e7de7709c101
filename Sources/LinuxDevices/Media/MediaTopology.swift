/// A media device's parts and how they are linked.
struct MediaTopology: Hashable, Sendable {
    /// A block of hardware: a sensor, a converter, a capture node.
    struct Entity: Hashable, Sendable {
        var id: UInt32
        var name: String
        /// What it is (`MEDIA_ENT_F_…`).
        var function: UInt32 = 0
        /// The number of its device file; nil if it has none.
        var device: DeviceNumber?
    }

    /// A part that belongs to another without passing pixels on: the lens or flash of a sensor.
    struct Companion: Hashable, Sendable {
        var of: UInt32
        var entity: UInt32
    }

    /// Where pixels enter or leave an entity.
    struct Pad: Hashable, Sendable {
        var id: UInt32
        var entity: UInt32
        /// The number by which the entity's own requests name it.
        var index: UInt32
        var isSource: Bool
    }

    /// A way for pixels from a source pad to a sink pad.
    struct Link: Hashable, Sendable {
        var source: UInt32
        var sink: UInt32
        var isEnabled: Bool
        var isFixed: Bool
    }

    /// One step from the sensor towards the capture node.
    struct Step: Hashable, Sendable {
        /// The pad of the entity before, where pixels come in; nil for the sensor.
        var sink: Pad?
        /// The pad where pixels leave.
        var source: Pad
        /// The link that takes them on.
        var link: Link
    }

    var entities: [Entity] = []
    var pads: [Pad] = []
    var links: [Link] = []
    var companions: [Companion] = []

    /// More steps than this are taken for a loop.
    private static let stepsMaximum = 16

    /// The entity of an id.
    func entity(_ id: UInt32) -> Entity? { entities.first { $0.id == id } }

    /// The pad of an id.
    func pad(_ id: UInt32) -> Pad? { pads.first { $0.id == id } }

    /// The way from the sensor to a capture node, sensor first; empty if nothing is linked to the node.
    ///
    /// Of several ways the one that is enabled is taken, else the first.
    func way(to device: DeviceNumber) -> [Step] {
        guard let node = entities.first(where: { $0.device == device }),
            var sink = pads.first(where: { $0.entity == node.id && !$0.isSource })
        else { return [] }
        var steps: [Step] = []
        while steps.count < MediaTopology.stepsMaximum {
            let ways = links.filter { $0.sink == sink.id }
            guard let link = ways.first(where: \.isEnabled) ?? ways.first,
                let source = pad(link.source)
            else { break }
            let next = pads.first { $0.entity == source.entity && !$0.isSource }
            steps.insert(Step(sink: next, source: source, link: link), at: 0)
            guard let next else { return steps }
            sink = next
        }
        return []
    }

    /// The parts behind a capture node that may have controls: the sensor, its companions, then the rest of the way.
    ///
    /// A graph that links no companions but has one sensor and one lens means the two for each other.
    func parts(behind device: DeviceNumber, lens: UInt32, sensor: UInt32) -> [Entity] {
        let way = way(to: device).map(\.source.entity)
        guard let first = way.first else { return [] }
        var companions = companions.filter { $0.of == first }.map(\.entity)
        let lenses = entities.filter { $0.function == lens }
        if self.companions.isEmpty, lenses.count == 1,
            entities.count(where: { $0.function == sensor }) == 1
        {
            companions = lenses.map(\.id)
        }
        return ([first] + companions + way.dropFirst()).compactMap { entity($0) }
    }

    /// Enabled links that leave an entity of the way without being part of it.
    func sideBranches(of way: [Step]) -> [Link] {
        let taken = Set(way.map(\.link))
        let entitiesOfWay = Set(way.map(\.source.entity))
        return links.filter { link in
            guard link.isEnabled, !taken.contains(link), let source = pad(link.source) else {
                return false
            }
            return entitiesOfWay.contains(source.entity)
        }
    }

    /// Links that leave an entity, are enabled and may be cut.
    func cuttableLinks(from entity: UInt32) -> [Link] {
        links.filter { $0.isEnabled && !$0.isFixed && pad($0.source)?.entity == entity }
    }
}

/// The number of a device file.
struct DeviceNumber: Hashable, Sendable {
    var major: UInt32
    var minor: UInt32

    init(major: UInt32, minor: UInt32) {
        self.major = major
        self.minor = minor
    }

    /// Splits a `dev_t` as glibc lays it out (`gnu_dev_major`, `gnu_dev_minor`).
    init(_ device: UInt64) {
        major = UInt32(truncatingIfNeeded: (device >> 8) & 0xfff | (device >> 32) & 0xffff_f000)
        minor = UInt32(truncatingIfNeeded: device & 0xff | (device >> 12) & 0xffff_ff00)
    }
}
