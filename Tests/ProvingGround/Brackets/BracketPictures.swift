import Foundation

/// The pictures of a recorded run of brackets: reads the shards by their index alone.
struct BracketPictures {
    private let array: URL
    private let slotsPerShard = 31
    private var shard: (number: Int, bytes: Data)?

    /// - Parameter run: the run's folder.
    init(run: String) {
        array = URL(fileURLWithPath: run).appendingPathComponent("frames.zarr/0")
    }

    /// The numbers in a slot's picture; nil where it has none.
    mutating func numbers(slot: Int) throws -> [Int64]? {
        let number = slot / slotsPerShard
        if shard?.number != number {
            let file = array.appendingPathComponent("c/\(number)/0/0")
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            shard = (number, try Data(contentsOf: file))
        }
        guard let bytes = shard?.bytes else { return nil }
        // The index comes first: an offset and a length of each slot, all bits set where there is none.
        let place = slot % slotsPerShard * 16
        let offset = Self.number(bytes, at: place, byteCount: 8)
        if offset == -1 { return nil }
        return (0..<BracketCamera.pictureByteCount / 4).map {
            Self.number(bytes, at: Int(offset) + 4 * $0, byteCount: 4)
        }
    }

    /// A number, lowest byte first.
    private static func number(_ bytes: Data, at place: Int, byteCount: Int) -> Int64 {
        var value: UInt64 = 0
        for byte in (0..<byteCount).reversed() {
            value = value << 8 | UInt64(bytes[bytes.startIndex + place + byte])
        }
        return Int64(bitPattern: value)
    }
}
