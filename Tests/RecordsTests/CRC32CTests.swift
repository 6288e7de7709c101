import TestSupport
import Testing

@testable import Records

struct CRC32CTests {
    struct Vector: Sendable {
        let bytes: [UInt8]
        let checksum: UInt32
    }

    /// RFC 3720, B.4, and the usual check value.
    static let published = [
        Vector(bytes: Array("123456789".utf8), checksum: 0xE306_9283),
        Vector(bytes: Array(repeating: 0x00, count: 32), checksum: 0x8A91_36AA),
        Vector(bytes: Array(repeating: 0xFF, count: 32), checksum: 0x62A8_AB43),
        Vector(bytes: Array(0..<32), checksum: 0x46DD_794E),
        Vector(bytes: Array((0..<32).reversed()), checksum: 0x113F_DB5C),
        Vector(bytes: [], checksum: 0),
    ]

    @Test(arguments: published)
    func `published vectors come out as published`(vector: Vector) {
        #expect(CRC32C.checksum(of: vector.bytes) == vector.checksum)
        let portable = vector.bytes.withUnsafeBytes { CRC32C.portableChecksum(of: $0) }
        #expect(portable == vector.checksum)
    }

    @Test func `any length at any address equals the definition, with and without instructions`() {
        var random = SeededGenerator(seed: 7)
        let bytes = (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        var lengths = Array(0...40) + [255, 256, 767, 768, 769, 800, 1_535, 1_536, 24_575, 24_576]
        lengths += [24_577, 26_000, 49_152, 59_900]
        for length in lengths {
            let start = Int.random(in: 0...99, using: &random)
            let part = Array(bytes[start..<start + length])
            let expected = Self.definition(part)
            bytes.withUnsafeBytes { all in
                let same = UnsafeRawBufferPointer(rebasing: all[start..<start + length])
                #expect(CRC32C.checksum(of: same) == expected, "\(length) bytes")
                #expect(CRC32C.portableChecksum(of: same) == expected, "\(length) bytes, tables")
            }
        }
    }

    @Test func `parts one after the other give the checksum of the whole`() {
        var random = SeededGenerator(seed: 8)
        let bytes = (0..<40_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let whole = CRC32C.checksum(of: bytes)
        for _ in 0..<20 {
            let cut = Int.random(in: 0...bytes.count, using: &random)
            let parts = bytes.withUnsafeBytes { all in
                let first = CRC32C.checksum(of: .init(rebasing: all[..<cut]))
                return CRC32C.checksum(of: .init(rebasing: all[cut...]), after: first)
            }
            #expect(parts == whole)
        }
    }

    /// Bit by bit from the polynomial.
    private static func definition(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            for bit in 0..<8 {
                let isSet = (remainder ^ UInt32(byte >> bit)) & 1 == 1
                remainder = remainder >> 1 ^ (isSet ? 0x82F6_3B78 : 0)
            }
        }
        return ~remainder
    }
}
