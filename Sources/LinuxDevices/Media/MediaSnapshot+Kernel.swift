internal import CVideo
internal import Devices
internal import Glibc

extension MediaSnapshot {
    /// How much is asked.
    enum Depth {
        /// What a plan needs: formats, routes, and the flips of sensors.
        case plan
        /// The same, and the nodes' capabilities.
        case planWithNodes
        /// Everything.
        case report
    }

    /// Asks a media device and its parts.
    ///
    /// - Parameters:
    ///   - port: opens sub-devices and keeps them open.
    ///   - information: what the media device reports of its driver.
    ///   - depth: how much is asked; lenses are left out but for a report.
    /// - Throws: ``DeviceError`` if a part can't be opened.
    static func read(
        _ port: KernelGraphPort, information: Information, depth: Depth
    ) throws(DeviceError) -> MediaSnapshot {
        var snapshot = MediaSnapshot(information: information, topology: port.topology)
        for entity in port.topology.entities {
            if entity.isNode {
                guard depth != .plan, let path = port.file(of: entity) else { continue }
                snapshot.nodes[entity.id] = Node.read(path)
            } else if depth == .report || !rests.contains(entity.function),
                let part = try port.subdevice(entity.id)
            {
                snapshot.subdevices[entity.id] = Subdevice.read(
                    part, entity, in: port.topology, depth)
            }
        }
        return snapshot
    }

    /// Parts that no pixels pass; a lens parks when its device file is closed.
    private static let rests = [fl_entity_lens, fl_entity_flash]

    /// What a media device reports of its driver; empty if it reports nothing.
    static func information(descriptor: Int32) -> Information {
        var answer = media_device_info()
        guard fl_media_device_info(descriptor, &answer) >= 0 else { return Information() }
        let version = answer.driver_version
        return Information(
            driver: fixedText(answer.driver), model: fixedText(answer.model),
            bus: fixedText(answer.bus_info),
            driverVersion: "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)",
            hardwareRevision: answer.hw_revision)
    }
}

extension MediaSnapshot.Subdevice {
    /// What a sub-device answers; a pad that reports no format has none in the snapshot.
    fileprivate static func read(
        _ part: Subdevice, _ entity: MediaTopology.Entity, in topology: MediaTopology,
        _ depth: MediaSnapshot.Depth
    ) -> MediaSnapshot.Subdevice {
        var found = MediaSnapshot.Subdevice(
            hasStreams: part.hasStreams, isReadOnly: part.isReadOnly, routes: part.routes())
        for pad in topology.pads(of: entity.id) {
            for stream in streams(of: pad, in: found) {
                guard case .success(let format) = part.format(pad: pad.index, stream: stream)
                else { continue }
                found.formats[PadStream(pad: pad.id, stream: stream)] = format
            }
            if depth == .report || pad.isInternal {
                found.codes[pad.id] = part.codes(pad: pad.index)
            }
        }
        if depth == .report || topology.isOrigin(entity) {
            found.controls = ControlList(descriptor: part.descriptor).describe(part: entity.name)
        }
        return found
    }

    /// The streams that pass a pad now; only 0 where there are no routes.
    private static func streams(
        of pad: MediaTopology.Pad, in part: MediaSnapshot.Subdevice
    ) -> [UInt32] {
        guard part.hasStreams, !part.routes.isEmpty else { return [0] }
        let streams = part.routes.filter(\.isActive).compactMap { route -> UInt32? in
            if pad.isSource { return route.sourcePad == pad.index ? route.sourceStream : nil }
            return route.sinkPad == pad.index ? route.sinkStream : nil
        }
        return Set(streams).sorted()
    }
}

extension MediaSnapshot.Node {
    /// Asks a video node; nil if it can't be opened.
    fileprivate static func read(_ path: String) -> MediaSnapshot.Node? {
        let descriptor = fl_device_open(path)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        guard case .success(let capability) = VideoCapability.ask(descriptor: descriptor) else {
            return nil
        }
        var node = MediaSnapshot.Node(
            driver: capability.driver, card: capability.card, bus: capability.bus,
            capabilities: capability.flags)
        node.readFormat(descriptor)
        return node
    }

    /// Notes the format that is set, of the kind of buffers that the node has; zeros where it does not report one.
    private mutating func readFormat(_ descriptor: Int32) {
        var request = v4l2_format()
        if isMetadata {
            request.type = V4L2_BUF_TYPE_META_CAPTURE.rawValue
            guard fl_g_fmt(descriptor, &request) >= 0 else { return }
            format = fourCCText(request.fmt.meta.dataformat)
            byteCount = request.fmt.meta.buffersize
            (width, height) = (fl_meta_width(&request), fl_meta_height(&request))
        } else if capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE) != 0 {
            request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            guard fl_g_fmt(descriptor, &request) >= 0 else { return }
            format = fourCCText(request.fmt.pix.pixelformat)
            (width, height) = (request.fmt.pix.width, request.fmt.pix.height)
            byteCount = request.fmt.pix.sizeimage
        } else if capabilities & UInt32(V4L2_CAP_VIDEO_CAPTURE_MPLANE) != 0 {
            request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
            guard fl_g_fmt(descriptor, &request) >= 0 else { return }
            format = fourCCText(request.fmt.pix_mp.pixelformat)
            (width, height) = (request.fmt.pix_mp.width, request.fmt.pix_mp.height)
            byteCount = request.fmt.pix_mp.plane_fmt.0.sizeimage
        }
    }
}
