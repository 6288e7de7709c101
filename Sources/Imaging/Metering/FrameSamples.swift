/// A frame in the record's layout, read place by place: a place is a Bayer quad, or else a pixel.
///
/// Borrows the frame's memory; lives no longer than the call that made it.
struct FrameSamples {
    private let bytes: UnsafePointer<UInt8>
    private let isWide: Bool
    private let samplesPerRow: Int
    private let black: Int64
    let samples: PixelFormat.Samples
    /// Places across.
    let width: Int
    /// Places down.
    let height: Int
    /// The largest code over the black level.
    let fullScale: Int64
    /// In a quad: how far the red, the two green and the blue sample are from the first, in samples.
    private let quad: (red: Int, green: Int, otherGreen: Int, blue: Int)

    init(_ base: UnsafeRawPointer, format: PixelFormat, size: FrameSize, blackLevel: Int) {
        bytes = base.assumingMemoryBound(to: UInt8.self)
        isWide = format.bytesPerSample == 2
        let row = size.width * format.channels
        samplesPerRow = row
        black = Int64(blackLevel)
        samples = format.samples
        fullScale = Int64(format.maximum) - black
        if case .bayer(let pattern) = format.samples {
            (width, height) = (size.width / 2, size.height / 2)
            quad =
                switch pattern {
                case .rggb: (0, 1, row, row + 1)
                case .grbg: (1, 0, row + 1, row)
                case .gbrg: (row, 0, row + 1, 1)
                case .bggr: (row + 1, 1, row, 0)
                }
        } else {
            (width, height) = (size.width, size.height)
            quad = (0, 0, 0, 0)
        }
    }

    /// A region of pixels as places.
    func places(in region: FrameRegion) -> (left: Int, top: Int, width: Int, height: Int) {
        guard case .bayer = samples else {
            return (region.left, region.top, region.size.width, region.size.height)
        }
        return (region.left / 2, region.top / 2, region.size.width / 2, region.size.height / 2)
    }

    /// A sample over the black level; below it where there is noise alone.
    @inline(__always)
    private func sample(_ index: Int) -> Int64 {
        let code =
            isWide
            ? Int64(bytes[index &* 2]) | Int64(bytes[index &* 2 &+ 1]) &<< 8 : Int64(bytes[index])
        return code &- black
    }

    /// The index of a place's first sample; for 4:2:2, of its luma.
    @inline(__always)
    private func first(_ x: Int, _ y: Int) -> Int {
        switch samples {
        case .mono: y &* samplesPerRow &+ x
        case .bayer: y &* 2 &* samplesPerRow &+ x &* 2
        case .yuv422(let lumaFirst): y &* samplesPerRow &+ x &* 2 &+ (lumaFirst ? 0 : 1)
        case .rgb: y &* samplesPerRow &+ x &* 3
        }
    }

    /// The brightness of a place: luma, the grey, the sum of two greens, or green.
    @inline(__always)
    func luminance(_ x: Int, _ y: Int) -> Int64 {
        let first = first(x, y)
        return switch samples {
        case .mono, .yuv422: sample(first)
        case .bayer: sample(first &+ quad.green) &+ sample(first &+ quad.otherGreen)
        case .rgb: sample(first &+ 1)
        }
    }

    /// The samples of a place that has red, green and blue.
    struct Colours {
        var red: Int64
        /// Twice the green, or the sum of two greens.
        var doubleGreen: Int64
        var blue: Int64
        var least: Int64
        var most: Int64
    }

    /// The colours of a Bayer quad or an RGB pixel.
    @inline(__always)
    func colours(_ x: Int, _ y: Int) -> Colours {
        let first = first(x, y)
        if case .rgb = samples {
            let (red, green) = (sample(first), sample(first &+ 1))
            let blue = sample(first &+ 2)
            return Colours(
                red: red, doubleGreen: green &* 2, blue: blue, least: min(red, green, blue),
                most: max(red, green, blue))
        }
        let (red, blue) = (sample(first &+ quad.red), sample(first &+ quad.blue))
        let (green, other) = (sample(first &+ quad.green), sample(first &+ quad.otherGreen))
        return Colours(
            red: red, doubleGreen: green &+ other, blue: blue,
            least: min(min(red, green), min(other, blue)),
            most: max(max(red, green), max(other, blue)))
    }

    /// The colours of two neighbouring 4:2:2 pixels in thousandths of codes, after BT.601 in full range.
    ///
    /// - Parameter x: an even place.
    func chroma(_ x: Int, _ y: Int) -> Colours {
        guard case .yuv422(let lumaFirst) = samples else {
            preconditionFailure("only 4:2:2 has chroma samples")
        }
        let first = y &* samplesPerRow &+ x &* 2
        let luma = lumaFirst ? 0 : 1
        let chroma = 1 - luma
        let (one, two) = (sample(first &+ luma), sample(first &+ luma &+ 2))
        let blueness = sample(first &+ chroma) &+ black &- 128
        let redness = sample(first &+ chroma &+ 2) &+ black &- 128
        let bright = (one &+ two) &* 500
        return Colours(
            red: bright &+ 1_402 &* redness,
            doubleGreen: 2 &* bright &- 688 &* blueness &- 1_428 &* redness,
            blue: bright &+ 1_772 &* blueness, least: min(one, two), most: max(one, two))
    }
}
