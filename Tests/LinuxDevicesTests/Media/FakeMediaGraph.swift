import CVideo
import Glibc

/// A media graph in the manner of vimc: a sensor that feeds a capture node and, besides, a converter with a scaler.
///
/// Answers on the descriptors of its device files; everything else is passed on to the video device.
final class FakeMediaGraph {
    enum Request {
        static let topology: UInt = 0xc048_7c04
        static let setupLink: UInt = 0xc034_7c03
        static let setSubdeviceFormat: UInt = 0xc058_5605
        static let getSubdeviceFormat: UInt = 0xc058_5604
        static let enumCode: UInt = 0xc030_5602
        static let enumSize: UInt = 0xc040_564a
        static let getSelection: UInt = 0xc040_563d
    }

    struct PadFormat: Equatable {
        var entity: String
        var pad: UInt32
        var code: UInt32
        var width: UInt32
    }

    struct LinkChange: Equatable {
        var source: UInt32
        var sink: UInt32
        var flags: UInt32
    }

    static let sensor: UInt32 = 1
    static let capture: UInt32 = 2
    static let converter: UInt32 = 3
    static let scaler: UInt32 = 4

    private(set) var formats: [PadFormat] = []
    private(set) var links: [LinkChange] = []
    /// The width that the sensor makes of any other; nil takes any.
    var sensorWidth: UInt32?
    var linkFailure: Int32 = 0
    /// What happens in the sensor when its format is set.
    var onFormat: () -> Void = {}
    /// The bus code that the sensor makes of any other; nil takes any.
    var sensorCode: UInt32?
    /// The sensor's lens: linked to it, there without a link, or not there.
    var lens = Lens.none
    enum Lens { case linked, unlinked, none }
    /// The bus codes and the sizes that the sensor names, each with the crop of its mode; none for one that can't say.
    var codes: [UInt32] = []
    var modes: [(width: UInt32, height: UInt32, crop: v4l2_rect)] = []
    private var triedWidth: UInt32 = 0
    /// The format that the sensor has.
    private var sensorFormat = v4l2_mbus_framefmt()
    var sensorLinkIsEnabled = true

    /// Puts the graph's files beside a capture node `video0` whose device number is that of a plain file, 0:0.
    func install(in root: FakeRoot) {
        root.addNode("video0", device: "/sys/devices/platform/fake-0", label: "Raw Capture 0")
        root.make("/sys/devices/platform/fake-0/media0")
        root.write("/dev/media0", "")
        for (minor, name) in [(11, "sensor"), (12, "converter"), (13, "scaler"), (14, "lens")] {
            root.make("/sys/devices/platform/fake-0/video4linux/\(name)")
            root.make("/sys/dev/char")
            root.link(
                "/sys/dev/char/81:\(minor)", to: "/sys/devices/platform/fake-0/video4linux/\(name)")
            root.write("/dev/\(name)", "")
        }
    }

    /// Answers a request to one of the graph's files: 0 or an errno; nil for another device's.
    func answer(_ descriptor: Int32, _ request: UInt, _ argument: UnsafeMutableRawPointer)
        -> Int32?
    {
        switch request {
        case Request.topology:
            fill(argument.assumingMemoryBound(to: media_v2_topology.self))
            return 0
        case Request.setupLink:
            let link = argument.assumingMemoryBound(to: media_link_desc.self).pointee
            links.append(
                LinkChange(
                    source: link.source.entity, sink: link.sink.entity, flags: link.flags))
            return linkFailure
        case Request.setSubdeviceFormat:
            let asked = argument.assumingMemoryBound(to: v4l2_subdev_format.self)
            if asked.pointee.which == 0 {
                triedWidth = asked.pointee.format.width
                return 0
            }
            let name = fileName(of: descriptor)
            formats.append(
                PadFormat(
                    entity: name, pad: asked.pointee.pad, code: asked.pointee.format.code,
                    width: asked.pointee.format.width))
            if name == "sensor" {
                onFormat()
                if let sensorWidth { asked.pointee.format.width = sensorWidth }
                if let sensorCode { asked.pointee.format.code = sensorCode }
                sensorFormat = asked.pointee.format
            }
            return 0
        case Request.getSubdeviceFormat:
            argument.assumingMemoryBound(to: v4l2_subdev_format.self).pointee.format = sensorFormat
            return 0
        case Request.enumCode, Request.enumSize, Request.getSelection:
            return answerMode(request, argument)
        default: return nil
        }
    }

