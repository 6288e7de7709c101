import Devices
import TestSupport
import Testing

struct EmbeddedDataTests {
    /// Exposure 0x04d2 lines, gain 0x0300, frame 0x0c4e lines, line 0x5dc0 pixels, 43 °C.
    private static let pairs: [UInt8] = [
        0xaa, 0x01, 0xa5, 0x3a, 0x5a, 43,
        0xaa, 0x02, 0xa5, 0x02, 0x5a, 0x04, 0x5a, 0xd2, 0x5a, 0x03, 0x5a, 0x00,
        0xaa, 0x03, 0xa5, 0x3f, 0x55, 0x00, 0x5a, 0x0c, 0x5a, 0x4e, 0x5a, 0x5d, 0x5a, 0xc0,
        0x07, 0x07,
    ]

    /// A line with dummies where a format keeps its low bits, filled up to a length.
    private static func line(_ pairs: [UInt8], _ packing: EmbeddedData.Packing) -> [UInt8] {
        var line: [UInt8] = []
        for byte in [0x0a] + pairs {
            while isDummy(line.count, packing) { line.append(0x55) }
            line.append(byte)
        }
        return line
    }

    private static func read(
        _ bytes: [UInt8], _ packing: EmbeddedData.Packing, lineByteCount: Int? = nil
    ) throws(EmbeddedData.Problem) -> EmbeddedData {
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(EmbeddedData.Problem) in
                try EmbeddedData(
                    raw, lineByteCount: lineByteCount ?? max(1, raw.count), packing: packing)
            }
        }
        return try result.get()
    }

    private static func isDummy(_ place: Int, _ packing: EmbeddedData.Packing) -> Bool {
        switch packing {
        case .bits8: false
        case .bits10: [4, 9, 14, 19].contains(place % 20)
        case .bits12: [2, 5, 8, 11].contains(place % 12)
        case .bits14: [4, 5, 6].contains(place % 7)
        }
    }

    @Test(arguments: EmbeddedData.Packing.allCases)
    func `a line says what the frame was exposed with`(packing: EmbeddedData.Packing) throws {
        let line = Self.line(Self.pairs, packing)
        let data = try Self.read(line, packing)
        #expect(data.exposureLines == 0x04d2)
        #expect(data.gainCode == 0x0300)
        #expect(data.frameLines == 0x0c4e)
        #expect(data.linePixels == 0x5dc0)
        #expect(data.temperature == 43)
    }

    @Test func `raw 10 has a dummy in every fifth byte, raw 12 in every third`() throws {
        let ten: [UInt8] = [
            0x0a, 0xaa, 0x02, 0xa5, 0x55, 0x02, 0x5a, 0x12, 0x5a, 0x55, 0x34, 0x07, 0x07, 0xff,
        ]
        #expect(
            try Self.read(ten, .bits10).exposureLines == 0x1234)
        let twelve: [UInt8] = [
            0x0a, 0xaa, 0x55, 0x02, 0xa5, 0x55, 0x02, 0x5a, 0x55, 0x12, 0x5a, 0x55, 0x34, 0x07,
            0x55, 0x07,
        ]
        #expect(
            try Self.read(twelve, .bits12).exposureLines == 0x1234)
    }

    @Test func `registers may come in several lines, and half of a word is none`() throws {
        let first = Self.line([0xaa, 0x02, 0xa5, 0x02, 0x5a, 0x01, 0x07, 0x07], .bits8)
        let second = Self.line([0xaa, 0x02, 0xa5, 0x03, 0x5a, 0x02, 0x07, 0x07], .bits8)
        let both = try Self.read(
            first + second, .bits8, lineByteCount: first.count)
        #expect(both.exposureLines == 0x0102)
        let half = try Self.read(first, .bits8)
        #expect(half.exposureLines == nil && half.temperature == nil)
    }

    @Test func `a temperature that no sensor has is none`() throws {
        let hot = Self.line([0xaa, 0x01, 0xa5, 0x3a, 0x5a, 81, 0x07, 0x07], .bits8)
        #expect(
            try Self.read(hot, .bits8).temperature == nil)
        let cold = Self.line([0xaa, 0x01, 0xa5, 0x3a, 0x5a, 0xec, 0x07, 0x07], .bits8)
        #expect(
            try Self.read(cold, .bits8).temperature == -20)
    }

    @Test func `what can't be is told with its place`() {
        func problem(_ bytes: [UInt8], _ packing: EmbeddedData.Packing = .bits8)
            -> EmbeddedData.Problem?
        {
            do throws(EmbeddedData.Problem) {
                _ = try Self.read(bytes, packing)
                return nil
            } catch { return error }
        }
        #expect(problem([0x0b, 0x07, 0x07]) == .noLineStart(byte: 0))
        #expect(problem([0x0a, 0xaa, 0x01, 0x33, 0x00]) == .unknownTag(byte: 3))
        #expect(problem([0x0a, 0x07, 0x08]) == .noLineEnd(byte: 1))
        #expect(problem([0x0a, 0xaa, 0x01]) == .noLineEnd(byte: 3))
        #expect(problem([0x0a, 0xaa, 0x54, 0x01], .bits12) == .badDummy(byte: 2))
    }

    @Test func `any bytes are read or refused`() {
        var random = SeededGenerator(seed: 4)
        let tags: [UInt8] = [0x0a, 0xaa, 0xa5, 0x5a, 0x55, 0x07]
        var readable = 0
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { place in
                place == 0
                    ? 0x0a
                    : Bool.random(using: &random)
                        ? tags.randomElement(using: &random) ?? 0
                        : UInt8.random(in: 0...255, using: &random)
            }
            let packing = EmbeddedData.Packing.allCases.randomElement(using: &random) ?? .bits8
            let count = Int.random(in: 1...41, using: &random)
            if (try? Self.read(bytes, packing, lineByteCount: count)) != nil {
                readable += 1
            }
        }
        #expect(readable > 0)
    }
}
