internal import CVideo
internal import Devices
internal import Imaging
internal import Timebase

/// A format as the driver has set it.
struct DriverFormat: Hashable, Sendable {
    /// V4L2's four-character code.
    var code: UInt32
    var width: Int
    var height: Int
    /// `V4L2_FIELD_…`: whether frames or half-frames come.
    var field: UInt32
    /// Bytes from a row to the next, padding included; 0 where the format has no rows (compressed).
    var bytesPerRow: Int
    /// Bytes of a whole frame buffer, padding included.
    var imageBytes: Int
    /// Separate memory areas of one frame.
    var planes: Int

    /// What is on one line in messages, for example `YUYV 640x480`.
    var text: String { "\(fourCCText(code)) \(width)x\(height)" }
}

extension VideoDevice {
    /// Sets pixels and size, and checks that the driver set exactly these.
    ///
    /// VIDIOC_S_FMT puts a near format in the place of one that the driver does not have. No buffers may be mapped
    /// (EBUSY).
    ///
    /// - Returns: how frames lie in memory.
    /// - Throws: ``DeviceError`` that lists what the device offers.
    func setFormat(_ pixelFormat: PixelFormat, _ size: FrameSize) throws(DeviceError)
        -> FrameLayout
    {
        var request = v4l2_format()
        fill(&request, pixelFormat, size)
        let result = fl_s_fmt(descriptor, &request)
        guard result >= 0 else {
            throw failure(result, "set the format \(pixelFormat.name) \(size)")
        }
        let format = read(request)
        guard
            format.code == pixelFormat.fourCC, format.width == size.width,
            format.height == size.height
        else {
            throw DeviceError(
                .unsupported,
                "\(subject) has no format \(pixelFormat.name) \(size), the nearest is "
                    + "\(format.text); it offers \(offerText(wanting: pixelFormat))")
        }
        return try layout(of: format, pixelFormat, size)
    }

    /// What the driver would make of a format (VIDIOC_TRY_FMT); nil if it can't be asked, or the pixels are not known
    /// here.
    func tryFormat(_ code: UInt32, _ size: FrameSize) -> DriverFormat? {
        guard let pixelFormat = PixelFormat.coded(code) else { return nil }
        var request = v4l2_format()
        fill(&request, pixelFormat, size)
        return fl_try_fmt(descriptor, &request) >= 0 ? read(request) : nil
    }

    /// The format that is set now; nil if the driver does not report it.
    func currentFormat() -> DriverFormat? {
        var request = v4l2_format()
        request.type = bufferType
        return fl_g_fmt(descriptor, &request) >= 0 ? read(request) : nil
    }

    /// Fills in a request, progressive and with one plane; strides are left to the driver.
    private func fill(_ request: inout v4l2_format, _ pixelFormat: PixelFormat, _ size: FrameSize) {
        request.type = bufferType
        if isMultiplanar {
            request.fmt.pix_mp.width = UInt32(size.width)
            request.fmt.pix_mp.height = UInt32(size.height)
            request.fmt.pix_mp.pixelformat = pixelFormat.fourCC
            request.fmt.pix_mp.field = V4L2_FIELD_NONE.rawValue
            request.fmt.pix_mp.num_planes = 1
        } else {
            request.fmt.pix.width = UInt32(size.width)
            request.fmt.pix.height = UInt32(size.height)
            request.fmt.pix.pixelformat = pixelFormat.fourCC
            request.fmt.pix.field = V4L2_FIELD_NONE.rawValue
        }
    }

    /// What a request came back with, of either interface.
    private func read(_ request: v4l2_format) -> DriverFormat {
        if isMultiplanar {
            let pixels = request.fmt.pix_mp
            return DriverFormat(
                code: pixels.pixelformat, width: Int(pixels.width), height: Int(pixels.height),
                field: pixels.field, bytesPerRow: Int(pixels.plane_fmt.0.bytesperline),
                imageBytes: Int(pixels.plane_fmt.0.sizeimage), planes: Int(pixels.num_planes))
        }
        let pixels = request.fmt.pix
        return DriverFormat(
            code: pixels.pixelformat, width: Int(pixels.width), height: Int(pixels.height),
            field: pixels.field, bytesPerRow: Int(pixels.bytesperline),
            imageBytes: Int(pixels.sizeimage), planes: 1)
    }

    /// How frames lie in memory.
    ///
    /// - Throws: ``DeviceError`` `unsupported` for half-frames and for pixels in several memory areas; `failed` where
    ///   rows or frames are announced shorter than their pixels.
    private func layout(
        of format: DriverFormat, _ pixelFormat: PixelFormat, _ size: FrameSize
    ) throws(DeviceError) -> FrameLayout {
        guard format.field == V4L2_FIELD_NONE.rawValue else {
            throw DeviceError(
                .unsupported, "\(subject) delivers half-frames (interlaced) on this input")
        }
        guard format.planes == 1 else {
            throw DeviceError(
                .unsupported,
                "\(subject) keeps \(pixelFormat.name) in \(format.planes) separate memory areas")
        }
        let stride = format.bytesPerRow == 0 ? nil : format.bytesPerRow
        guard
            let layout = FrameLayout(pixelFormat: pixelFormat, size: size, bytesPerRow: stride),
            layout.byteCount <= format.imageBytes
        else {
            throw DeviceError(
                .failed,
                "\(subject) announces \(format.bytesPerRow) bytes a row and \(format.imageBytes) "
                    + "bytes a frame, too few for \(pixelFormat.name) \(size): its driver is broken"
            )
        }
        return layout
    }

    /// What the device offers, those of the wanted pixels first, cut where a message gets too long.
    private func offerText(wanting pixelFormat: PixelFormat) -> String {
        var groups: [(code: String, sizes: [String])] = []
        for format in listFormats() {
            if let place = groups.firstIndex(where: { $0.code == format.fourCC }) {
                groups[place].sizes.append(format.size.description)
            } else {
                groups.append((format.fourCC, [format.size.description]))
            }
        }
        let wanted = fourCCText(pixelFormat.fourCC)
        let ordered = groups.filter { $0.code == wanted } + groups.filter { $0.code != wanted }
        let shown = ordered.prefix(6).map {
            "\($0.code) \($0.sizes.prefix(12).joined(separator: " "))"
        }
        if shown.isEmpty { return "nothing on this input" }
        return shown.joined(separator: ", ") + (ordered.count > shown.count ? " and more" : "")
    }
}
