import Devices
import Glibc
import Imaging

@testable import LinuxDevices

/// The kernel as far as a media graph goes: what drivers make of requests, and what v4l2-core refuses at the start.
///
/// Written from the kernel's sources (v4l2_subdev_link_validate_default, media_pipeline_start, the receivers' pad
/// formats), apart from the planner that it judges.
final class KernelModel: GraphPort {
    /// How a receiver's driver behaves.
    enum Receiver {
        case cfeDownstream, cfeMainline, unicamDownstream, unicam, plain
    }

    var state: MediaSnapshot
    private let original: MediaSnapshot
    let receiver: Receiver
    /// Sizes that sensors have; they make the nearest of any other.
    var sizes: [(UInt32, UInt32)] = [
        (4056, 3040), (3280, 2464), (2028, 1520), (1920, 1080), (640, 480),
    ]
    /// Bits of samples that sensors have.
    var depths: [Int] = [8, 10, 12]
    /// Requests that changed something, by their kinds.
    private(set) var log: [String] = []
    /// Links that answer EBUSY.
    var busy: Set<String> = []
    /// Whether embedded data get their route.
    var refusesRoutes = false

    init(_ state: MediaSnapshot, _ receiver: Receiver) {
        self.state = state
        original = state
        self.receiver = receiver
    }

    private var topology: MediaTopology { state.topology }

    func setLink(_ link: MediaTopology.Link, isEnabled: Bool) -> KernelError? {
        guard let place = topology.links.firstIndex(where: { $0.joinsSame(as: link) }) else {
            return KernelError(code: EINVAL)
        }
        let found = topology.links[place]
        if found.isFixed { return found.isEnabled == isEnabled ? nil : KernelError(code: EINVAL) }
        if busy.contains(topology.text(of: link)) { return KernelError(code: EBUSY) }
        state.topology.links[place].isEnabled = isEnabled
        log.append("link")
        return nil
    }

    func setRoutes(_ routes: [SubdeviceRoute], of entity: UInt32) -> KernelError? {
        guard var part = state.subdevices[entity], part.hasStreams, !refusesRoutes else {
            return KernelError(code: ENOTTY)
        }
        // A sensor's fixed routes stay whatever is asked.
        let fixed = part.routes.filter(\.isFixed)
        let inactive = part.routes.filter { old in
            !old.isFixed && !routes.contains { $0.joinsSame(as: old) }
        }.map { old in
            var old = old
            old.isActive = false
            return old
        }
        let kept = routes.filter { new in !fixed.contains { $0.joinsSame(as: new) } }
        let isSensor = topology.entity(entity).map(topology.isOrigin) == true
        part.routes = fixed + kept + (isSensor ? inactive : [])
        let old = part.formats
        part.formats = [:]
        for route in part.routes where route.isActive {
            let ends = [
                (false, route.sinkPad, route.sinkStream),
                (true, route.sourcePad, route.sourceStream),
            ]
            for (isSource, index, stream) in ends {
                guard let pad = pad(entity, index, isSource: isSource) else { continue }
                let lines = BusFormat(width: 3280, height: 2, code: 0x8002, field: 1)
                let usual = BusFormat(width: 640, height: 480, code: 0x2006, field: 1)
                let key = PadStream(pad: pad.id, stream: stream)
                let isLines = route.sinkStream == 1 || (isSensor && route.sourceStream == 1)
                part.formats[key] = isSensor ? old[key] ?? (isLines ? lines : usual) : usual
            }
        }
        state.subdevices[entity] = part
        log.append("routes")
        return nil
    }

    func control(_ control: CameraControl, of entity: UInt32) -> Result<Int64, KernelError> {
        let controls = state.subdevices[entity]?.controls ?? []
        let code = controls.first { $0.control == control }?.code
        return code.map { .success($0) } ?? .failure(KernelError(code: EINVAL))
    }

    func setControl(_ value: ControlValue, of entity: UInt32) -> KernelError? {
        guard var part = state.subdevices[entity],
            let place = part.controls.firstIndex(where: { $0.control == value.control })
        else { return KernelError(code: EINVAL) }
        part.controls[place].code = value.code
        state.subdevices[entity] = part
        log.append("control")
        // The format that stands moves with the flips.
        for pad in topology.pads(of: entity) where pad.isSource {
            let key = PadStream(pad: pad.id)
            guard let format = state.subdevices[entity]?.formats[key] else { continue }
            let moved = ordered(format, entity)
            state.subdevices[entity]?.formats[key] = moved
        }
        return nil
    }

    func format(of pad: PadStream) -> Result<BusFormat, KernelError> {
        guard let entity = topology.pad(pad.pad)?.entity, let part = state.subdevices[entity] else {
            return .failure(KernelError(code: ENOTTY))
        }
        return part.formats[pad].map { .success($0) } ?? .failure(KernelError(code: EINVAL))
    }

