internal import Devices
internal import Imaging
internal import LinuxDevices
internal import Notation
internal import Timebase

/// Cameras and chips, for people and programs.
///
/// Names and ids are printed as recipes and rigs take them. Nothing in it is asked of a device: the searches have done
/// that.
struct DeviceListing {
    /// Those of the machine, then the simulated one.
    let cameras: [CameraDescription]
    /// CSI receivers of which no driver took a sensor on the ribbon cable.
    let emptyReceivers: [EmptyReceiver]
    /// GPIO chips; recipes name them by label, never by number.
    let chips: [LineChip]
    /// What is known of a camera, as far as it goes along with it; the limits of its formats come from there.
    let profile: (CameraDescription) -> CameraProfile?

    /// For programs: every camera, receiver and chip with all that is known of it.
    var json: JSONValue {
        [
            "cameras": .array(cameras.map(json)),
            "receivers_without_sensor": .array(emptyReceivers.map(json)),
            "chips": .array(chips.map(json)),
        ]
    }

    /// For people: a block for each camera, receiver and chip.
    ///
    /// A format that framelock does not record is listed by its four-character code, so that nobody looks for it in
    /// vain. Lines of a chip with neither name nor user are left out.
    var text: String {
        var lines: [String] = []
        for camera in cameras {
            let identity = camera.identity
            lines.append("camera \(identity.id)")
            lines.append(
                "  \(identity.name) (\(identity.driver), \(identity.location)) \(identity.path)")
            if let sensor = identity.sensor, let receiver = identity.receiver {
                lines.append("  sensor \(sensor), receiver \(receiver)")
            }
            if let profile = profile(camera) {
                lines.append(
                    profile.isUnknown
                        ? "  no profile: nothing of it can be locked (see --profile and --profiles)"
                        : "  profile \(profile.name)")
            }
            for input in camera.inputs { lines.append("  input \(input)") }
            for format in camera.formats {
                let note = format.pixelFormat == nil ? " (not recorded by framelock)" : ""
                let name = format.pixelFormat?.name ?? format.fourCC
                let rates = format.rates.map(\.description).joined(separator: ", ")
                let region = Self.region(of: format).map { " reads \($0)" } ?? ""
                let range = format.range.map { " of \($0)" } ?? ""
                lines.append("  format \(name) \(format.size)\(range)\(region) \(rates)\(note)")
            }
            for control in camera.controls {
                lines.append("  control \(line(of: control))")
            }
        }
        for receiver in emptyReceivers {
            lines.append("receiver \(receiver.path)")
            lines.append("  \(receiver.message)")
        }
        for chip in chips {
            lines.append("chip \(chip.label) (\(chip.path), \(chip.lines.count) lines)")
            for line in chip.lines where !line.name.isEmpty || !line.consumer.isEmpty {
                let user = line.consumer.isEmpty ? "" : " in use by \(line.consumer)"
                lines.append("  line \(line.offset) \(line.name)\(user)")
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The part of the pixel array that a format reads, and how many of its pixels make one.
    ///
    /// Nil where the driver does not report it. The factor is that of the widths: binning and skipping look alike here.
    private static func region(of format: CameraFormat) -> String? {
        guard let crop = format.crop else { return nil }
        let factor = crop.size.width / format.size.width
        return factor > 1 ? "\(crop), \(factor)x\(factor) to one" : "\(crop)"
    }

    /// Name, range, value, then everything that keeps it from being set at will.
    ///
    /// The value is `?` where it can't be read. A person who can't set a control finds the reason here: an automatic, a
    /// stream, another program.
    private func line(of control: ControlDescription) -> String {
        let notes = [
            control.isInactive
                ? "inactive: \(control.control.automatic?.name ?? "an automatic") drives it" : nil,
            control.isReadOnly ? "read-only" : nil,
            control.isGrabbed ? "held by a stream or another program" : nil,
            control.isVolatile ? "moves by itself" : nil,
            control.changesLayout ? "moves the order of colours" : nil,
            control.part.isEmpty ? nil : "on `\(control.part)`",
        ].compactMap { $0 }
        let value = control.code.map { "\($0)" } ?? "?"
        let note = notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
        return
            "\(control.control.name) \(control.minimum)..\(control.maximum) step \(control.step) = \(value)\(note)"
    }

    /// A camera with its formats and controls; `profile` is the name of the one that fits, null where that can't be
    /// read.
    private func json(_ camera: CameraDescription) -> JSONValue {
        let identity = camera.identity
        return [
            "id": .string(identity.id),
            "name": .string(identity.name),
            "driver": .string(identity.driver),
            "bus": .string(identity.bus),
            "location": .string(identity.location),
            "backend": .string(identity.backend),
            "path": .string(identity.path),
            "sensor": identity.sensor.map { .string($0) } ?? .null,
            "receiver": identity.receiver.map { .string($0) } ?? .null,
            "inputs": .array(camera.inputs.map { .string($0) }),
            "profile": profile(camera).map { .string($0.name) } ?? .null,
            "formats": .array(formats(camera)),
            "controls": .array(camera.controls.map(json)),
        ]
    }

    /// The formats, each with the limits that the profile gives it there: they change from format to format.
    private func formats(_ camera: CameraDescription) -> [JSONValue] {
        let profile = profile(camera)
        return camera.formats.map { json($0, profile?.limits(of: $0)) }
    }

    /// One format: `pixels` is null where framelock does not record it, `limits` where the profile can't be read.
    private func json(_ format: CameraFormat, _ limits: FormatLimits?) -> JSONValue {
        [
            "pixels": format.pixelFormat.map { .string($0.name) } ?? .null,
            "fourcc": .string(format.fourCC),
            "width": .integer(Int64(format.size.width)),
            "height": .integer(Int64(format.size.height)),
            "rates": .array(format.rates.map { .string($0.description) }),
            "limits": limits.map {
                FormatLimitsListing.json(exposure: $0.exposure, iso: $0.iso, gain: $0.gain)
            } ?? .null,
            "binning": limits?.mode.map { .integer($0.binning) } ?? .null,
            "crop": (format.crop ?? limits?.mode?.crop).map { .string($0.description) } ?? .null,
            "sizes": format.range.map { .string($0.description) } ?? .null,
        ]
    }

    /// One control with its range and present value in the driver's own codes; `value` is null where it can't be read.
    private func json(_ control: ControlDescription) -> JSONValue {
        [
            "control": .string(control.control.name),
            "label": .string(control.label),
            "minimum": .integer(control.minimum),
            "maximum": .integer(control.maximum),
            "step": .integer(control.step),
            "default": .integer(control.defaultCode),
            "value": control.code.map { .integer($0) } ?? .null,
            "inactive": .bool(control.isInactive),
            "read_only": .bool(control.isReadOnly),
            "grabbed": .bool(control.isGrabbed),
            "volatile": .bool(control.isVolatile),
            "changes_others": .bool(control.changesOthers),
            "changes_layout": .bool(control.changesLayout),
            "part": .string(control.part),
        ]
    }

    /// A receiver without sensor; `untaken` has the sensors of the device tree that no driver took.
    private func json(_ receiver: EmptyReceiver) -> JSONValue {
        [
            "driver": .string(receiver.driver), "path": .string(receiver.path),
            "bus": .string(receiver.bus),
            "untaken": .array(receiver.untaken.map { .string($0) }),
            "message": .string(receiver.message),
        ]
    }

    /// A chip with every line; `consumer` is empty for one that nobody uses.
    private func json(_ chip: LineChip) -> JSONValue {
        [
            "label": .string(chip.label),
            "path": .string(chip.path),
            "lines": .array(
                chip.lines.map { line in
                    [
                        "offset": .integer(Int64(line.offset)), "name": .string(line.name),
                        "consumer": .string(line.consumer),
                    ]
                }),
        ]
    }
}
