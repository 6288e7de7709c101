/// A media device's parts and how they are linked.
///
/// As the kernel reports it or a report keeps it; parts name each other by the kernel's ids.
struct MediaTopology: Hashable, Sendable {
    /// A block of hardware: a sensor, a converter, a capture node.
    struct Entity: Hashable, Sendable {
        /// The kernel's id, by which pads and links name it.
        var id: UInt32
        /// The name by which descriptions and messages know it, for example `csi2` or `imx219 10-0010`.
        var name: String
        /// What it is (`MEDIA_ENT_F_…`).
        var function: UInt32 = 0
        /// The number of its device file; nil if it has none.
        var device: DeviceNumber?
        /// Whether it is a video node: frames or metadata go to or come from memory there.
        var isNode = false
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
        /// Whether what enters here is made inside the entity: nothing is linked to such a pad.
        var isInternal = false
        /// Whether the kernel starts nothing while no enabled link leads here.
        var mustConnect = false
    }

    /// A way for pixels from a source pad to a sink pad.
    struct Link: Hashable, Sendable {
        var source: UInt32
        var sink: UInt32
        var isEnabled: Bool
        var isFixed: Bool

        /// Whether both are between the same pads, however they stand.
        func joinsSame(as other: Link) -> Bool { source == other.source && sink == other.sink }
    }

    var entities: [Entity] = []
    var pads: [Pad] = []
    var links: [Link] = []
    var companions: [Companion] = []

    /// The entity of an id.
    func entity(_ id: UInt32) -> Entity? { entities.first { $0.id == id } }

    /// The first entity of a name.
    func entity(named name: String) -> Entity? { entities.first { $0.name == name } }

    /// The pad of an id.
    func pad(_ id: UInt32) -> Pad? { pads.first { $0.id == id } }

    /// The pads of an entity, by their numbers.
    func pads(of entity: UInt32) -> [Pad] {
        pads.filter { $0.entity == entity }.sorted { $0.index < $1.index }
    }

    /// The link between two pads.
    func link(from source: UInt32, to sink: UInt32) -> Link? {
        links.first { $0.source == source && $0.sink == sink }
    }

    /// How messages name a pad: `` `csi2`:4 ``.
    func text(ofPad id: UInt32) -> String {
        guard let pad = pad(id) else { return "`?`" }
        return "`\(entity(pad.entity)?.name ?? "?")`:\(pad.index)"
    }

    /// How messages name a link.
    func text(of link: Link) -> String {
        "\(text(ofPad: link.source)) to \(text(ofPad: link.sink))"
    }
}

/// The number of a device file, by which entities of a graph and files below /dev are brought together.
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
