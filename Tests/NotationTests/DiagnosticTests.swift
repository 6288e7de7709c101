import Notation
import Testing

@Suite struct `Diagnostics as people read them` {
    static func place(_ line: Int, _ column: Int, _ columns: Int) -> SourceRange {
        SourceRange(at: SourcePosition(line: line, column: column), columns: columns)
    }

    static func rendered(_ text: String, _ range: SourceRange) -> String {
        let file = SourceFile(name: "a.yaml", text: text)
        let diagnostic = Diagnostic("odd", at: range, in: "a.yaml", "this is odd")
        return DiagnosticRenderer(sources: [file]).render(diagnostic)
    }

    @Test func `message, source, underline, notes and hint`() {
        let file = SourceFile(
            name: "recipes/cube.yaml", text: "camera:\n  rate: 50 fps\nexposure: 25 ms\n")
        let diagnostic = Diagnostic(
            "exposure-exceeds-interval", at: Self.place(3, 11, 5), in: "recipes/cube.yaml",
            "exposure 25 ms exceeds the 20 ms frame interval",
            notes: [
                .init(
                    "frame rate set to 50/s here", at: Self.place(2, 9, 6), in: "recipes/cube.yaml")
            ],
            hint: "use an exposure of at most 19.2 ms")
        #expect(
            DiagnosticRenderer(sources: [file]).render(diagnostic) == """
                recipes/cube.yaml:3:11: error: exposure 25 ms exceeds the 20 ms frame interval \
                [exposure-exceeds-interval]
                    3 | exposure: 25 ms
                      |           ^~~~~
                recipes/cube.yaml:2:9: note: frame rate set to 50/s here
                hint: use an exposure of at most 19.2 ms
                """)
    }

    @Test func `a warning says so, and an unknown file has no excerpt`() {
        let diagnostic = Diagnostic(
            .warning, "odd", at: Self.place(3, 1, 1), in: "b.yaml", "is odd")
        #expect(
            DiagnosticRenderer(sources: []).render(diagnostic)
                == "b.yaml:3:1: warning: is odd [odd]")
    }

    @Test func `tabs do not shift the caret`() {
        #expect(
            Self.rendered("a:\tb\tcd", Self.place(1, 6, 2)) == """
                a.yaml:1:6: error: this is odd [odd]
                    1 | a:  b   cd
                      |         ^~
                """)
    }

    @Test func `wide, combining and emoji characters take the cells they take`() {
        #expect(
            Self.rendered("測e\u{301}😀: bad", Self.place(1, 7, 3)) == """
                a.yaml:1:7: error: this is odd [odd]
                    1 | 測e\u{301}😀: bad
                      |        ^~~
                """)
    }

    @Test func `wide characters are underlined over their whole width`() {
        #expect(Self.rendered("測測: x", Self.place(1, 1, 2)).hasSuffix("      | ^~~~"))
    }

    @Test func `a file cannot move the cursor or turn the line around`() {
        let text = Self.rendered("a\u{1B}[2Jb\u{202E}c: x", Self.place(1, 10, 1))
        #expect(text.contains("    1 | a\u{FFFD}[2Jb\u{FFFD}c: x"))
        let quoted = Diagnostic.quote("a\u{1B}b\nc")
        #expect(quoted == #"`a\u{1b}b\u{a}c`"#)
        #expect(Diagnostic.quote(String(repeating: "x", count: 50)).count == 42)
    }

    @Test func `the end of a file and places beyond it still have a caret`() {
        #expect(Self.rendered("a: b\n", Self.place(2, 1, 0)).hasSuffix("    2 |\n      | ^"))
        #expect(
            Self.rendered("a: b\n", Self.place(1, 90, 5)).hasSuffix("    1 | a: b\n      |     ^"))
        #expect(
            Self.rendered("a: b\n", Self.place(9, 1, 1)) == "a.yaml:9:1: error: this is odd [odd]")
    }

    @Test func `a range over several lines is underlined on its first`() {
        let range = SourceRange(
            start: SourcePosition(line: 1, column: 4), end: SourcePosition(line: 3, column: 1))
        #expect(Self.rendered("a: [b,\n c\n]", range).hasSuffix("    1 | a: [b,\n      |    ^~~"))
    }

    @Test func `a long line is cut around what is meant`() {
        let text = String(repeating: "x", count: 5_000) + "bad" + String(repeating: "y", count: 900)
        let lines = Self.rendered(text, Self.place(1, 5_001, 3)).split(separator: "\n")
        let before = String(repeating: "x", count: 40)
        let after = String(repeating: "y", count: 57)
        #expect(lines[1] == "    1 | …\(before)bad\(after)…")
        #expect(lines[2] == "      | \(String(repeating: " ", count: 41))^~~")
    }

    @Test func `big line numbers keep the margin straight`() {
        let text = String(repeating: "\n", count: 1_234_566) + "bad"
        #expect(
            Self.rendered(text, Self.place(1_234_567, 1, 3)).hasSuffix(
                "1234567 | bad\n        | ^~~"))
    }

    @Test func `lists are in the order of the text, and end after twenty`() {
        let found = (1...23).reversed().map {
            Diagnostic("odd", at: Self.place($0, 1, 1), in: "a.yaml", "number \($0)")
        }
        var list = DiagnosticList(Array(found.dropLast()))
        if let last = found.last { list.append(last) }
        let lines = DiagnosticRenderer(sources: []).render(list).split(separator: "\n")
        #expect(lines.count == 21)
        #expect(lines.first == "a.yaml:1:1: error: number 1 [odd]")
        #expect(lines[19] == "a.yaml:20:1: error: number 20 [odd]")
        #expect(lines.last == "… and 3 more")
        #expect(list.jsonValue["omitted"] == 3)
        #expect(list.jsonValue["diagnostics"]?.arrayValue?.count == 20)
    }

    @Test func `files keep together, and equal places keep the order of finding`() {
        let list = DiagnosticList([
            Diagnostic("b", at: Self.place(1, 1, 1), in: "b.yaml", "third"),
            Diagnostic("z", at: Self.place(4, 1, 1), in: "a.yaml", "first"),
            Diagnostic("a", at: Self.place(4, 1, 3), in: "a.yaml", "second"),
        ])
        #expect(list.diagnostics.map(\.message) == ["first", "second", "third"])
        #expect(list.hasErrors)
    }

    @Test func `programs get the same as JSON`() {
        let diagnostic = Diagnostic(
            "unknown-key", at: Self.place(2, 3, 4), in: "a.yaml", "unknown key `nmae`",
            notes: [.init("in this mapping", at: Self.place(1, 1, 1), in: "a.yaml")])
        #expect(
            diagnostic.jsonValue.text() == """
                {"severity":"error","id":"unknown-key","file":"a.yaml","range":{"start":{"line":2,\
                "column":3},"end":{"line":2,"column":7}},"message":"unknown key `nmae`","notes":\
                [{"message":"in this mapping","file":"a.yaml","range":{"start":{"line":1,"column":1},\
                "end":{"line":1,"column":2}}}],"hint":null}
                """)
    }
}
