internal import Devices
internal import Glibc

/// Carries out a plan, and puts back afterwards what it found.
///
/// One for each time that a camera is configured. What it found is how things stood before the camera was first
/// touched, not before this plan, so that several set-ups in a row are undone to the same state.
final class GraphExecutor {
    /// What the pads answered.
    private(set) var formats: [PadStream: BusFormat] = [:]

    private let port: any GraphPort
    /// How everything stood before.
    private let found: MediaSnapshot
    /// How messages name the media device.
    private let path: String
    /// What was done, so that it can be undone.
    private var done: [GraphOperation] = []

    /// - Parameters:
    ///   - port: the kernel, or a model of it.
    ///   - found: how everything stood before; what is put back.
    ///   - path: how messages name the media device.
    init(_ port: any GraphPort, found: MediaSnapshot, path: String) {
        self.port = port
        self.found = found
        self.path = path
    }

    /// Carries out all requests, in order; stops at the first that is refused.
    ///
    /// - Throws: ``DeviceError`` naming the part that refuses.
    func perform(_ operations: [GraphOperation]) throws(DeviceError) {
        for operation in operations {
            // A format that is refused may have changed all the same; anything else has not.
            if operation.isFormat { done.append(operation) }
            try perform(operation)
            if !operation.isFormat { done.append(operation) }
        }
    }

    private func perform(_ operation: GraphOperation) throws(DeviceError) {
        switch operation {
        case .link(let link, let isEnabled):
            if let error = port.setLink(link, isEnabled: isEnabled) {
                throw refusal(
                    "the link from \(topology.text(of: link)) of \(path) could not be "
                        + (isEnabled ? "enabled" : "cut"), error)
            }
        case .routes(let entity, let routes):
            if let error = port.setRoutes(routes, of: entity) {
                throw refusal("the routes of `\(name(entity))` of \(path) could not be set", error)
            }
        case .control(let entity, let value):
            if let error = port.setControl(value, of: entity) {
                throw refusal(
                    "\(value.control.name) of `\(name(entity))` of \(path) could not be set to \(value.code)",
                    error)
            }
        case .setFormat(let pad, let wanted): try set(pad, wanted)
        case .readFormat(let pad): formats[pad] = try read(pad)
        case .copyFormat(let pad, let source):
            guard let format = formats[source] else { return }
            try set(pad, format)
        case .checkFormat(let pad, let wanted):
            try check(pad, wanted, try read(pad))
        }
    }

    /// Sets a format, keeps what the driver made of it, and sees that size and pixels are those asked for.
    private func set(_ pad: PadStream, _ wanted: BusFormat) throws(DeviceError) {
        switch port.setFormat(wanted, of: pad) {
        case .success(let given):
            formats[pad] = given
            try check(pad, wanted, given)
        case .failure(let error):
            throw refusal(
                "\(topology.text(ofPad: pad.pad)) of \(path) could not be set to \(wanted.text)",
                error)
        }
    }

    /// - Throws: ``DeviceError`` naming the pad whose driver does not report its format.
    private func read(_ pad: PadStream) throws(DeviceError) -> BusFormat {
        switch port.format(of: pad) {
        case .success(let format): return format
        case .failure(let error):
            throw refusal(
                "\(topology.text(ofPad: pad.pad)) of \(path) does not report its format", error)
        }
    }

    /// - Throws: ``DeviceError`` `unsupported` where size or pixels are others, with the nearest that the part can
    ///   deliver.
    private func check(
        _ pad: PadStream, _ wanted: BusFormat, _ given: BusFormat
    ) throws(DeviceError) {
        guard !given.isAlike(wanted) else { return }
        let entity = topology.pad(pad.pad)?.entity
        let number = topology.pad(pad.pad).map { " (pad \($0.index))" } ?? ""
        throw DeviceError(
            .unsupported,
            "`\(entity.map(name) ?? "?")`\(number) of \(path) can't deliver \(wanted.text), the nearest is "
                + given.text + BusCode.advice(wanted: wanted.code, given: given.code))
    }

    /// The message for a request that failed; EBUSY means that somebody streams from the device.
    private func refusal(_ what: String, _ error: KernelError) -> DeviceError {
        let isBusy = error.code == EBUSY
        let hint = isBusy ? "; another program streams from this device" : ""
        return DeviceError(isBusy ? .busy : .failed, "\(what): \(error)\(hint)")
    }

    var topology: MediaTopology { found.topology }
    private func name(_ entity: UInt32) -> String { topology.entity(entity)?.name ?? "?" }
}

