/// The pattern of black and white cells in the first rows of a picture that carries its truth.
///
/// Each row of cells is one 32-bit word, most significant bit left; a cell is 8 × 8 pixels, luma 235 for one and 16 for
/// zero. See the README for the words.
package enum TruthPattern {
    package static let cellPixels = 8
    package static let wordCount = 9
    /// Rows of the pattern and of the black gap below it.
    package static let rowCount = (wordCount + 1) * cellPixels
    package static let columnCount = 32 * cellPixels
    static let sync: UInt32 = 0xA5C3_0109
    static let white: UInt8 = 235
    static let black: UInt8 = 16

    /// The words of a frame's pattern.
    package static func words(_ truth: FrameTruth) -> [UInt32] {
        let time = UInt64(bitPattern: truth.readoutStartNanoseconds)
        var words: [UInt32] = [
            sync,
            UInt32(truncatingIfNeeded: truth.counter),
            UInt32(truncatingIfNeeded: truth.exposureNanoseconds),
            pair(truth.gain, truth.focus),
            pair(truth.temperature, truth.stream),
            pair(truth.red, truth.blue),
            UInt32(truncatingIfNeeded: time >> 32),
            UInt32(truncatingIfNeeded: time),
        ]
        words.append(pair(truth.brightness, 0))
        words[8] |= UInt32(checksum(words))
        return words
    }

    /// The truth that the words carry, or nil if they are no pattern or damaged.
    package static func truth(_ words: [UInt32]) -> FrameTruth? {
        guard words.count == wordCount, words[0] == sync else { return nil }
        var unsummed = words
        unsummed[8] &= 0xFFFF_0000
        guard UInt32(checksum(unsummed)) == words[8] & 0xFFFF else { return nil }
        return FrameTruth(
            stream: Int(words[4] & 0xFFFF), counter: Int(words[1]),
            readoutStartNanoseconds: Int64(words[6]) << 32 | Int64(words[7]),
            exposureNanoseconds: Int64(words[2]), gain: Int(words[3] >> 16),
            focus: Int(words[3] & 0xFFFF), temperature: Int(words[4] >> 16),
            red: Int(words[5] >> 16), blue: Int(words[5] & 0xFFFF),
            brightness: Int(Int16(truncatingIfNeeded: words[8] >> 16)))
    }

    private static func pair(_ high: Int, _ low: Int) -> UInt32 {
        UInt32(UInt16(truncatingIfNeeded: high)) << 16 | UInt32(UInt16(truncatingIfNeeded: low))
    }

    /// CRC-16/CCITT-FALSE over the first 34 bytes of the words, big-endian.
    static func checksum(_ words: [UInt32]) -> UInt16 {
        var remainder: UInt16 = 0xFFFF
        let bytes = words.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
        for byte in bytes.prefix(34) {
            remainder ^= UInt16(byte) << 8
            for _ in 0..<8 {
                remainder = remainder & 0x8000 != 0 ? remainder << 1 ^ 0x1021 : remainder << 1
            }
        }
        return remainder
    }
}