    func setFormat(_ format: BusFormat, of pad: PadStream) -> Result<BusFormat, KernelError> {
        guard let known = topology.pad(pad.pad), let entity = topology.entity(known.entity),
            let part = state.subdevices[entity.id]
        else { return .failure(KernelError(code: ENOTTY)) }
        guard let now = part.formats[pad] else { return .failure(KernelError(code: EINVAL)) }
        log.append("format")
        if topology.isOrigin(entity) {
            let first = original.subdevices[entity.id]?.formats[pad]
            // What a sensor had at first it has again, in the order that its flips make.
            let isFirst = first?.isAlike(format) == true
            let given =
                now.isMetadata
                ? now
                : ordered((isFirst ? first : nil) ?? sensorFormat(format, entity.id), entity.id)
            state.subdevices[entity.id]?.formats[pad] = given
            return .success(given)
        }
        if known.isSource { return .success(now) }
        return .success(setSink(format, pad, known, entity))
    }

    /// A receiver's sink: what is asked is stored as it is; the sources behind it follow.
    private func setSink(
        _ format: BusFormat, _ pad: PadStream, _ known: MediaTopology.Pad,
        _ entity: MediaTopology.Entity
    ) -> BusFormat {
        var stored = format
        if entity.name == "pisp-fe", known.index == 0, !stored.isMetadata { stored.code = 0x3020 }
        var passed = stored
        passed.field = 1
        // The Pi 5's receiver keeps the field as it was asked, and says NONE; others make NONE of ANY.
        if receiver != .cfeDownstream, receiver != .cfeMainline {
            stored.field = max(1, stored.field)
        }
        state.subdevices[entity.id]?.formats[pad] = stored
        let part = state.subdevices[entity.id]
        let pads = topology.pads(of: entity.id)
        if let part, part.hasStreams {
            for route in part.routes
            where route.isActive && route.sinkPad == known.index && route.sinkStream == pad.stream {
                guard let source = pads.first(where: { $0.isSource && $0.index == route.sourcePad })
                else { continue }
                let key = PadStream(pad: source.id, stream: route.sourceStream)
                state.subdevices[entity.id]?.formats[key] = passed
            }
        } else {
            let isChannels = receiver == .cfeDownstream && entity.name == "csi2"
            for source in pads
            where source.isSource && (!isChannels || source.index == known.index + 4) {
                if part?.formats[PadStream(pad: source.id)]?.code == 1 { continue }
                state.subdevices[entity.id]?.formats[PadStream(pad: source.id)] = passed
            }
        }
        return passed
    }

    private func pad(_ entity: UInt32, _ index: UInt32, isSource: Bool) -> MediaTopology.Pad? {
        topology.pads(of: entity).first { $0.index == index && $0.isSource == isSource }
    }

    // MARK: Sensors

    private func sensorFormat(_ wanted: BusFormat, _ entity: UInt32) -> BusFormat {
        let size =
            sizes.first { $0.0 == wanted.width && $0.1 == wanted.height }
            ?? sizes.min { distance($0, wanted) < distance($1, wanted) } ?? (640, 480)
        var given = BusFormat(
            width: size.0, height: size.1, code: wanted.code, field: 1, colorspace: 11,
            ycbcrEncoding: 1, quantization: 1, transferFunction: 5)
        let known = Self.bayer.contains {
            $0.key.contains(wanted.code) && depths.contains($0.value)
        }
        if !known { given.code = 0x300f }
        return ordered(given, entity)
    }

    private func distance(_ size: (UInt32, UInt32), _ wanted: BusFormat) -> Int64 {
        abs(Int64(size.0) - Int64(wanted.width)) + abs(Int64(size.1) - Int64(wanted.height))
    }

    /// RGGB, then mirrored, upside down, both; by bits of a sample.
    private static let bayer: [[UInt32]: Int] = [
        [0x3014, 0x3002, 0x3013, 0x3001]: 8, [0x300f, 0x300a, 0x300e, 0x3007]: 10,
        [0x3012, 0x3011, 0x3010, 0x3008]: 12,
    ]

    /// The order of colours that a sensor's flips make, where its driver says that they move it.
    private func ordered(_ format: BusFormat, _ entity: UInt32) -> BusFormat {
        let controls = state.subdevices[entity]?.controls.filter(\.changesLayout) ?? []
        guard !controls.isEmpty,
            let orders = Self.bayer.keys.first(where: { $0.contains(format.code) })
        else { return format }
        func isOn(_ id: UInt32) -> Bool {
            controls.first { $0.control.rawValue == id }?.code == 1
        }
        var given = format
        given.code = orders[(isOn(0x0098_0914) ? 1 : 0) + (isOn(0x0098_0915) ? 2 : 0)]
        return given
    }
}
