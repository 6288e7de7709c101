internal import Imaging

extension CameraControl {
    /// Whether it mirrors the image, which moves the order of a raw sensor's colours.
    public var isFlip: Bool { Self.flips.contains(self) }

    /// The controls that mirror the image.
    static let flips = [
        CameraControl(rawValue: 0x0098_0914), CameraControl(rawValue: 0x0098_0915),
    ]
}

extension CameraProfile {
    /// What is pinned, and flips off that are not: another program may have left one on, and with it the order of
    /// colours is another.
    public var layoutPins: [ControlValue] {
        let off = CameraControl.flips.filter { flip in !pinned.contains { $0.control == flip } }
        return pinned + off.map { ControlValue($0, 0) }
    }

    /// Gives the modes of a raw sensor the order of colours that the pinned flips make.
    ///
    /// A profile lists its modes as the sensor has them unflipped.
    public mutating func followFlips() {
        func isOn(_ place: Int) -> Bool {
            pinned.contains { $0.control == CameraControl.flips[place] && $0.code != 0 }
        }
        let (horizontal, vertical) = (isOn(0), isOn(1))
        guard horizontal || vertical, var sensor else { return }
        for place in sensor.modes.indices {
            sensor.modes[place].pixelFormats = sensor.modes[place].pixelFormats.map {
                $0.mirrored(horizontally: horizontal, vertically: vertical)
            }
        }
        self.sensor = sensor
    }
}

extension CaptureConfiguration {
    /// The same with the order of colours that a profile pins, and the embedded data that it knows to read.
    public func fitted(to profile: CameraProfile) -> CaptureConfiguration {
        var fitted = self
        fitted.layout = profile.pinned.filter(\.control.isFlip)
        fitted.embeddedData = profile.embeddedData
        return fitted
    }
}
