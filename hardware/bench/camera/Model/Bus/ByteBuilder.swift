/// Bytes put together field by field: USB is little-endian, USB/IP is big-endian.
package struct ByteBuilder: Sendable {
    /// Everything appended so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func byte(_ value: UInt8) { bytes.append(value) }

    package mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// The lowest `count` bytes of a number, least significant first; negative numbers in two's complement.
    package mutating func littleEndian(_ value: Int, bytes count: Int) {
        for index in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
        }
    }

    package mutating func bigEndian(_ value: UInt32) {
        for shift in [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
        }
    }
}

extension Collection<UInt8> {
    /// The collection read as one unsigned number, least significant byte first.
    package var littleEndianUnsigned: Int {
        var value = 0
        for byte in self.reversed() { value = value << 8 | Int(byte) }
        return value
    }

    /// The collection read as one two's complement number, least significant byte first.
    package var littleEndianSigned: Int {
        let unsigned = littleEndianUnsigned
        let bits = 8 * count
        guard bits > 0, bits < Int.bitWidth, unsigned >> (bits - 1) == 1 else { return unsigned }
        return unsigned - (1 << bits)
    }
}
