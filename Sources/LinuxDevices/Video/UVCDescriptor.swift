/// What a USB camera's descriptors state of its clock.
///
/// Figures are those of USB 2.0, 9.6 and UVC 1.5, appendix A: each descriptor begins with its length and its type.
enum UVCDescriptor {
    private static let interface: UInt8 = 0x04
    private static let classSpecific: UInt8 = 0x24
    private static let video: UInt8 = 0x0E
    private static let videoControl: UInt8 = 0x01
    private static let header: UInt8 = 0x01

    /// `dwClockFrequency` of the video control header (UVC 1.5, 3.7.2): how often the camera's clock ticks in a second.
    ///
    /// - Parameter bytes: the descriptors of a device as sysfs has them, one after the other.
    /// - Returns: nil if there is no such header, or it has 0.
    static func clockFrequency(_ bytes: [UInt8]) -> Int64? {
        var rest = bytes[...]
        var isControl = false
        while let length = rest.first.map(Int.init), length >= 2, length <= rest.count {
            let descriptor = Array(rest.prefix(length))
            rest = rest.dropFirst(length)
            switch descriptor[1] {
            case interface where length >= 7:
                isControl = descriptor[5] == video && descriptor[6] == videoControl
            case classSpecific where isControl && length >= 11 && descriptor[2] == header:
                let ticks = descriptor[7...10].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
                return ticks > 0 ? ticks : nil
            default: break
            }
        }
        return nil
    }
}
