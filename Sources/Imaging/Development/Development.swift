/// Develops recorded frames into pictures: black level, white balance, demosaic, colour matrix, tone curve.
///
/// The same bits on every machine: integers only. Each row of the result depends on five rows of the frame, so parts of
/// a picture can be made on several threads at once, and a part is exactly what the whole has there.
///
/// Bayer frames are interpolated by gradient-corrected linear filters: H. S. Malvar, L. He, R. Cutler, "High-quality
/// linear interpolation for demosaicing of Bayer-patterned color images", ICASSP 2004. At the edges the frame is
/// mirrored. Frames of 4:2:2 and RGB are signal values already: they are converted, and settings do not apply to them.
public struct Development: Sendable {
    /// What a frame consists of, and what it is made with.
    enum Process: Sendable {
        /// Eight bits to eight: lanes of 16 bits.
        case quick(RowDevelopment<Int16>)
        /// Everything else that is raw: lanes of 32 bits.
        case deep(RowDevelopment<Int32>)
        /// 4:2:2.
        case lumaChroma(lumaFirst: Bool)
        /// RGB as it is.
        case colours
    }

    /// The frame's format.
    public let format: PixelFormat
    /// The frame's size.
    public let size: FrameSize
    /// Bits of a sample of the result, 8 or 16.
    public let bitsPerSample: Int
    private let process: Process

    /// Prepares a development.
    ///
    /// - Parameters:
    ///   - format: of the frames, which are in the record's layout (rows without padding, unpacked samples).
    ///   - size: of the frames; Bayer frames have at least two rows and columns.
    ///   - settings: what is made of them.
    ///   - bitsPerSample: 8 or 16.
    /// - Returns: nil where settings or sizes are outside what development can do.
    public init?(
        _ format: PixelFormat, size: FrameSize, settings: DevelopmentSettings,
        bitsPerSample: Int = 8
    ) {
        guard bitsPerSample == 8 || bitsPerSample == 16 else { return nil }
        self.format = format
        self.size = size
        self.bitsPerSample = bitsPerSample
        switch format.samples {
        case .bayer, .mono:
            if case .bayer = format.samples, size.width < 2 || size.height < 2 { return nil }
            if format.bitsPerSample == 8, bitsPerSample == 8 {
                guard let rows = RowDevelopment<Int16>(format, size, settings, bits: 8) else {
                    return nil
                }
                process = .quick(rows)
            } else {
                guard
                    let rows = RowDevelopment<Int32>(format, size, settings, bits: bitsPerSample)
                else { return nil }
                process = .deep(rows)
            }
        case .yuv422(let lumaFirst):
            guard size.width % 2 == 0 else { return nil }
            process = .lumaChroma(lumaFirst: lumaFirst)
        case .rgb: process = .colours
        }
    }

    /// Channels of the result: 1 for mono frames, else 3.
    public var channels: Int { format.samples == .mono ? 1 : 3 }

    /// Develops a frame, or a part of it.
    ///
    /// - Parameters:
    ///   - frame: exactly the frame's samples.
    ///   - region: the part, inside the frame; nil for all of it.
    public func image(
        of frame: UnsafeRawBufferPointer, region: FrameRegion? = nil
    ) -> DevelopedImage {
        let region = region ?? whole
        let count = region.size.width * region.size.height * channels * bitsPerSample / 8
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, initialized in
            develop(
                frame, region: region, rows: 0..<region.size.height,
                into: UnsafeMutableRawBufferPointer(bytes))
            initialized = count
        }
        guard
            let image = DevelopedImage(
                size: region.size, channels: channels, bitsPerSample: bitsPerSample, bytes: bytes)
        else { preconditionFailure("the bytes were counted for this image") }
        return image
    }

    /// Develops some rows of a part of a frame; other threads may develop other rows meanwhile.
    ///
    /// - Parameters:
    ///   - frame: exactly the frame's samples.
    ///   - region: the part; nil for all of the frame.
    ///   - rows: which of the part's rows.
    ///   - output: room for exactly those rows.
    public func develop(
        _ frame: UnsafeRawBufferPointer, region: FrameRegion? = nil, rows: Range<Int>,
        into output: UnsafeMutableRawBufferPointer
    ) {
        let region = region ?? whole
        let rowBytes = region.size.width * channels * bitsPerSample / 8
        precondition(
            frame.count == size.width * size.height * format.channels * format.bytesPerSample,
            "a whole frame is developed")
        precondition(
            region.left + region.size.width <= size.width
                && region.top + region.size.height <= size.height, "a region inside the frame")
        precondition(
            rows.lowerBound >= 0 && rows.upperBound <= region.size.height, "rows of the region")
        precondition(output.count >= rows.count * rowBytes, "room for the rows")
        guard let input = frame.baseAddress, let base = output.baseAddress, !rows.isEmpty else {
            return
        }
        let part = FramePart(
            frame: input.assumingMemoryBound(to: UInt8.self),
            columns: region.left..<region.left + region.size.width,
            rows: region.top + rows.lowerBound..<region.top + rows.upperBound)
        let target = base.assumingMemoryBound(to: UInt8.self)
        switch process {
        case .quick(let development): development.develop(part, into: target)
        case .deep(let development): development.develop(part, into: target)
        case .lumaChroma(let lumaFirst):
            SignalRows(width: size.width, isWide: bitsPerSample == 16)
                .convert(part, lumaFirst: lumaFirst, into: target)
        case .colours:
            SignalRows(width: size.width, isWide: bitsPerSample == 16).copy(part, into: target)
        }
    }

    private var whole: FrameRegion {
        guard let region = FrameRegion(left: 0, top: 0, size: size) else {
            preconditionFailure("a frame begins at its corner")
        }
        return region
    }
}

/// Some rows and columns of a frame.
///
/// Unsafe memory: the loops of development read samples by address; the caller has checked the extents.
struct FramePart {
    let frame: UnsafePointer<UInt8>
    let columns: Range<Int>
    let rows: Range<Int>
}
