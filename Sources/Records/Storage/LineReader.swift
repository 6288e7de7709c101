/// Reads a text file line by line, of any size, without its line ends.
final class LineReader {
    /// No line of a record is longer; what is, is no record.
    static let maximumLineBytes = 1 << 20

    struct Line {
        /// Counted from 1.
        let number: Int
        let bytes: ArraySlice<UInt8>
        /// False for a last line without a line end: it was cut while it was written.
        let isComplete: Bool

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    let path: String
    private let file: OpenFile
    /// Where reading ends, whatever was appended since.
    private let end: Int64
    private var buffer: [UInt8] = []
    private var start = 0
    private var offset: Int64 = 0
    private var isAtEnd = false
    private var number = 0

    /// - Parameter end: reads only so many bytes of the file.
    init(_ path: String, upTo end: Int64 = .max) throws(StorageError) {
        self.path = path
        self.end = end
        file = try OpenFile.open(path)
    }

    /// The next line; nil at the end of the file.
    func next() throws(StorageError) -> Line? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
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

    private func fill() throws(StorageError) {
        buffer.removeFirst(start)
        start = 0
        let old = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: 1 << 16))
        let found = try file.read(into: &buffer, from: old, at: offset)
        let count = Int(min(Int64(found), end - offset))
        buffer.removeLast((1 << 16) - count)
        offset += Int64(count)
        isAtEnd = count < 1 << 16
    }
}
