import Foundation
import Testing

/// Reads frames from a Zarr v3 array by nothing but its metadata and the specification: sharded along the first axis,
/// one frame a chunk, uncompressed.
///
/// A second reader, which shares nothing with the program that wrote the frames.
struct ShardReader {
    private struct Metadata: Decodable {
        struct Grid: Decodable {
            struct Configuration: Decodable { var chunk_shape: [Int] }
            var configuration: Configuration
        }
        struct Codec: Decodable {
            struct Configuration: Decodable {
                var chunk_shape: [Int]
                var index_location: String?
            }
            var name: String
            var configuration: Configuration
        }
        var shape: [Int]
        var data_type: String
        var chunk_grid: Grid
        var codecs: [Codec]
    }

    /// The array's shape: slots, channels if there are several, rows, columns.
    let shape: [Int]
    /// `uint8` or `uint16`.
    let dataType: String
    private let array: URL
    private let slotsPerShard: Int
    private let indexIsFirst: Bool
    private let frameByteCount: Int

    /// - Parameter array: the folder with the array's `zarr.json`.
    init(array: URL) throws {
        let metadata = try JSONDecoder().decode(
            Metadata.self, from: Data(contentsOf: array.appending(path: "zarr.json")))
        let codec = try #require(metadata.codecs.first)
        try #require(metadata.codecs.count == 1 && codec.name == "sharding_indexed")
        try #require(codec.configuration.chunk_shape.first == 1)
        self.array = array
        shape = metadata.shape
        dataType = metadata.data_type
        slotsPerShard = try #require(metadata.chunk_grid.configuration.chunk_shape.first)
        // The specification's default is the end.
        indexIsFirst = codec.configuration.index_location == "start"
        frameByteCount =
            shape.dropFirst().reduce(1, *) * (dataType == "uint16" ? 2 : 1)
    }

    /// The bytes of a slot's frame as they are on disk; nil where there is none.
    func frame(slot: Int) throws -> [UInt8]? {
        let axes = Array(repeating: "0", count: shape.count - 1).joined(separator: "/")
        let file = array.appending(path: "c/\(slot / slotsPerShard)/\(axes)")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let shard = try FileHandle(forReadingFrom: file)
        defer { try? shard.close() }
        let indexByteCount = 16 * slotsPerShard + 4
        let end = try shard.seekToEnd()
        let start = indexIsFirst ? 0 : end - UInt64(indexByteCount)
        let index = try read(shard, at: start, indexByteCount)
        let checksum = Self.crc32c(index.dropLast(4))
        try #require(
            checksum == UInt32(truncatingIfNeeded: Self.number(index.suffix(4))),
            "the index of \(file.path) is damaged")
        let place = slot % slotsPerShard * 16
        let offset = Self.number(index[place..<place + 8])
        let byteCount = Self.number(index[place + 8..<place + 16])
        if offset == .max, byteCount == .max { return nil }
        try #require(byteCount == UInt64(frameByteCount), "slot \(slot) has \(byteCount) bytes")
        return try read(shard, at: offset, frameByteCount)
    }

    private func read(_ file: FileHandle, at offset: UInt64, _ count: Int) throws -> [UInt8] {
        try file.seek(toOffset: offset)
        let bytes = [UInt8](try file.read(upToCount: count) ?? Data())
        try #require(bytes.count == count, "the shard ends early")
        return bytes
    }

    /// An unsigned number, lowest byte first.
    private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// CRC-32C bit by bit, as RFC 3720 describes it.
    static func crc32c(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
        }
        return ~crc
    }
}
