internal import CImaging

/// Develops raw frames row by row, in lanes of one width.
///
/// Constant once it is made, so several threads can develop parts of one frame; each call has rows of lanes of its own.
struct RowDevelopment<Lane: DevelopmentLane>: Sendable {
    private let size: FrameSize
    private let isWide: Bool
    private let pattern: BayerPattern?
    private let scale: SampleScale
    private let matrix: [Int16]?
    private let tone: ToneOutput
    private let bytesPerPixel: Int

    /// Prepares tables and factors.
    ///
    /// - Returns: nil where ``SampleScale`` has no factors for these levels and gains.
    init?(
        _ format: PixelFormat, _ size: FrameSize, _ settings: DevelopmentSettings, bits: Int
    ) {
        let isDeep = Lane.bitWidth > 16
        guard
            let scale = SampleScale(
                settings, format: format,
                fullScale: Int(isDeep ? fl_white_32 : fl_white_16),
                largestDown: isDeep ? 31 : 24)
        else { return nil }
        self.size = size
        self.scale = scale
        isWide = format.bytesPerSample == 2
        if case .bayer(let pattern) = format.samples {
            self.pattern = pattern
            matrix = settings.matrix?.mixed
        } else {
            pattern = nil
            matrix = nil
        }
        bytesPerPixel = (pattern == nil ? 1 : 3) * bits / 8
        tone = Self.output(settings.tone, bits: bits, isColour: pattern != nil)
    }

    /// The table that turns lanes into codes, of the length that the C loops expect.
    ///
    /// 16-bit lanes: 2,048 entries; 32-bit lanes: 4,097 for results of 8 bits, 32,768 for those of 16.
    private static func output(
        _ tone: DevelopmentSettings.Tone, bits: Int, isColour: Bool
    ) -> ToneOutput {
        if bits == 16 {
            return .table16(
                ToneTable.codes(tone, count: 32_768, maximum: 65_535).map { UInt16($0) })
        }
        if Lane.bitWidth == 16 {
            if tone == .linear, isColour { return .linear8 }
            return .table8(ToneTable.codes(tone, count: 2_048, maximum: 255).map { UInt8($0) })
        }
        // The last entry is for lights that are rounded up beyond the last eighth.
        let codes = ToneTable.codes(tone, count: 4_096, maximum: 255) + [255]
        return .table8(codes.map { UInt8($0) })
    }

    /// Develops the rows of a part, one after the other, into memory for exactly those.
    func develop(_ part: FramePart, into output: UnsafeMutablePointer<UInt8>) {
        // Two columns on each side belong to the filters; the first column stays one of its colour.
        let first =
            pattern == nil ? part.columns.lowerBound : max(0, (part.columns.lowerBound & ~1) - 2)
        let end =
            pattern == nil ? part.columns.upperBound : min(size.width, part.columns.upperBound + 2)
        let rows = LaneRows<Lane>(columns: first..<end, of: size)
        var target = output
        for row in part.rows {
            if let pattern {
                demosaic(row, pattern, part, rows)
                write(part.columns, rows, to: target)
            } else {
                fill(row, part, rows)
                Lane.write(rows.lanes(row), part.columns.count, tone, to: target)
            }
            target += part.columns.count * bytesPerPixel
        }
    }

    /// Makes the colours of a row from the five around it, then mixes them by the matrix.
    ///
    /// Rows outside the frame are mirrored at its edge, so that every row has a whole filter and colours keep their
    /// places.
    private func demosaic(
        _ row: Int, _ pattern: BayerPattern, _ part: FramePart, _ rows: LaneRows<Lane>
    ) {
        let around = (-2...2).map { rows.mirrored(row + $0) }
        for source in around { fill(source, part, rows) }
        let (own, other) =
            pattern.hasRed(row: row) ? (rows.red, rows.blue) : (rows.blue, rows.red)
        let lanes: [UnsafePointer<Lane>?] = around.map { rows.lanes($0) }
        // Columns begin at an even one, so a row's colours are where they are in the whole row.
        Lane.demosaic(
            lanes, rows.columns.count, isOwnFirst: pattern.beginsWithColour(row: row), own: own,
            green: rows.green, other: other)
        if let matrix {
            Lane.mix(rows.red, rows.green, rows.blue, rows.columns.count, matrix)
        }
    }

