import Testing

/// What a picture of the bench's USB camera says of itself; the layout is told in `hardware/bench/camera/README.md`.
struct TruthPattern {
    /// Rows that the pattern and the black below it take.
    static let rowCount = 80

    let counter: Int
    let stream: Int
    let exposureNanoseconds: Int
    /// In sixteenths.
    let gain: Int
    let focus: Int
    let temperature: Int
    let readoutStartNanoseconds: Int

    /// - Parameters:
    ///   - frame: the bytes of a frame, of which the first one of each pixel is its luma.
    ///   - width: pixels of a row.
    ///   - pixelByteCount: 2 for YUYV, 1 for GREY.
    init(frame: [UInt8], width: Int, pixelByteCount: Int = 2) throws {
        func luma(_ row: Int, _ column: Int) -> UInt8 {
            frame[pixelByteCount * (row * width + column)]
        }
        let words = (0..<9).map { word in
            (0..<32).reduce(0) { value, bit in
                value << 1 | (luma(8 * word + 4, 8 * bit + 4) >= 128 ? 1 : 0)
            }
        }
        try #require(words[0] == 0xA5C3_0109, "the picture has no pattern")
        let bytes = words.flatMap { word in (0..<4).map { UInt8(word >> (24 - 8 * $0) & 0xFF) } }
        try #require(Self.crc16(bytes.dropLast(2)) == words[8] & 0xFFFF, "the pattern is damaged")
        counter = words[1]
        exposureNanoseconds = words[2]
        gain = words[3] >> 16
        focus = words[3] & 0xFFFF
        temperature = words[4] >> 16
        stream = words[4] & 0xFFFF
        readoutStartNanoseconds = words[6] << 32 | words[7]
    }

    /// CRC-16/CCITT-FALSE.
    static func crc16(_ bytes: some Sequence<UInt8>) -> Int {
        var crc = 0xFFFF
        for byte in bytes {
            crc ^= Int(byte) << 8
            for _ in 0..<8 {
                crc = (crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1) & 0xFFFF
            }
        }
        return crc
    }

    /// Mean luma of the flat field: the left half of the picture below the pattern.
    static func flatMean(frame: [UInt8], width: Int, height: Int) -> Double {
        var sum = 0
        for row in rowCount..<height {
            for column in 0..<width / 2 { sum += Int(frame[2 * (row * width + column)]) }
        }
        return Double(sum) / Double((height - rowCount) * (width / 2))
    }
}

extension RunReport {
    /// What each frame of a 640x480 run of the bench's camera says of itself, in the order of `frames`.
    func truths(width: Int = 640) throws -> [TruthPattern] {
        let pixels = try pixels()
        return try frames.map { row in
            let slot = try row.required("slot")
            let frame = try #require(try pixels.frame(slot: slot), "slot \(slot) has no pixels")
            return try TruthPattern(frame: frame, width: width)
        }
    }
}
