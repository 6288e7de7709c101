/// How a camera's controls stood when its automatics were off: which of them can be locked.
///
/// Read once, when made. A camera that lists no controls at all counts as lacking none: then only a write shows whether
/// it has one.
public struct ControlStatus {
    private let controls: [CameraControl: ControlDescription]
    private let camera: CameraIdentity

    /// Asks a camera.
    ///
    /// - Throws: ``DeviceError`` if the camera can't list its controls.
    public init(_ camera: any CameraDriver) throws(DeviceError) {
        self.camera = camera.identity
        controls = Dictionary(
            try camera.controls().map { ($0.control, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What the camera reports of a control; nil if it does not list it.
    public subscript(control: CameraControl) -> ControlDescription? { controls[control] }

    /// Whether the camera lists controls but not this one.
    public func lacks(_ control: CameraControl) -> Bool {
        !controls.isEmpty && controls[control] == nil
    }

    /// Whether a control has a value already and can't be written: then there is nothing to be done.
    public func has(_ value: ControlValue) -> Bool {
        guard let control = controls[value.control], control.code == value.code else {
            return false
        }
        return control.isGrabbed || control.isReadOnly
    }

    /// Why a control can't be pinned at a value: as ``refusal(of:)``, or the camera takes no such value.
    ///
    /// Drivers move a value to the nearest limit without a word.
    public func refusal(ofPin value: ControlValue) -> DeviceError? {
        if let refusal = refusal(of: value) { return refusal }
        guard let control = controls[value.control],
            value.code < control.minimum || value.code > control.maximum
        else { return nil }
        return DeviceError(
            .unsupported,
            "camera \(camera.id) can't lock \(value.control.name) at \(value.code): it takes \(control.minimum)"
                + " to \(control.maximum); change `pinned` in the camera profile")
    }

    /// Why a control can't be locked at a value.
    ///
    /// An inactive one takes a value and forgets it, or refuses: its value is then unknown.
    public func refusal(of value: ControlValue) -> DeviceError? {
        guard let control = controls[value.control], !has(value) else { return nil }
        let what = "camera \(camera.id) can't lock \(value.control.name) at \(value.code)"
        if control.isReadOnly {
            return DeviceError(
                .unsupported,
                "\(what): the control is read-only; leave the setting out of the recipe")
        }
        if control.isInactive {
            return DeviceError(.refused, "\(what): \(owner(of: value.control))")
        }
        if control.isGrabbed {
            return DeviceError(
                .busy,
                "\(what): it is held by a stream or another program; end that first")
        }
        return nil
    }

    /// Who drives an inactive control, and what to do about it.
    private func owner(of control: CameraControl) -> String {
        guard let automatic = control.automatic, let state = controls[automatic] else {
            return
                "it is inactive, so another control drives it; `framelock devices` shows how all of them stand"
        }
        let code = state.code.map { " = \($0)" } ?? ""
        return
            "it is inactive while \(automatic.name)\(code) drives it; name the value that switches the automatic"
            + " off under `automatics_off` of the camera profile"
    }

    /// Why nothing can be recorded at all: the camera's privacy switch is on; nil if it is not.
    public var obstacle: DeviceError? {
        guard let privacy = CameraControl(name: "privacy"),
            let code = controls[privacy]?.code, code != 0
        else { return nil }
        return DeviceError(
            .refused,
            "camera \(camera.id) is covered: its privacy switch is on (control privacy = \(code)), so every frame"
                + " would be blank; open it and run again")
    }
}
