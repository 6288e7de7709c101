internal import CStorage

/// CRC-32C (Castagnoli; RFC 3720, B.4), as Zarr, iSCSI and Btrfs use it.
public enum CRC32C {
    /// The checksum of bytes, going on from the checksum of what came before them.
    ///
    /// - Parameters:
    ///   - bytes: the next piece.
    ///   - crc: the checksum of the pieces before; 0 for none.
    public static func checksum(of bytes: UnsafeRawBufferPointer, after crc: UInt32 = 0) -> UInt32 {
        fl_crc32c(crc, bytes.baseAddress, bytes.count)
    }

    /// The checksum of bytes.
    public static func checksum(of bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum(of: $0) }
    }

    /// Whether the processor's own instructions are used.
    public static var isAccelerated: Bool { fl_crc32c_is_accelerated() }

    /// The same checksum by tables alone, for processors without the instructions.
    ///
    /// For tests too, which hold both ways against each other.
    static func portableChecksum(
        of bytes: UnsafeRawBufferPointer, after crc: UInt32 = 0
    ) -> UInt32 {
        fl_crc32c_portable(crc, bytes.baseAddress, bytes.count)
    }
}
