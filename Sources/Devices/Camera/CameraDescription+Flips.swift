internal import Imaging

// The order of a raw sensor's colours follows its flips, and a run sets these: what is not pinned is off.
extension CameraDescription {
    /// The same with its formats as they are without the flips that the sensor has at the moment.
    public var withoutFlips: CameraDescription {
        func isOn(_ flip: CameraControl) -> Bool {
            controls.contains { $0.control == flip && $0.changesLayout && ($0.code ?? 0) != 0 }
        }
        let (horizontally, vertically) = (isOn(.horizontalFlip), isOn(.verticalFlip))
        return mapped { $0.flipped(horizontally: horizontally, vertically: vertically) }
    }

    /// The same with its formats as they are with the flips that a profile of a raw sensor pins.
    public func delivered(by profile: CameraProfile) -> CameraDescription {
        profile.sensor == nil ? self : mapped { profile.delivered($0) }
    }

    private func mapped(_ change: (PixelFormat) -> PixelFormat) -> CameraDescription {
        func changed(_ format: CameraFormat) -> CameraFormat {
            guard let pixels = format.pixelFormat else { return format }
            var other = format
            let flipped = change(pixels)
            if flipped != pixels {
                (other.pixelFormat, other.fourCC) = (flipped, flipped.fourCCText)
            }
            return other
        }
        var other = self
        other.formats = formats.map(changed)
        other.selected = selected.map(changed)
        return other
    }
}
