internal import Glibc

/// Reads a text file line by line, of any size, without its line ends.
final class LineReader {
    /// No line of a record is longer; what is, is no record.
    static let maximumLineBytes = 1 << 20

    /// The bytes are valid as long as they are kept; reading on does not change them.
    struct Line {
        /// Counted from 1.
        let number: Int
        let bytes: ArraySlice<UInt8>
        /// False for a last line without a line end: it was cut while it was written.
        let isComplete: Bool

        /// Bytes that are no UTF-8 become U+FFFD.
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Room for the next piece of the file.
    private static let empty = [UInt8](repeating: 0, count: 1 << 16)

    let path: String
    private let file: OpenFile
    /// Bytes from the beginning after which reading ends, whatever was appended since.
    private let end: Int64
    private var buffer: [UInt8] = []
    /// Where in ``buffer`` the next line begins.
    private var start = 0
    /// Where in the file the next piece begins.
    private var offset: Int64
    private var isAtEnd = false
    private var number = 0

    /// - Parameters:
    ///   - offset: where reading begins, in bytes; lines are counted from there.
    ///   - end: reads only so many bytes of the file.
    init(_ path: String, from offset: Int64 = 0, upTo end: Int64 = .max) throws(StorageError) {
        self.path = path
        self.offset = offset
        self.end = end
        file = try OpenFile.open(path)
    }

    /// Where in the file the next line begins.
    var position: Int64 { offset - Int64(buffer.count - start) }

    /// The next line; nil at the end of the file.
    ///
    /// - Throws: ``StorageError`` if the file can't be read, or EFBIG (27) for a line longer than ``maximumLineBytes``.
    func next() throws(StorageError) -> Line? {
        var searched = start
        while true {
            if let end = lineEnd(from: searched) {
                defer { start = end + 1 }
                number += 1
                return Line(number: number, bytes: buffer[start..<end], isComplete: true)
            }
            let waiting = buffer.count - start
            if isAtEnd {
                guard waiting > 0 else { return nil }
                defer { start = buffer.count }
                number += 1
                return Line(number: number, bytes: buffer[start...], isComplete: false)
            }
            // EFBIG
            guard waiting <= Self.maximumLineBytes else {
                throw StorageError("read line \(number + 1) of", path: path, errno: 27)
            }
            searched = waiting
            try fill()
        }
    }

    /// Where the next line end in the buffer is; nil if there is none from `start` on.
    private func lineEnd(from start: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress else { return nil }
            return memchr(base + start, 10, bytes.count - start)
                .map { UnsafeRawPointer($0) - base }
        }
    }

    /// Reads the next 64 KiB behind what is left of the buffer; fewer mean the end.
    private func fill() throws(StorageError) {
        buffer.removeFirst(start)
        start = 0
        let old = buffer.count
        buffer += Self.empty
        let found = try file.read(into: &buffer, from: old, at: offset)
        let count = Int(min(Int64(found), end - offset))
        buffer.removeLast((1 << 16) - count)
        offset += Int64(count)
        isAtEnd = count < 1 << 16
    }
}