// MARK: - Putting back

extension GraphExecutor {
    /// Puts links, routes, controls and formats back as they were found, the last change first.
    ///
    /// Formats go from the sensor onwards, after everything that changes them.
    ///
    /// - Returns: what could not be put back, in words.
    func putBack() -> [String] {
        let undone = done
        done = []
        formats = [:]
        var left: [String] = []
        for case .link(let link, let isEnabled) in undone.reversed()
        where link.isEnabled != isEnabled {
            if let error = port.setLink(link, isEnabled: link.isEnabled) {
                let state = link.isEnabled ? "enabled" : "cut"
                left.append(note("the link from \(topology.text(of: link)) is not \(state)", error))
            }
        }
        for case .routes(let entity, _) in undone.reversed() {
            let routes = found.subdevices[entity]?.routes.filter(\.isActive) ?? []
            if let error = port.setRoutes(routes, of: entity) {
                left.append(note("the routes of `\(name(entity))` are others", error))
            }
        }
        for case .control(let entity, let value) in undone.reversed() {
            left += putBack(value.control, of: entity)
        }
        left += putBackFormats(after: undone)
        return left + putBackBlanking(after: undone)
    }

    /// The blanking of parts whose formats were set: drivers change it with the mode, and runs write it.
    private func putBackBlanking(after undone: [GraphOperation]) -> [String] {
        var left: [String] = []
        for entity in touchedEntities(undone) {
            for control in found.subdevices[entity]?.controls ?? []
            where control.control.isBlanking && !control.isReadOnly {
                let now = try? port.control(control.control, of: entity).get()
                if now != control.code { left += putBack(control.control, of: entity) }
            }
        }
        return left
    }

    /// Writes the value that a control had; one that could not be read then is left alone.
    private func putBack(_ control: CameraControl, of entity: UInt32) -> [String] {
        let before = found.subdevices[entity]?.controls.first { $0.control == control }
        guard let code = before?.code else { return [] }
        let error = port.setControl(ControlValue(control, code), of: entity)
        return error.map {
            [note("\(control.name) of `\(name(entity))` is not \(code)", $0)]
        } ?? []
    }

    /// Every format of a part whose formats or routes were touched.
    private func putBackFormats(after undone: [GraphOperation]) -> [String] {
        var left: [String] = []
        for entity in touchedEntities(undone) {
            let before = found.subdevices[entity]?.formats ?? [:]
            // Sinks first: setting one may set the sources behind it.
            let pads = before.keys.sorted { isBefore($0, $1) }
            for pad in pads { left += putBack(before[pad], at: pad) }
        }
        return left
    }

    /// Parts whose formats or routes were set, in order.
    private func touchedEntities(_ undone: [GraphOperation]) -> [UInt32] {
        var entities: [UInt32] = []
        for operation in undone {
            let entity: UInt32? =
                switch operation {
                case .setFormat(let pad, _), .copyFormat(let pad, _):
                    topology.pad(pad.pad)?.entity
                case .routes(let entity, _): entity
                default: nil
                }
            if let entity, !entities.contains(entity) { entities.append(entity) }
        }
        return entities
    }

    /// Sinks before sources, then by number and stream.
    private func isBefore(_ a: PadStream, _ b: PadStream) -> Bool {
        func rank(_ pad: PadStream) -> (Int, UInt32, UInt32) {
            let known = topology.pad(pad.pad)
            return (known?.isSource == true ? 1 : 0, known?.index ?? 0, pad.stream)
        }
        return rank(a) < rank(b)
    }

    /// Sets the format that a pad had, unless it has it; internal pads can't be set.
    private func putBack(_ format: BusFormat?, at pad: PadStream) -> [String] {
        guard let format, case .success(let now) = port.format(of: pad), now != format,
            topology.pad(pad.pad)?.isInternal != true
        else { return [] }
        let place = "\(topology.text(ofPad: pad.pad)) is not \(format.text) again"
        switch port.setFormat(format, of: pad) {
        case .success(let given):
            // Until a format is set again, drivers report the order of before a flip. The flips, which are back,
            // decide.
            var turned = format
            if BusCode.differInOrderAlone(format.code, given.code) { turned.code = given.code }
            return given.isAlike(turned) ? [] : ["\(place) but \(given.text)"]
        case .failure(let error): return [note(place, error)]
        }
    }

    /// A notice for people: what is not as it was, and why.
    private func note(_ what: String, _ error: KernelError) -> String {
        "\(what) (\(path): \(error))"
    }
}
