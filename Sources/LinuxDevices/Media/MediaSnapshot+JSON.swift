internal import Devices
internal import Notation

// How a report keeps a media device: an entity with its pads, formats, routes and controls in one place.
extension MediaSnapshot {
    /// The media device as a report keeps it; numbers are those of the kernel's headers, as they came.
    var json: JSONValue {
        [
            "driver": .string(information.driver), "model": .string(information.model),
            "bus": .string(information.bus),
            "driver_version": .string(information.driverVersion),
            "hardware_revision": .integer(Int64(information.hardwareRevision)),
            "entities": .array(topology.entities.map { json($0) }),
            "links": .array(topology.links.map { json($0) }),
            "companions": .array(
                topology.companions.map {
                    ["of": .integer(Int64($0.of)), "entity": .integer(Int64($0.entity))]
                }),
        ]
    }

    private func json(_ entity: MediaTopology.Entity) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("id", .integer(Int64(entity.id))), ("name", .string(entity.name)),
            ("function", .integer(Int64(entity.function))), ("node", .bool(entity.isNode)),
        ]
        if let device = entity.device {
            members.append(("major", .integer(Int64(device.major))))
            members.append(("minor", .integer(Int64(device.minor))))
        }
        members.append(("pads", .array(topology.pads(of: entity.id).map { json($0) })))
        if let part = subdevices[entity.id] { members.append(("subdevice", part.json)) }
        if let node = nodes[entity.id] { members.append(("capture", node.json)) }
        return .object(JSONObject(members))
    }

    private func json(_ pad: MediaTopology.Pad) -> JSONValue {
        let part = subdevices[pad.entity]
        let streams = (part?.formats ?? [:]).filter { $0.key.pad == pad.id }
            .sorted { $0.key.stream < $1.key.stream }
        var members: [(String, JSONValue)] = [
            ("id", .integer(Int64(pad.id))), ("index", .integer(Int64(pad.index))),
            ("source", .bool(pad.isSource)), ("internal", .bool(pad.isInternal)),
            ("must_connect", .bool(pad.mustConnect)),
        ]
        if !streams.isEmpty {
            members.append(
                ("formats", .array(streams.map { $0.value.json(stream: $0.key.stream) })))
        }
        if let codes = part?.codes[pad.id] {
            members.append(("codes", .array(codes.map { .integer(Int64($0)) })))
        }
        return .object(JSONObject(members))
    }

    private func json(_ link: MediaTopology.Link) -> JSONValue {
        [
            "source": .integer(Int64(link.source)), "sink": .integer(Int64(link.sink)),
            "enabled": .bool(link.isEnabled), "fixed": .bool(link.isFixed),
            "text": .string(topology.text(of: link)),
        ]
    }
}

extension MediaSnapshot.Subdevice {
    fileprivate var json: JSONValue {
        [
            "streams": .bool(hasStreams), "read_only": .bool(isReadOnly),
            "routes": .array(
                routes.map { route in
                    [
                        "sink_pad": .integer(Int64(route.sinkPad)),
                        "sink_stream": .integer(Int64(route.sinkStream)),
                        "source_pad": .integer(Int64(route.sourcePad)),
                        "source_stream": .integer(Int64(route.sourceStream)),
                        "active": .bool(route.isActive), "fixed": .bool(route.isFixed),
                    ]
                }),
            "controls": .array(controls.map(\.reportJSON)),
        ]
    }
}

extension MediaSnapshot.Node {
    fileprivate var json: JSONValue {
        [
            "driver": .string(driver), "card": .string(card), "bus": .string(bus),
            "capabilities": .integer(Int64(capabilities)), "format": .string(format),
            "width": .integer(Int64(width)), "height": .integer(Int64(height)),
            "bytes": .integer(Int64(byteCount)),
        ]
    }
}

extension BusFormat {
    fileprivate func json(stream: UInt32) -> JSONValue {
        [
            "stream": .integer(Int64(stream)), "code": .integer(Int64(code)),
            "width": .integer(Int64(width)), "height": .integer(Int64(height)),
            "field": .integer(Int64(field)), "colorspace": .integer(Int64(colorspace)),
            "ycbcr": .integer(Int64(ycbcrEncoding)),
            "quantization": .integer(Int64(quantization)),
            "transfer": .integer(Int64(transferFunction)), "flags": .integer(Int64(flags)),
        ]
    }
}

extension ControlDescription {
    fileprivate var reportJSON: JSONValue {
        [
            "id": .integer(Int64(control.rawValue)), "label": .string(label),
            "minimum": .integer(minimum), "maximum": .integer(maximum), "step": .integer(step),
            "default": .integer(defaultCode), "value": code.map { .integer($0) } ?? .null,
            "inactive": .bool(isInactive), "read_only": .bool(isReadOnly),
            "grabbed": .bool(isGrabbed), "volatile": .bool(isVolatile),
            "changes_others": .bool(changesOthers), "changes_layout": .bool(changesLayout),
        ]
    }
}
