/// Reads a truth pattern back from pixels, as the README describes it.
enum PictureReading {
    /// The nine words of the pattern; luma samples lie `stride` bytes apart.
    static func words(_ picture: [UInt8], width: Int, stride: Int) -> [UInt32] {
        (0..<9).map { wordIndex in
            (0..<32).reduce(UInt32(0)) { word, bit in
                let middle = ((wordIndex * 8 + 4) * width + bit * 8 + 4) * stride
                return word << 1 | (picture[middle] >= 128 ? 1 : 0)
            }
        }
    }

    static func counter(_ picture: [UInt8], width: Int = 320, stride: Int = 2) -> Int {
        Int(words(picture, width: width, stride: stride)[1])
    }

    /// Mean luma of a column range below the pattern.
    static func meanLuma(
        _ picture: [UInt8], width: Int, stride: Int, columns: Range<Int>, rows: Range<Int>
    ) -> Double {
        var sum = 0
        for row in rows {
            for column in columns { sum += Int(picture[(row * width + column) * stride]) }
        }
        return Double(sum) / Double(rows.count * columns.count)
    }

    /// Mean squared difference of neighbouring pixels.
    static func sharpness(
        _ picture: [UInt8], width: Int, stride: Int, columns: Range<Int>, rows: Range<Int>
    ) -> Double {
        var sum = 0
        for row in rows {
            for column in columns.dropLast() {
                let place = (row * width + column) * stride
                let step = Int(picture[place + stride]) - Int(picture[place])
                sum += step * step
            }
        }
        return Double(sum) / Double(rows.count * columns.count)
    }
}
