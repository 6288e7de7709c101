/// How a frame is to be turned and mirrored for people; metadata, since pixels stay as the sensor gave them.
public struct Orientation: Hashable, Sendable {
    /// Quarter turns clockwise from the sensor's image to the upright one, 0 to 3.
    public let quarterTurns: Int
    /// Whether the upright image is seen in a mirror, left for right, after it was turned.
    public let isMirrored: Bool

    /// As the sensor has it.
    public static let identity = Orientation(quarters: 0, isMirrored: false)

    /// Creates an orientation.
    ///
    /// - Parameters:
    ///   - degrees: turned clockwise by a multiple of 90, also negative.
    ///   - isMirrored: mirrored after that.
    /// - Returns: nil for other angles.
    public init?(degrees: Int, isMirrored: Bool = false) {
        guard degrees % 90 == 0 else { return nil }
        self.init(quarters: (degrees / 90 % 4 + 4) % 4, isMirrored: isMirrored)
    }

    private init(quarters: Int, isMirrored: Bool) {
        quarterTurns = quarters
        self.isMirrored = isMirrored
    }

    /// The sensor's point that people see at a point of the upright image.
    public func sensorPoint(of upright: FramePoint) -> FramePoint {
        let one: Int64 = 1_000_000
        let x = isMirrored ? one - upright.xMillionths : upright.xMillionths
        let y = upright.yMillionths
        return switch quarterTurns {
        case 1: FramePoint(inside: y, one - x)
        case 2: FramePoint(inside: one - x, one - y)
        case 3: FramePoint(inside: one - y, x)
        default: FramePoint(inside: x, y)
        }
    }

    /// Where people see a point of the sensor's image.
    public func uprightPoint(of sensor: FramePoint) -> FramePoint {
        let one: Int64 = 1_000_000
        let (x, y) = (sensor.xMillionths, sensor.yMillionths)
        let turned =
            switch quarterTurns {
            case 1: FramePoint(inside: one - y, x)
            case 2: FramePoint(inside: one - x, one - y)
            case 3: FramePoint(inside: y, one - x)
            default: sensor
            }
        guard isMirrored else { return turned }
        return FramePoint(inside: one - turned.xMillionths, turned.yMillionths)
    }

    /// The same in the words of EXIF and TIFF: the tag `Orientation`, 1 to 8.
    public var exif: Int {
        isMirrored ? [2, 7, 4, 5][quarterTurns] : [1, 6, 3, 8][quarterTurns]
    }
}
