internal import CVideo
internal import Cameras
internal import Imaging
internal import Timebase

// What a device offers. Every enumeration ends at a limit, so that a broken driver can't keep us for ever.
extension VideoDevice {
    private static let formatsMaximum: UInt32 = 64
    private static let sizesMaximum: UInt32 = 256
    private static let ratesMaximum: UInt32 = 128

    /// Formats, sizes and rates of the selected input, in the driver's order.
    func listFormats() -> [CameraFormat] {
        let timings = listTimings()
        var formats: [CameraFormat] = []
        for code in listPixelCodes() {
            if timings.isEmpty {
                formats += listSizes(code).map { format(code, $0, listRates(code, $0)) }
            } else {
                formats += timings.map { format(code, $0.size, [$0.rate]) }
            }
        }
        return formats
    }

    private func format(_ code: UInt32, _ size: FrameSize, _ rates: [FrameRate]) -> CameraFormat {
        CameraFormat(
            fourCC: fourCCText(code), pixelFormat: PixelFormat.coded(code), size: size,
            rates: rates)
    }

    private func listPixelCodes() -> [UInt32] {
        var codes: [UInt32] = []
        for index in 0..<VideoDevice.formatsMaximum {
            var query = v4l2_fmtdesc()
            query.index = index
            query.type = bufferType
            guard fl_enum_fmt(descriptor, &query) >= 0 else { break }
            if !codes.contains(query.pixelformat) { codes.append(query.pixelformat) }
        }
        return codes
    }

    private func listSizes(_ code: UInt32) -> [FrameSize] {
        var sizes: [FrameSize] = []
        for index in 0..<VideoDevice.sizesMaximum {
            var query = v4l2_frmsizeenum()
            query.index = index
            query.pixel_format = code
            guard fl_enum_framesizes(descriptor, &query) >= 0 else { break }
            if query.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                return SizeRange(query.stepwise).examples
            }
            let size = FrameSize(
                width: Int(query.discrete.width), height: Int(query.discrete.height))
            if let size, !sizes.contains(size) { sizes.append(size) }
        }
        return sizes
    }

    private func listRates(_ code: UInt32, _ size: FrameSize) -> [FrameRate] {
        var rates: [FrameRate] = []
        for index in 0..<VideoDevice.ratesMaximum {
            var query = v4l2_frmivalenum()
            query.index = index
            query.pixel_format = code
            query.width = UInt32(size.width)
            query.height = UInt32(size.height)
            guard fl_enum_frameintervals(descriptor, &query) >= 0 else { break }
            if query.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue {
                if let rate = FrameRate(interval: query.discrete) { rates.append(rate) }
            } else {
                let ends = [query.stepwise.min, query.stepwise.max]
                return ends.compactMap { FrameRate(interval: $0) }.sorted(by: >)
            }
        }
        return rates.sorted(by: >)
    }
}

/// Sizes that a driver offers as a range instead of a list.
struct SizeRange: Hashable, Sendable {
    var width: ClosedRange<Int>
    var widthStep: Int
    var height: ClosedRange<Int>
    var heightStep: Int

    /// Sizes that people ask for most, listed where a range has them.
    static let common: [(width: Int, height: Int)] = [
        (320, 240), (640, 480), (800, 600), (1280, 720), (1280, 960), (1920, 1080), (2592, 1944),
        (3840, 2160),
    ]

    init(width: ClosedRange<Int>, widthStep: Int, height: ClosedRange<Int>, heightStep: Int) {
        self.width = width
        self.widthStep = max(1, widthStep)
        self.height = height
        self.heightStep = max(1, heightStep)
    }

    init(_ range: v4l2_frmsize_stepwise) {
        let widths = (Int(range.min_width), Int(range.max_width))
        let heights = (Int(range.min_height), Int(range.max_height))
        self.init(
            width: widths.0...max(widths.0, widths.1), widthStep: Int(range.step_width),
            height: heights.0...max(heights.0, heights.1), heightStep: Int(range.step_height))
    }

    /// The smallest size, the common ones that lie in the range, the largest.
    var examples: [FrameSize] {
        let ends = [(width.lowerBound, height.lowerBound), (width.upperBound, height.upperBound)]
        let between = SizeRange.common.filter { contains(width: $0.width, height: $0.height) }
        var sizes: [FrameSize] = []
        for side in [ends[0]] + between.map({ ($0.width, $0.height) }) + [ends[1]] {
            guard let size = FrameSize(width: side.0, height: side.1) else { continue }
            if !sizes.contains(size) { sizes.append(size) }
        }
        return sizes
    }

    private func contains(width: Int, height: Int) -> Bool {
        self.width.contains(width) && (width - self.width.lowerBound) % widthStep == 0
            && self.height.contains(height) && (height - self.height.lowerBound) % heightStep == 0
    }
}

extension FrameRate {
    /// The rate of a frame interval; nil for one of zero or beyond the range of rates.
    init?(interval: v4l2_fract) {
        self.init(frames: Int64(interval.denominator), seconds: Int64(interval.numerator))
    }
}

/// A four-character code as text, for example `YUYV` or `Y16 `; `-BE` is added for the big-endian variant.
func fourCCText(_ code: UInt32) -> String {
    let isBigEndian = code >> 31 == 1
    let characters = (0..<4).map { place in
        let byte = UInt8(truncatingIfNeeded: (code & 0x7fff_ffff) >> (place * 8))
        return (0x20...0x7e).contains(byte) ? Character(Unicode.Scalar(byte)) : "?"
    }
    return String(characters) + (isBigEndian ? "-BE" : "")
}
