internal import CVideo
internal import Imaging

/// The pad where the image leaves a raw sensor: what the sensor itself reports that it can deliver.
///
/// A driver without such answers names nothing, and the receiver's own list counts then.
struct SensorPad {
    /// A size that the sensor delivers, or the range of such.
    ///
    /// VIDIOC_SUBDEV_ENUM_FRAME_SIZE names a range by its ends; steps within it are not reported.
    struct Mode {
        /// The size, or the greatest one of a range.
        var size: FrameSize
        /// The range; nil for a single size.
        var range: FrameSizeRange?
        /// The part of the pixel array that is read; nil where the driver does not report it, or reports one that can't
        /// be.
        var crop: FrameRegion?
    }

    /// The sensor's sub-device.
    let descriptor: Int32
    /// The pad's number.
    let pad: UInt32

    /// More than this are taken for a list that never ends.
    private static let codesMaximum: UInt32 = 64
    private static let sizesMaximum: UInt32 = 256

    /// The bus codes that it can deliver, with the flips that it has at the moment.
    func codes() -> [UInt32] {
        var codes: [UInt32] = []
        for index in 0..<Self.codesMaximum {
            var query = v4l2_subdev_mbus_code_enum()
            query.index = index
            query.pad = pad
            query.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
            guard fl_subdev_enum_code(descriptor, &query) >= 0 else { break }
            if !codes.contains(query.code) { codes.append(query.code) }
        }
        return codes
    }

    /// The sizes of a bus code, with what is known of the part of the pixel array that each reads.
    func modes(_ code: UInt32) -> [Mode] {
        var modes: [Mode] = []
        for index in 0..<Self.sizesMaximum {
            var query = v4l2_subdev_frame_size_enum()
            query.index = index
            query.pad = pad
            query.code = code
            query.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
            guard fl_subdev_enum_size(descriptor, &query) >= 0 else { break }
            guard query.max_width >= query.min_width, query.max_height >= query.min_height,
                let size = FrameSize(width: Int(query.max_width), height: Int(query.max_height))
            else { continue }
            var mode = Mode(size: size)
            if query.min_width == query.max_width, query.min_height == query.max_height {
                mode.crop = crop(code, size)
            } else {
                mode.range = FrameSizeRange(
                    width: Int(query.min_width)...Int(query.max_width),
                    height: Int(query.min_height)...Int(query.max_height))
            }
            modes.append(mode)
        }
        return modes
    }

    /// The bus code and size that are set; nil if the driver does not report it.
    func format() -> (code: UInt32, size: FrameSize)? {
        var request = v4l2_subdev_format()
        request.which = V4L2_SUBDEV_FORMAT_ACTIVE.rawValue
        request.pad = pad
        guard fl_subdev_g_fmt(descriptor, &request) >= 0,
            let size = FrameSize(
                width: Int(request.format.width), height: Int(request.format.height))
        else { return nil }
        return (request.format.code, size)
    }

    /// The part of the array that a mode reads, asked of a format that is only tried: the sensor stays as it is.
    ///
    /// Not every driver keeps the two together, so what is no whole multiple of the size is not believed.
    private func crop(_ code: UInt32, _ size: FrameSize) -> FrameRegion? {
        var format = v4l2_subdev_format()
        format.which = V4L2_SUBDEV_FORMAT_TRY.rawValue
        format.pad = pad
        format.format.code = code
        format.format.width = UInt32(size.width)
        format.format.height = UInt32(size.height)
        format.format.field = V4L2_FIELD_NONE.rawValue
        guard fl_subdev_s_fmt(descriptor, &format) >= 0 else { return nil }
        var selection = v4l2_subdev_selection()
        selection.which = V4L2_SUBDEV_FORMAT_TRY.rawValue
        selection.pad = pad
        selection.target = UInt32(V4L2_SEL_TGT_CROP)
        guard fl_subdev_g_selection(descriptor, &selection) >= 0,
            let read = FrameSize(width: Int(selection.r.width), height: Int(selection.r.height)),
            read.width % size.width == 0, read.height % size.height == 0,
            read.width / size.width == read.height / size.height
        else { return nil }
        return FrameRegion(left: Int(selection.r.left), top: Int(selection.r.top), size: read)
    }
}
