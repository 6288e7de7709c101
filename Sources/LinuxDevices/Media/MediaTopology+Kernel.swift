internal import CVideo
internal import Devices
internal import Glibc

extension MediaTopology {
    /// More parts than this in one graph are taken for a broken driver.
    private static let partsMaximum: UInt32 = 4096

    /// Reads the graph of an open media device (MEDIA_IOC_G_TOPOLOGY).
    ///
    /// Asked twice: for the numbers of parts, then for the parts. A graph that grows in between makes the second
    /// request fail (ENOSPC), which is handed on.
    static func read(descriptor: Int32) -> Result<MediaTopology, KernelError> {
        var topology = media_v2_topology()
        if let error = KernelError(result: fl_media_topology(descriptor, &topology)) {
            return .failure(error)
        }
        let counts = [
            topology.num_entities, topology.num_pads, topology.num_links, topology.num_interfaces,
        ]
        guard counts.allSatisfy({ $0 <= partsMaximum }) else {
            return .failure(KernelError(code: EOVERFLOW))
        }
        let entities = buffer(media_v2_entity(), counts[0])
        let pads = buffer(media_v2_pad(), counts[1])
        let links = buffer(media_v2_link(), counts[2])
        let interfaces = buffer(media_v2_interface(), counts[3])
        defer {
            entities.deallocate()
            pads.deallocate()
            links.deallocate()
            interfaces.deallocate()
        }
        topology.ptr_entities = address(entities)
        topology.ptr_pads = address(pads)
        topology.ptr_links = address(links)
        topology.ptr_interfaces = address(interfaces)
        if let error = KernelError(result: fl_media_topology(descriptor, &topology)) {
            return .failure(error)
        }
        return .success(
            MediaTopology(
                entities: Array(entities), pads: Array(pads), links: Array(links),
                interfaces: Array(interfaces)))
    }

    /// Takes apart what the kernel answered: entities get their device files by interface links, data links become
    /// links, and ancillary links companions.
    private init(
        entities: [media_v2_entity], pads: [media_v2_pad], links: [media_v2_link],
        interfaces: [media_v2_interface]
    ) {
        self.init()
        self.entities = entities.map { entity in
            let owner = links.first { link in
                link.flags & fl_link_type == fl_link_interface && link.sink_id == entity.id
            }
            let interface = interfaces.first { $0.id == owner?.source_id }
            return Entity(
                id: entity.id, name: fixedText(entity.name), function: entity.function,
                device: interface.map {
                    DeviceNumber(major: $0.devnode.major, minor: $0.devnode.minor)
                },
                isNode: entity.function == fl_entity_node
                    || interface?.intf_type == fl_interface_video)
        }
        self.pads = pads.map {
            Pad(
                id: $0.id, entity: $0.entity_id, index: $0.index,
                isSource: $0.flags & fl_pad_source != 0,
                isInternal: $0.flags & fl_pad_internal != 0,
                mustConnect: $0.flags & fl_pad_must_connect != 0)
        }
        self.links = links.filter { $0.flags & fl_link_type == fl_link_data }.map {
            Link(
                source: $0.source_id, sink: $0.sink_id,
                isEnabled: $0.flags & UInt32(MEDIA_LNK_FL_ENABLED) != 0,
                isFixed: $0.flags & UInt32(MEDIA_LNK_FL_IMMUTABLE) != 0)
        }
        companions = links.filter { $0.flags & fl_link_type == fl_link_ancillary }.map {
            Companion(of: $0.source_id, entity: $0.sink_id)
        }
    }

    /// Memory for so many parts, which the caller gives back.
    private static func buffer<Part>(_ empty: Part, _ count: UInt32) -> UnsafeMutableBufferPointer<
        Part
    > {
        let parts = UnsafeMutableBufferPointer<Part>.allocate(capacity: Int(count))
        parts.initialize(repeating: empty)
        return parts
    }

    /// An address as the kernel's structures hold it.
    private static func address<Part>(_ parts: UnsafeMutableBufferPointer<Part>) -> UInt64 {
        UInt64(UInt(bitPattern: parts.baseAddress))
    }
}
