/// A text as it was read, with the name under which people know it.
public struct SourceFile: Sendable {
    /// The name for diagnostics, usually the path as it was given.
    public let name: String
    /// The exact bytes, whatever they are; readers check the encoding.
    public let bytes: [UInt8]
    /// Where its lines begin; counted once, when the file is made.
    let lines: LineTable

    /// A text from its bytes.
    ///
    /// - Complexity: O(bytes), to find the lines.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        lines = LineTable(bytes)
    }

    /// A text from a string.
    public init(name: String, text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }

    /// One line without its line end.
    ///
    /// The place after a final line end counts as an empty last line, since errors may point there.
    ///
    /// - Parameter number: the line, from 1.
    /// - Returns: the text, invalid UTF-8 shown as U+FFFD; nil outside of the file.
    public func line(_ number: Int) -> String? {
        guard let range = lines.bytes(ofLine: number, in: bytes) else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// The place after the last character.
    public var endPosition: SourcePosition { lines.position(ofScalar: lines.scalarCount) }

    /// The place of the character that the byte at `offset` (from 0) belongs to.
    public func position(ofByte offset: Int) -> SourcePosition {
        lines.position(ofByte: offset, in: bytes)
    }

    /// The bytes of a stretch; a place outside of the text counts as its nearest end.
    public func byteRange(of range: SourceRange) -> Range<Int> {
        let start = byteOffset(of: range.start)
        return start..<max(start, byteOffset(of: range.end))
    }

    /// The bytes of a line (from 1) without its line end; nil outside of the text.
    public func byteRange(ofLine number: Int) -> Range<Int>? {
        lines.bytes(ofLine: number, in: bytes)
    }

    /// The byte at a place; the nearest end of the line or text for a place outside of it.
    private func byteOffset(of place: SourcePosition) -> Int {
        guard place.line >= 1, let line = lines.bytes(ofLine: place.line, in: bytes) else {
            return place.line < 1 ? lines.byteOrderMarkLength : bytes.count
        }
        var (offset, left) = (line.lowerBound, place.column - 1)
        while offset < line.upperBound, left > 0 {
            repeat { offset += 1 } while offset < line.upperBound && bytes[offset] & 0xC0 == 0x80
            left -= 1
        }
        return offset
    }
}
