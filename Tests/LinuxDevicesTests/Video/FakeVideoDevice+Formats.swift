import CVideo
import Glibc

extension FakeVideoDevice {
    func answerFormat(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        switch request {
        case Request.enumFormat:
            let query = argument.assumingMemoryBound(to: v4l2_fmtdesc.self)
            guard formats.indices.contains(Int(query.pointee.index)) else { return EINVAL }
            query.pointee.pixelformat = formats[Int(query.pointee.index)].code
        case Request.enumSizes:
            let query = argument.assumingMemoryBound(to: v4l2_frmsizeenum.self)
            let sizes = formats.first { $0.code == query.pointee.pixel_format }?.sizes ?? []
            guard sizes.indices.contains(Int(query.pointee.index)) else { return EINVAL }
            if takesAnySize {
                query.pointee.type = 3
                query.pointee.stepwise = v4l2_frmsize_stepwise(
                    min_width: 16, max_width: 16_376, step_width: 1, min_height: 16,
                    max_height: 16_376, step_height: 1)
                return 0
            }
            query.pointee.type = 1
            query.pointee.discrete.width = sizes[Int(query.pointee.index)].width
            query.pointee.discrete.height = sizes[Int(query.pointee.index)].height
        case Request.enumIntervals:
            let query = argument.assumingMemoryBound(to: v4l2_frmivalenum.self)
            guard hasRates, query.pointee.index < 2 else { return EINVAL }
            query.pointee.type = 1
            query.pointee.discrete = v4l2_fract(
                numerator: 1, denominator: query.pointee.index == 0 ? 15 : 30)
        case Request.getFormat:
            argument.assumingMemoryBound(to: v4l2_format.self).pointee = format
        case Request.setFormat: return setFormat(argument)
        case Request.tryFormat:
            let asked = argument.assumingMemoryBound(to: v4l2_format.self)
            let code = asked.pointee.fmt.pix.pixelformat
            if listedOnly.contains(code) { asked.pointee.fmt.pix.pixelformat = formats[0].code }
        default: return answerRate(request, argument)
        }
        return 0
    }

    private func setFormat(_ argument: UnsafeMutableRawPointer) -> Int32 {
        let asked = argument.assumingMemoryBound(to: v4l2_format.self)
        let (code, width, height) =
            isMultiplanar
            ? (
                asked.pointee.fmt.pix_mp.pixelformat, asked.pointee.fmt.pix_mp.width,
                asked.pointee.fmt.pix_mp.height
            )
            : (
                asked.pointee.fmt.pix.pixelformat, asked.pointee.fmt.pix.width,
                asked.pointee.fmt.pix.height
            )
        let offered = formats.first { $0.code == code } ?? formats[0]
        let size =
            takesAnySize
            ? Size(width: width, height: height)
            : offered.sizes.first { $0.width == width && $0.height == height }
                ?? offered.sizes[0]
        let row = size.width * (offered.code == FakeCamera.yuyv ? 2 : 1) + rowPadding
        imageBytesSet = imageBytes ?? row * size.height
        if isMultiplanar {
            asked.pointee.fmt.pix_mp.pixelformat = offered.code
            asked.pointee.fmt.pix_mp.width = size.width
            asked.pointee.fmt.pix_mp.height = size.height
            asked.pointee.fmt.pix_mp.field = field
            asked.pointee.fmt.pix_mp.num_planes = 1
            asked.pointee.fmt.pix_mp.plane_fmt.0.bytesperline = row
            asked.pointee.fmt.pix_mp.plane_fmt.0.sizeimage = imageBytesSet
        } else {
            asked.pointee.fmt.pix.pixelformat = offered.code
            asked.pointee.fmt.pix.width = size.width
            asked.pointee.fmt.pix.height = size.height
            asked.pointee.fmt.pix.field = field
            asked.pointee.fmt.pix.bytesperline = row
            asked.pointee.fmt.pix.sizeimage = imageBytesSet
        }
        format = asked.pointee
        if losesCropWithFormat, let image { crop = image }
        return 0
    }

    private func answerRate(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard hasRates else { return ENOTTY }
        let query = argument.assumingMemoryBound(to: v4l2_streamparm.self)
        if request == Request.setParameters {
            interval = query.pointee.parm.capture.timeperframe
            if let forcedInterval {
                interval = v4l2_fract(
                    numerator: forcedInterval.0, denominator: forcedInterval.1)
            }
        }
        query.pointee.parm.capture.capability = 0x1000
        query.pointee.parm.capture.timeperframe = interval
        return 0
    }

    func answerSelection(_ request: UInt, _ argument: UnsafeMutableRawPointer) -> Int32 {
        guard let image else { return ENOTTY }
        let query = argument.assumingMemoryBound(to: v4l2_selection.self)
        if request == Request.setSelection {
            crop = query.pointee.r
            crop.left -= crop.left % cropGrain
            crop.left = min(crop.left, Int32(image.width) - Int32(crop.width))
        }
        // Target 0 is the region; 1 and 2 are the default and the bounds.
        query.pointee.r = query.pointee.target == 0 ? crop : image
        return 0
    }
}
