internal import CImaging

/// The integers that development computes in: 16 bits for sensors of 8 bits, 32 for deeper ones.
///
/// Full scale is 2,047 or 32,767. Each requirement is one of the row loops in C, which are compiled for several
/// instruction sets and give the same bits on all.
protocol DevelopmentLane: FixedWidthInteger & SignedInteger & BitwiseCopyable {
    typealias Lanes = UnsafePointer<Self>
    typealias Row = UnsafeMutablePointer<Self>

    /// Turns a row of samples into lanes; `isWide` where they have two bytes each.
    static func scale(
        _ samples: UnsafePointer<UInt8>, _ count: Int, isWide: Bool, _ scale: fl_row_scale,
        into row: Row)
    /// Interpolates a row from five.
    static func demosaic(
        _ rows: UnsafePointer<Lanes?>, _ count: Int, isOwnFirst: Bool, own: Row, green: Row,
        other: Row)
    /// Multiplies a row of colours by a matrix, in place, and cuts off at 0 and full scale.
    ///
    /// - Parameter matrix: the six elements off the diagonal in 1/8192 (``DevelopmentMatrix``).
    static func mix(_ red: Row, _ green: Row, _ blue: Row, _ count: Int, _ matrix: [Int16])
    /// Writes a row of colours.
    static func write(
        _ red: Lanes, _ green: Lanes, _ blue: Lanes, _ count: Int, _ tone: ToneOutput,
        to output: UnsafeMutablePointer<UInt8>)
    /// Writes a row of one channel.
    static func write(
        _ lanes: Lanes, _ count: Int, _ tone: ToneOutput, to output: UnsafeMutablePointer<UInt8>)
}

/// The table of a result's codes.
enum ToneOutput: Sendable {
    /// Eight bits in proportion to the light.
    case linear8
    /// Eight bits by table.
    case table8([UInt8])
    /// Sixteen bits by table.
    case table16([UInt16])
}

extension Int16: DevelopmentLane {
    static func scale(
        _ samples: UnsafePointer<UInt8>, _ count: Int, isWide: Bool, _ scale: fl_row_scale,
        into row: Row
    ) {
        precondition(!isWide, "samples of two bytes need lanes of 32 bits")
        withUnsafePointer(to: scale) { fl_scale_row_16(samples, count, $0, row) }
    }

    static func demosaic(
        _ rows: UnsafePointer<Lanes?>, _ count: Int, isOwnFirst: Bool, own: Row, green: Row,
        other: Row
    ) {
        fl_demosaic_row_16(rows, count, isOwnFirst ? 1 : 0, own, green, other)
    }

    static func mix(_ red: Row, _ green: Row, _ blue: Row, _ count: Int, _ matrix: [Int16]) {
        fl_mix_row_16(red, green, blue, count, matrix)
    }

    static func write(
        _ red: Lanes, _ green: Lanes, _ blue: Lanes, _ count: Int, _ tone: ToneOutput,
        to output: UnsafeMutablePointer<UInt8>
    ) {
        switch tone {
        case .linear8: fl_write_linear8_16(red, green, blue, count, output)
        case .table8(let table): fl_write_rgb8_16(red, green, blue, count, table, output)
        case .table16: preconditionFailure("results of 16 bits are made of lanes of 32")
        }
    }

    static func write(
        _ lanes: Lanes, _ count: Int, _ tone: ToneOutput, to output: UnsafeMutablePointer<UInt8>
    ) {
        guard case .table8(let table) = tone else {
            preconditionFailure("single channels are written by table")
        }
        fl_write_grey8_16(lanes, count, table, output)
    }
}

extension Int32: DevelopmentLane {
    static func scale(
        _ samples: UnsafePointer<UInt8>, _ count: Int, isWide: Bool, _ scale: fl_row_scale,
        into row: Row
    ) {
        withUnsafePointer(to: scale) {
            if isWide {
                fl_scale_row_wide_32(samples, count, $0, row)
            } else {
                fl_scale_row_32(samples, count, $0, row)
            }
        }
    }

    static func demosaic(
        _ rows: UnsafePointer<Lanes?>, _ count: Int, isOwnFirst: Bool, own: Row, green: Row,
        other: Row
    ) {
        fl_demosaic_row_32(rows, count, isOwnFirst ? 1 : 0, own, green, other)
    }

    static func mix(_ red: Row, _ green: Row, _ blue: Row, _ count: Int, _ matrix: [Int16]) {
        fl_mix_row_32(red, green, blue, count, matrix)
    }

    static func write(
        _ red: Lanes, _ green: Lanes, _ blue: Lanes, _ count: Int, _ tone: ToneOutput,
        to output: UnsafeMutablePointer<UInt8>
    ) {
        switch tone {
        case .linear8: preconditionFailure("lanes of 32 bits are written by table")
        case .table8(let table): fl_write_rgb8_32(red, green, blue, count, table, output)
        case .table16(let table): fl_write_rgb16_32(red, green, blue, count, table, output)
        }
    }

    static func write(
        _ lanes: Lanes, _ count: Int, _ tone: ToneOutput, to output: UnsafeMutablePointer<UInt8>
    ) {
        switch tone {
        case .linear8: preconditionFailure("single channels are written by table")
        case .table8(let table): fl_write_grey8_32(lanes, count, table, output)
        case .table16(let table): fl_write_grey16_32(lanes, count, table, output)
        }
    }
}
