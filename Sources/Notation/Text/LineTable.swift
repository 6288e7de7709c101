/// Where the lines of a text begin, so that offsets become lines and columns.
///
/// Lines end at LF, CR LF or CR, as editors see them. (libyaml also ends lines at NEL, LS and PS, so
/// its own line numbers differ from what an editor shows; its scalar index does not.)
struct LineTable: Sendable {
    private struct Start {
        var byte: Int
        var scalar: Int
    }

    /// The first byte and scalar of each line, in order; never empty.
    private let starts: [Start]
    /// Unicode scalars in the text, without a byte order mark; a stray byte counts as none.
    let scalarCount: Int
    /// Bytes of the byte order mark at the start: 0 or 3.
    let byteOrderMarkLength: Int

    /// Bytes that are no UTF-8 are taken as they come: every one but a continuation byte counts as a scalar.
    init(_ bytes: [UInt8]) {
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var starts = [Start(byte: mark, scalar: 0)]
        var scalar = 0
        var index = mark
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte & 0xC0 == 0x80 { continue }
            scalar += 1
            let isBreak =
                byte == 0x0A || byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A)
            if isBreak { starts.append(Start(byte: index, scalar: scalar)) }
        }
        self.starts = starts
        scalarCount = scalar
        byteOrderMarkLength = mark
    }

    /// Lines; one that is empty after a final line end counts.
    var lineCount: Int { starts.count }

    /// The position of a Unicode scalar by its index; indices outside of the text give its nearest end.
    func position(ofScalar index: Int) -> SourcePosition {
        let index = min(max(0, index), scalarCount)
        let line = lastStart { $0.scalar <= index }
        return SourcePosition(line: line + 1, column: index - starts[line].scalar + 1)
    }

    /// The position of the scalar that the byte at `offset` belongs to.
    func position(ofByte offset: Int, in bytes: [UInt8]) -> SourcePosition {
        let offset = min(max(byteOrderMarkLength, offset), bytes.count)
        let line = lastStart { $0.byte <= offset }
        let before = bytes[starts[line].byte..<offset].count { $0 & 0xC0 != 0x80 }
        return SourcePosition(line: line + 1, column: before + 1)
    }

    /// The byte at which the scalar of that index begins.
    func byteOffset(ofScalar index: Int, in bytes: [UInt8]) -> Int {
        let index = min(max(0, index), scalarCount)
        let start = starts[lastStart { $0.scalar <= index }]
        var remaining = index - start.scalar
        var offset = start.byte
        while offset < bytes.count {
            if bytes[offset] & 0xC0 != 0x80 {
                if remaining == 0 { break }
                remaining -= 1
            }
            offset += 1
        }
        return offset
    }

    /// The bytes of a line (from 1) without its line end; nil outside of the text.
    func bytes(ofLine number: Int, in bytes: [UInt8]) -> Range<Int>? {
        guard number >= 1, number <= starts.count else { return nil }
        let start = starts[number - 1].byte
        var end = number < starts.count ? starts[number].byte : bytes.count
        guard number < starts.count else { return start..<end }
        end -= 1
        if bytes[end] == 0x0A, end > start, bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    /// The last line start that satisfies a condition which holds for the first one.
    private func lastStart(where holds: (Start) -> Bool) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(starts[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}