    private func write(
        _ columns: Range<Int>, _ rows: LaneRows<Lane>, to target: UnsafeMutablePointer<UInt8>
    ) {
        let skipped = columns.lowerBound - rows.columns.lowerBound
        Lane.write(
            rows.red + skipped, rows.green + skipped, rows.blue + skipped, columns.count, tone,
            to: target)
    }

    /// Makes lanes of a row of the frame, unless they are there.
    private func fill(_ row: Int, _ part: FramePart, _ rows: LaneRows<Lane>) {
        guard rows.claim(row) else { return }
        let sample = row * size.width + rows.columns.lowerBound
        Lane.scale(
            part.frame + sample * (isWide ? 2 : 1), rows.columns.count, isWide: isWide, scale[row],
            into: rows.writable(row))
        rows.mirrorEnds(row)
    }
}

/// The rows of lanes that a development works on: five of the frame, three of colours.
///
/// Unsafe memory: vectors read two lanes left of a row and write up to sixteen behind it, which no array allows. Made
/// for one call and used by its thread alone.
final class LaneRows<Lane: DevelopmentLane> {
    /// The frame's columns that the rows hold.
    let columns: Range<Int>
    let red: UnsafeMutablePointer<Lane>
    let green: UnsafeMutablePointer<Lane>
    let blue: UnsafeMutablePointer<Lane>
    private let size: FrameSize
    private let storage: UnsafeMutablePointer<Lane>
    private let pitch: Int
    private var held = InlineArray<5, Int>(repeating: -1)

    init(columns: Range<Int>, of size: FrameSize) {
        self.columns = columns
        self.size = size
        let padding = Int(fl_lane_padding)
        // Before, behind, and what a vector reads beyond its own place.
        pitch = columns.count + 4 * padding
        storage = .allocate(capacity: 8 * pitch)
        storage.initialize(repeating: 0, count: 8 * pitch)
        red = storage + 5 * pitch + padding
        green = red + pitch
        blue = green + pitch
    }

    deinit { storage.deallocate() }

    /// Whether a row of the frame is still to be filled; it counts as filled from then on.
    func claim(_ row: Int) -> Bool {
        if held[row % 5] == row { return false }
        held[row % 5] = row
        return true
    }

    /// The lanes of a row, in a ring of five: row `n` has the place of row `n − 5`, which no filter needs any more.
    func writable(_ row: Int) -> UnsafeMutablePointer<Lane> {
        storage + row % 5 * pitch + Int(fl_lane_padding)
    }

    func lanes(_ row: Int) -> UnsafePointer<Lane> { UnsafePointer(writable(row)) }

    /// The row that stands in for one outside the frame: colours keep their places.
    func mirrored(_ row: Int) -> Int { Self.mirrored(row, size.height) }

    /// Mirrors two lanes of a row at both ends where those are the frame's; a part inside it has true neighbours there.
    func mirrorEnds(_ row: Int) {
        let lanes = writable(row)
        let last = columns.count
        for step in 1...2 {
            if columns.lowerBound == 0 { lanes[-step] = lanes[Self.mirrored(-step, size.width)] }
            guard columns.upperBound == size.width else { continue }
            let source = Self.mirrored(size.width - 1 + step, size.width) - columns.lowerBound
            lanes[last - 1 + step] = lanes[source]
        }
    }

    private static func mirrored(_ index: Int, _ count: Int) -> Int {
        if count == 1 { return 0 }
        let period = 2 * (count - 1)
        let place = ((index % period) + period) % period
        return place < count ? place : period - place
    }
}