    /// What the sensor says of its modes.
    private func answerMode(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        switch request {
        case Request.enumCode:
            let query = argument.assumingMemoryBound(to: v4l2_subdev_mbus_code_enum.self)
            guard codes.indices.contains(Int(query.pointee.index)) else { return EINVAL }
            query.pointee.code = codes[Int(query.pointee.index)]
        case Request.enumSize:
            let query = argument.assumingMemoryBound(to: v4l2_subdev_frame_size_enum.self)
            guard modes.indices.contains(Int(query.pointee.index)) else { return EINVAL }
            let mode = modes[Int(query.pointee.index)]
            (query.pointee.min_width, query.pointee.max_width) = (mode.width, mode.width)
            (query.pointee.min_height, query.pointee.max_height) = (mode.height, mode.height)
        default:
            guard let mode = modes.first(where: { $0.width == triedWidth }) else { return EINVAL }
            argument.assumingMemoryBound(to: v4l2_subdev_selection.self).pointee.r = mode.crop
        }
        return 0
    }

    private func fill(_ answer: UnsafeMutablePointer<media_v2_topology>) {
        // The functions of a sensor, a lens, and none that matters.
        var names: [(name: String, function: UInt32)] = [
            ("Sensor A", 0x2_0001), ("Raw Capture 0", 0x1_0001), ("Debayer A", 0), ("Scaler", 0),
        ]
        if lens != .none { names.append(("Lens A", 0x2_0003)) }
        let entities = names.enumerated().map { place, part in
            var entity = media_v2_entity()
            (entity.id, entity.function) = (UInt32(place + 1), part.function)
            withUnsafeMutableBytes(of: &entity.name) { $0.copyBytes(from: part.name.utf8) }
            return entity
        }
        let pads = [(21, 1, 0, 2), (22, 2, 0, 1), (23, 3, 0, 1), (24, 3, 1, 2), (25, 4, 0, 1)].map {
            row in
            var pad = media_v2_pad()
            (pad.id, pad.entity_id) = (UInt32(row.0), UInt32(row.1))
            (pad.index, pad.flags) = (UInt32(row.2), UInt32(row.3))
            return pad
        }
        let files = [(31, 0, 0), (32, 81, 11), (33, 81, 12), (34, 81, 13), (35, 81, 14)]
        let interfaces = files.prefix(names.count).map { row in
            var interface = media_v2_interface()
            interface.id = UInt32(row.0)
            interface.devnode.major = UInt32(row.1)
            interface.devnode.minor = UInt32(row.2)
            return interface
        }
        // Enabled 1, fixed 2, interface link 1 << 28, ancillary link 2 << 28.
        let sensorLink: UInt32 = sensorLinkIsEnabled ? 3 : 0
        var rows: [(UInt32, UInt32, UInt32)] = [
            (21, 22, sensorLink), (21, 23, 3), (24, 25, 1), (31, 2, 1 << 28), (32, 1, 1 << 28),
            (33, 3, 1 << 28), (34, 4, 1 << 28),
        ]
        if lens != .none { rows.append((35, 5, 1 << 28)) }
        if lens == .linked { rows.append((1, 5, 2 << 28)) }
        let links = rows.map { row in
            var link = media_v2_link()
            (link.source_id, link.sink_id, link.flags) = row
            return link
        }
        answer.pointee.num_entities = give(entities, at: answer.pointee.ptr_entities)
        answer.pointee.num_pads = give(pads, at: answer.pointee.ptr_pads)
        answer.pointee.num_interfaces = give(interfaces, at: answer.pointee.ptr_interfaces)
        answer.pointee.num_links = give(links, at: answer.pointee.ptr_links)
    }

    /// Copies parts to where the caller has room for them, if it has.
    private func give<Part>(_ parts: [Part], at address: UInt64) -> UInt32 {
        let target = UnsafeMutablePointer<Part>(bitPattern: UInt(address))
        parts.withUnsafeBufferPointer { source in
            if let first = source.baseAddress { target?.update(from: first, count: source.count) }
        }
        return UInt32(parts.count)
    }
}

/// The name of the device file behind a descriptor.
func fileName(of descriptor: Int32) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count - 1)
    let path = String(
        decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "/").last.map(String.init) ?? ""
}
