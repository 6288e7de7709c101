extension CameraControl {
    /// Whether it mirrors the image, which moves the order of a raw sensor's colours.
    public var isFlip: Bool { Self.flips.contains(self) }

    /// The controls that mirror the image.
    static let flips = [CameraControl.horizontalFlip, .verticalFlip]
}

extension CameraProfile {
    /// What is pinned, and flips off that are not: another program may have left one on, and with it the order of
    /// colours is another.
    public var layoutPins: [ControlValue] {
        let off = CameraControl.flips.filter { flip in !pinned.contains { $0.control == flip } }
        return pinned + off.map { ControlValue($0, 0) }
    }
}

extension CaptureConfiguration {
    /// The same with the order of colours that a profile pins.
    public func fitted(to profile: CameraProfile) -> CaptureConfiguration {
        var fitted = self
        fitted.layout = profile.pinned.filter(\.control.isFlip)
        return fitted
    }

    /// The same with the embedded data that a profile knows to read, for whoever follows them with
    /// ``CameraDriver/followEmbeddedData(_:)``: a sensor may send nothing while nobody takes what it was asked for.
    public func withEmbeddedData(of profile: CameraProfile) -> CaptureConfiguration {
        var whole = self
        whole.embeddedData = profile.embeddedData
        return whole
    }
}
