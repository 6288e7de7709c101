import Notation
import Testing

@Suite struct `Lines and positions` {
    @Test(arguments: ["one\ntwo\n", "one\r\ntwo\r\n", "one\rtwo\r", "\u{FEFF}one\ntwo\n"])
    func `lines end at LF, CR LF and CR, and a byte order mark is no text`(text: String) {
        let file = SourceFile(name: "a", text: text)
        #expect(file.line(1) == "one")
        #expect(file.line(2) == "two")
        #expect(file.line(3) == "")
        #expect(file.line(4) == nil)
        #expect(file.line(0) == nil)
        #expect(file.endPosition == SourcePosition(line: 3, column: 1))
    }

    @Test func `an empty file has one empty line`() {
        let file = SourceFile(name: "a", text: "")
        #expect(file.line(1) == "")
        #expect(file.line(2) == nil)
        #expect(file.endPosition == .start)
    }

    @Test func `an empty line between CR LF ends stays empty`() {
        let file = SourceFile(name: "a", text: "a\r\n\r\nb")
        #expect(file.line(2) == "")
        #expect(file.line(3) == "b")
    }

    @Test func `line separators of other alphabets do not end a line`() {
        let file = SourceFile(name: "a", text: "a\u{2028}b\u{85}c\nd")
        #expect(file.line(2) == "d")
    }

    @Test func `columns count scalars, whatever their bytes`() {
        // µ has two bytes, 測 three, 😀 four.
        let file = SourceFile(name: "a", text: "µ測😀x\ny")
        #expect(file.position(ofByte: 0) == SourcePosition(line: 1, column: 1))
        #expect(file.position(ofByte: 2) == SourcePosition(line: 1, column: 2))
        #expect(file.position(ofByte: 5) == SourcePosition(line: 1, column: 3))
        #expect(file.position(ofByte: 9) == SourcePosition(line: 1, column: 4))
        #expect(file.position(ofByte: 11) == SourcePosition(line: 2, column: 1))
        #expect(file.position(ofByte: 999) == SourcePosition(line: 2, column: 2))
    }

    @Test func `positions are ordered by line, then column`() {
        let places = [(2, 1), (1, 9), (1, 2)].map { SourcePosition(line: $0.0, column: $0.1) }
        #expect(places.sorted().map(\.description) == ["1:2", "1:9", "2:1"])
    }

    @Test func `a range never ends before it starts`() {
        let range = SourceRange(
            start: SourcePosition(line: 3, column: 4), end: SourcePosition(line: 3, column: 1))
        #expect(range.short == "3:4-3:4")
    }
}
