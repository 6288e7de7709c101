/// The attached camera that a profile was compared with.
public struct LiveCamera: Hashable, Sendable {
    /// Its stable id.
    public var id: String
    /// What the profile speaks of and the camera does not have.
    public var lacks: [ControlGroup]

    /// Creates the note of an attached camera.
    public init(id: String, lacks: [ControlGroup] = []) {
        self.id = id
        self.lacks = lacks
    }
}

extension CameraProfile {
    /// The profile as far as an attached camera goes along with it.
    ///
    /// Units and laws stay the profile's; the range of a control becomes what both allow, and what the camera has no
    /// control for is not supported. Limits are then marked as the camera's own. What a sensor's exposure allows
    /// depends on its frame length at the moment, so its upper end stays the profile's.
    public func narrowed(to device: CameraDescription) -> CameraProfile {
        var profile = self
        var live = LiveCamera(id: device.identity.id)
        let place = LimitOrigin.device(device.identity.id)
        func found(_ control: CameraControl) -> ControlDescription? {
            device.controls.first { $0.control == control && !$0.isReadOnly }
        }
        if var model = exposure, let control = found(model.control) {
            if model.codes.narrow(to: control) { model.limit = place }
            profile.exposure = model
        } else if exposure != nil {
            profile.exposure = nil
            live.lacks.append(.exposure)
        }
        if let model = gain, found(model.control) == nil, let older = model.olderControl,
            found(older) != nil
        {
            profile.gain?.control = older
        }
        if var model = profile.gain, let control = found(model.control) {
            let before = model.codes
            if model.codes.narrow(to: control) { model.limit = place }
            // A driver may offer codes that the law knows no gain for.
            if model.gain(ofCode: model.codes.minimum) == nil
                || model.gain(ofCode: model.codes.maximum) == nil
            {
                model.codes = before
            }
            profile.gain = model
        } else if gain != nil {
            profile.gain = nil
            live.lacks.append(.gain)
        }
        if var model = focus, let control = found(model.control) {
            var codes = CodeRange(
                min(model.nearCode, model.farCode), max(model.nearCode, model.farCode))
            if codes.narrow(to: control) { (model.liveCodes, model.limit) = (codes, place) }
            profile.focus = model
        } else if focus != nil {
            profile.focus = nil
            live.lacks.append(.lens)
        }
        profile.narrowWhiteBalance(place, &live, found)
        profile.live = live
        return profile
    }

    private mutating func narrowWhiteBalance(
        _ place: LimitOrigin, _ live: inout LiveCamera,
        _ found: (CameraControl) -> ControlDescription?
    ) {
        guard var model = whiteBalance, !model.isMetadata else { return }
        if let temperature = model.temperature {
            if let control = found(temperature.control) {
                if model.temperature?.codes.narrow(to: control) ?? false { model.limit = place }
            } else {
                model.temperature = nil
            }
        }
        if let components = model.components {
            if let red = found(components.red), let blue = found(components.blue) {
                let isNarrower = [red, blue].map { model.components?.codes.narrow(to: $0) ?? false }
                if isNarrower.contains(true) { model.limit = place }
            } else {
                model.components = nil
            }
        }
        whiteBalance = model.temperature == nil && model.components == nil ? nil : model
        if whiteBalance == nil { live.lacks.append(.whiteBalance) }
    }
}

extension CodeRange {
    /// Makes the range what it and a device both allow; what does not overlap becomes the device's.
    ///
    /// The larger step counts, on the codes that it counts from.
    ///
    /// - Returns: whether the device allows less than the range did.
    mutating func narrow(to device: ControlDescription) -> Bool {
        guard device.minimum <= device.maximum else { return false }
        let step = max(1, device.step)
        let other = CodeRange(device.minimum, device.maximum, step: step)
        let (low, high) = (max(minimum, other.minimum), min(maximum, other.maximum))
        guard low <= high else {
            self = other
            return true
        }
        let grid = other.step > self.step ? other : self
        let width = Int128(grid.step)
        let above = (Int128(low) - Int128(grid.minimum) + width - 1) / width
        let first = Int128(grid.minimum) + above * width
        let narrowed =
            first <= Int128(high)
            ? CodeRange(Int64(first), high, step: grid.step) : CodeRange(low, low)
        defer { self = narrowed }
        return narrowed != self
    }
}
