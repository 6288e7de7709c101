internal import CVideo
internal import Devices
internal import Imaging
internal import Timebase

// What a device offers. Every enumeration ends at a limit, so that a broken driver can't keep us for ever.
extension VideoDevice {
    /// Limits of one enumeration each; what lies beyond is left out.
    private static let formatsMaximum: UInt32 = 64
    private static let sizesMaximum: UInt32 = 256
    private static let ratesMaximum: UInt32 = 128

    /// Formats, sizes and rates of the selected input, in the driver's order.
    ///
    /// VIDIOC_ENUM_FMT, ENUM_FRAMESIZES and ENUM_FRAMEINTERVALS; of an HDMI or SDI input the timings are its sizes and
    /// rates. Formats that framelock does not record are listed too, without a pixel format.
    func listFormats() -> [CameraFormat] {
        let timings = listTimings()
        var formats: [CameraFormat] = []
        for code in listPixelCodes() {
            if timings.isEmpty {
                formats += listSizes(code)
            } else {
                formats += timings.map { format(code, $0.size, [$0.rate]) }
            }
        }
        return formats
    }

    /// What a raw sensor gives and this node, its receiver, takes.
    ///
    /// Receivers list every format and size that they know, whatever the sensor has. So the sensor names bus codes and
    /// sizes, and the node is asked which pixels it makes of a code, and whether it takes them in that size.
    ///
    /// - Parameter sensor: the pad where the image leaves the sensor; asked with the flips that it has now.
    /// - Returns: formats without rates, since those are the sensor's blanking; of a range of sizes some examples.
    func listFormats(of sensor: SensorPad) -> [CameraFormat] {
        var formats: [CameraFormat] = []
        for busCode in sensor.codes() {
            let codes = listPixelCodes(bus: busCode).filter { code in
                PixelFormat.coded(code).flatMap { BusCode.of($0) } == busCode
            }
            for mode in sensor.modes(busCode) {
                let sizes = mode.range?.examples ?? [mode.size]
                for code in codes {
                    for size in sizes where takes(code, size) {
                        var offered = format(code, size, [])
                        (offered.range, offered.crop) = (mode.range, mode.crop)
                        formats.append(offered)
                    }
                }
            }
        }
        return formats
    }

    /// The format that is set: the sensor's, in the node's own packing where that belongs to it.
    ///
    /// - Parameters:
    ///   - formats: what the camera offers.
    ///   - sensor: the sensor's pad; nil for a camera that is one device.
    /// - Returns: nil if what is set is none of these.
    func selectedFormat(among formats: [CameraFormat], _ sensor: SensorPad?) -> CameraFormat? {
        let node = currentFormat()
        var fitting = formats
        var size = node.flatMap { FrameSize(width: $0.width, height: $0.height) }
        if let (code, sensorSize) = sensor?.format() {
            size = sensorSize
            fitting = formats.filter { $0.pixelFormat.flatMap { BusCode.of($0) } == code }
        } else {
            fitting = formats.filter { $0.fourCC == node.map { fourCCText($0.code) } }
        }
        guard let size else { return nil }
        fitting = fitting.filter { $0.offers(size) }
        var found = fitting.first { $0.fourCC == node.map { fourCCText($0.code) } } ?? fitting.first
        found?.size = size
        return found
    }

    /// Whether the driver would set just that; a driver that can't be asked is taken at its word.
    private func takes(_ code: UInt32, _ size: FrameSize) -> Bool {
        guard let tried = tryFormat(code, size) else { return true }
        return tried.code == code && tried.width == size.width && tried.height == size.height
    }

    /// A format of the list, with the pixel format where it is one that framelock records.
    private func format(_ code: UInt32, _ size: FrameSize, _ rates: [FrameRate]) -> CameraFormat {
        CameraFormat(
            fourCC: fourCCText(code), pixelFormat: PixelFormat.coded(code), size: size,
            rates: rates)
    }

    /// The pixel formats of the node, or what it makes of a bus code; some drivers list all the same.
    ///
    /// - Parameter bus: the bus code; 0 for all, as drivers without V4L2_CAP_IO_MC want it (VIDIOC_ENUM_FMT,
    ///   `mbus_code`).
    private func listPixelCodes(bus: UInt32 = 0) -> [UInt32] {
        var codes: [UInt32] = []
        for index in 0..<VideoDevice.formatsMaximum {
            var query = v4l2_fmtdesc()
            query.index = index
            query.type = bufferType
            query.mbus_code = bus
            guard fl_enum_fmt(descriptor, &query) >= 0 else { break }
            if !codes.contains(query.pixelformat) { codes.append(query.pixelformat) }
        }
        return codes
    }

    /// The sizes of a pixel format; of a driver that names a range, some examples with that range.
    private func listSizes(_ code: UInt32) -> [CameraFormat] {
        var sizes: [FrameSize] = []
        for index in 0..<VideoDevice.sizesMaximum {
            var query = v4l2_frmsizeenum()
            query.index = index
            query.pixel_format = code
            guard fl_enum_framesizes(descriptor, &query) >= 0 else { break }
            if query.type != V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
                let range = FrameSizeRange(query.stepwise)
                return range.examples.map { size in
                    var offered = format(code, size, listRates(code, size))
                    offered.range = range
                    return offered
                }
            }
            let size = FrameSize(
                width: Int(query.discrete.width), height: Int(query.discrete.height))
            if let size, !sizes.contains(size) { sizes.append(size) }
        }
        return sizes.map { format(code, $0, listRates(code, $0)) }
    }

    /// The rates of a format, fastest first; of a driver that names a range, the two ends of it.
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

extension FrameSizeRange {
    /// The range that a capture node names; a greatest size below the least counts as the least.
    init(_ range: v4l2_frmsize_stepwise) {
        let widths = (Int(range.min_width), Int(range.max_width))
        let heights = (Int(range.min_height), Int(range.max_height))
        self.init(
            width: widths.0...max(widths.0, widths.1), widthStep: Int(range.step_width),
            height: heights.0...max(heights.0, heights.1), heightStep: Int(range.step_height))
    }
}

extension FrameRate {
    /// The rate of a frame interval; nil for one of zero or beyond the range of rates.
    init?(interval: v4l2_fract) {
        self.init(frames: Int64(interval.denominator), seconds: Int64(interval.numerator))
    }
}

/// A four-character code as text, for example `YUYV` or `Y16 `; `-BE` is added for the big-endian variant.
///
/// Characters that can't be printed become `?`.
func fourCCText(_ code: UInt32) -> String {
    let isBigEndian = code >> 31 == 1
    let characters = (0..<4).map { place in
        let byte = UInt8(truncatingIfNeeded: (code & 0x7fff_ffff) >> (place * 8))
        return (0x20...0x7e).contains(byte) ? Character(Unicode.Scalar(byte)) : "?"
    }
    return String(characters) + (isBigEndian ? "-BE" : "")
}
