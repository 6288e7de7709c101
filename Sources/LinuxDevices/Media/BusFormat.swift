internal import CVideo

/// What passes a pad: the whole of `v4l2_mbus_framefmt`, since the kernel compares more than size and pixels.
struct BusFormat: Hashable, Sendable {
    var width: UInt32 = 0
    var height: UInt32 = 0
    /// `MEDIA_BUS_FMT_…`.
    var code: UInt32 = 0
    /// `V4L2_FIELD_…`; link validation compares it, so ANY (0) that is left on a sink makes the stream fail with EPIPE.
    var field: UInt32 = 0
    /// This and the four below are `V4L2_COLORSPACE_…` and its kin, given on as the sensor's driver answered them.
    var colorspace: UInt32 = 0
    var ycbcrEncoding: UInt32 = 0
    var quantization: UInt32 = 0
    var transferFunction: UInt32 = 0
    var flags: UInt32 = 0

    /// Full frames of some pixels and size, the rest as the driver chooses.
    static func frames(code: UInt32, width: Int, height: Int) -> BusFormat {
        BusFormat(
            width: UInt32(clamping: width), height: UInt32(clamping: height), code: code,
            field: V4L2_FIELD_NONE.rawValue)
    }

    /// Whether size and pixels are the same; the rest is the driver's choice and may differ.
    func isAlike(_ other: BusFormat) -> Bool {
        (width, height, code) == (other.width, other.height, other.code)
    }

    /// The text for messages: `3280x2464 in SRGGB10 (bus code 0x300f)`.
    var text: String { "\(width)x\(height) in \(BusCode.text(code))" }

    /// Whether these are lines of metadata.
    ///
    /// `MEDIA_BUS_FMT_META_8` and its kin (0x8001 on, Linux 6.10), or SENSOR_DATA (0x7002) of the Raspberry Pi's own
    /// kernels.
    var isMetadata: Bool { code == 0x7002 || (0x8001...0x80ff).contains(code) }
}

extension BusFormat {
    /// All that the kernel answered, but for reserved words.
    init(_ format: v4l2_mbus_framefmt) {
        self.init(
            width: format.width, height: format.height, code: format.code, field: format.field,
            colorspace: format.colorspace, ycbcrEncoding: UInt32(format.ycbcr_enc),
            quantization: UInt32(format.quantization),
            transferFunction: UInt32(format.xfer_func), flags: UInt32(format.flags))
    }

    /// As the kernel's structure has it, whose last four members are of 16 bits.
    var kernel: v4l2_mbus_framefmt {
        var format = v4l2_mbus_framefmt()
        (format.width, format.height, format.code) = (width, height, code)
        (format.field, format.colorspace) = (field, colorspace)
        format.ycbcr_enc = UInt16(truncatingIfNeeded: ycbcrEncoding)
        format.quantization = UInt16(truncatingIfNeeded: quantization)
        format.xfer_func = UInt16(truncatingIfNeeded: transferFunction)
        format.flags = UInt16(truncatingIfNeeded: flags)
        return format
    }
}

/// One stream of a pad; 0 is the only one where a driver knows no streams.
struct PadStream: Hashable, Sendable {
    /// The pad's id in the topology.
    var pad: UInt32
    /// The stream's number on this pad.
    var stream: UInt32 = 0
}

/// A way through a sub-device, by the numbers of its pads.
struct SubdeviceRoute: Hashable, Sendable {
    /// Where it enters, by the pad's number.
    var sinkPad: UInt32
    var sinkStream: UInt32 = 0
    var sourcePad: UInt32
    var sourceStream: UInt32 = 0
    /// Whether it carries anything; others are merely possible.
    var isActive = true
    /// Whether the driver lets nobody change it.
    var isFixed = false

    /// Whether both join the same streams of the same pads.
    func joinsSame(as other: SubdeviceRoute) -> Bool {
        (sinkPad, sinkStream, sourcePad, sourceStream)
            == (other.sinkPad, other.sinkStream, other.sourcePad, other.sourceStream)
    }
}
