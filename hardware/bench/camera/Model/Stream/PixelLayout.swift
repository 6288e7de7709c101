/// How the camera lays out a picture.
package enum PixelLayout: String, Sendable, CaseIterable {
    /// Y U Y V, two bytes a pixel; V4L2 YUYV.
    case yuyv
    /// One byte of luma a pixel; V4L2 GREY.
    case grey

    package var bytesPerPixel: Int { self == .yuyv ? 2 : 1 }

    /// The format's GUID in a UVC descriptor: `YUY2` and `Y800`, as uvcvideo knows them.
    var guid: [UInt8] {
        let name: [UInt8] =
            switch self {
            case .yuyv: [0x59, 0x55, 0x59, 0x32]
            case .grey: [0x59, 0x38, 0x30, 0x30]
            }
        return name + [0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
}
