/// What each cell of the metering grid counts.
public struct MeteringWeights: Hashable, Sendable {
    /// One weight per cell, row by row; not all 0.
    public let cells: [Int64]

    /// The weights of a metering mode.
    ///
    /// - Parameters:
    ///   - mode: the mode.
    ///   - point: the point of interest on the sensor's image (``Orientation/sensorPoint(of:)``).
    public init(_ mode: MeteringMode, point: FramePoint = .centre) {
        switch mode {
        case .uniform:
            cells = Array(repeating: 1, count: BrightnessGrid.columns * BrightnessGrid.rows)
        case .spot: cells = Self.spot(point)
        case .weighted: cells = Self.weighted(point)
        }
    }

    /// The area of each cell that lies in the box, which is moved inwards where it would stick out.
    private static func spot(_ point: FramePoint) -> [Int64] {
        let columns = overlaps(point.xMillionths, cells: BrightnessGrid.columns)
        let rows = overlaps(point.yMillionths, cells: BrightnessGrid.rows)
        return rows.flatMap { row in columns.map { $0 * row } }
    }

    /// How much of each cell lies within a twentieth of the side from the centre, in thousandths of the side.
    private static func overlaps(_ centreMillionths: Int64, cells: Int) -> [Int64] {
        let start = min(max(centreMillionths - 50_000, 0), 900_000)
        return (0..<Int64(cells)).map { cell in
            let left = cell * 1_000_000 / Int64(cells)
            let right = (cell + 1) * 1_000_000 / Int64(cells)
            return (max(min(right, start + 100_000) - max(left, start), 0) + 500) / 1_000
        }
    }

    /// Rings around the point, an eighth of the side apart: 8, 4, 2, and 1 for the rest.
    private static func weighted(_ point: FramePoint) -> [Int64] {
        func distance(_ cell: Int, of cells: Int, to millionths: Int64) -> Int64 {
            let middle = (2 * Int64(cell) + 1) * 500_000 / Int64(cells)
            return (middle - millionths) / 1_000
        }
        return (0..<BrightnessGrid.rows).flatMap { row -> [Int64] in
            let y = distance(row, of: BrightnessGrid.rows, to: point.yMillionths)
            return (0..<BrightnessGrid.columns).map { column -> Int64 in
                let x = distance(column, of: BrightnessGrid.columns, to: point.xMillionths)
                return switch x * x + y * y {
                case ...(125 * 125): 8
                case ...(250 * 250): 4
                case ...(375 * 375): 2
                default: 1
                }
            }
        }
    }
}
