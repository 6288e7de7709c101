/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers from the same seed, everywhere.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Noise for whole pictures at the price of an addition: a tile of samples, entered elsewhere for each row.
package struct NoiseSource: Sendable {
    private static let tileCount = 1 << 16
    private let tile: [Int8]
    private let seed: UInt64

    /// - Parameter deviation: standard deviation in luma counts, at most 30.
    package init(seed: UInt64, deviation: Double) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        tile = (0..<Self.tileCount).map { _ in
            // The sum of twelve uniform numbers less six has variance one, and is nearly normal.
            var sum = -6.0
            for _ in 0..<12 { sum += Double(generator.next() >> 11) / Double(1 << 53) }
            return Int8(max(-127, min(127, (sum * deviation).rounded())))
        }
    }

    /// Adds noise to the luma samples of one row.
    ///
    /// - Parameter stride: bytes from one luma sample to the next.
    func add(to row: UnsafeMutableBufferPointer<UInt8>, stride: Int, frame: Int, rowIndex: Int) {
        var generator = SeededGenerator(
            seed: seed ^ UInt64(frame) &* 0x1_0000_0001 ^ UInt64(rowIndex) << 40)
        let start = Int(generator.next() & UInt64(Self.tileCount - 1))
        tile.withUnsafeBufferPointer { samples in
            var index = start
            for position in Swift.stride(from: 0, to: row.count, by: stride) {
                let value = Int(row[position]) + Int(samples[index & (Self.tileCount - 1)])
                row[position] = UInt8(max(0, min(255, value)))
                index += 1
            }
        }
    }
}
