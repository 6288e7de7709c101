internal import CStorage

/// SHA-256 (FIPS 180-4), fed piece by piece.
///
/// Written here although libraries have it: the one that Swift programs use compiles a whole cryptographic library from
/// source, which takes longer than all of framelock (minutes on a board), for this one function. Nothing secret
/// depends on it; it identifies recipes and shows damage. Checked against the standard's vectors and against
/// `sha256sum`.
struct SHA256 {
    /// H of section 5.3.3, worked on by the schedule in C.
    private var state: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]
    /// Bytes that do not fill a block yet; fewer than 64.
    private var waiting: [UInt8] = []
    /// Bytes so far.
    private var length: UInt64 = 0
    private let isPortable: Bool

    /// Bytes that are worked on at once.
    private static let block = 64

    /// Whether the processor's own instructions are used; without them it is not much faster than disks.
    static var isAccelerated: Bool { fl_sha256_is_accelerated() }

    /// - Parameter isPortable: whether to leave the processor's own instructions alone.
    init(isPortable: Bool = false) {
        self.isPortable = isPortable
    }

    /// The digest of bytes.
    static func hash(_ content: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        content.withUnsafeBytes { hash.update($0) }
        return hash.finalize()
    }

    /// Takes further bytes.
    ///
    /// Pieces of any length; whole blocks are worked on where they lie.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length += UInt64(bytes.count)
        var rest = bytes[...]
        if !waiting.isEmpty {
            let missing = min(Self.block - waiting.count, rest.count)
            waiting += rest.prefix(missing)
            rest = rest.dropFirst(missing)
            guard waiting.count == Self.block else { return }
            let block = waiting
            waiting.removeAll(keepingCapacity: true)
            block.withUnsafeBytes { compress($0) }
        }
        let whole = rest.count / Self.block * Self.block
        compress(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
        waiting += rest.dropFirst(whole)
    }

    /// - Parameter blocks: a whole number of blocks.
    private mutating func compress(_ blocks: UnsafeRawBufferPointer) {
        guard !blocks.isEmpty else { return }
        let isPortable = isPortable
        var span = state.mutableSpan
        span.withUnsafeMutableBufferPointer { words in
            if isPortable {
                fl_sha256_portable(words.baseAddress, blocks.baseAddress, blocks.count / Self.block)
            } else {
                fl_sha256(words.baseAddress, blocks.baseAddress, blocks.count / Self.block)
            }
        }
    }

    /// The digest of everything taken; 32 bytes.
    ///
    /// Works on a copy, so that a digest so far may be asked for in between.
    consuming func finalize() -> [UInt8] {
        let bitCount = length * 8
        var tail: [UInt8] = [0x80]
        while (Int(length % 64) + tail.count) % 64 != 56 { tail.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) {
            tail.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        tail.withUnsafeBytes { update($0) }
        var digest: [UInt8] = []
        for index in 0..<8 {
            for shift in stride(from: 24, through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: state[index] >> UInt32(shift)))
            }
        }
        return digest
    }
}
