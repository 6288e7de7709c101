import Notation
import TestSupport
import Testing

@Suite struct `YAML never stops the program` {
    static let seeds = [
        "framelock: 1\nname: gel-bracket\nparameters:\n  interval: {default: 10 s, min: 1 s}\n",
        "camera:\n  use: simulated\n  format: {pixels: SRGGB12, size: 1456x1088, rate: 30 fps}\n",
        "sequence:\n  - capture: 5\n  - for: {lens: {from: 0.2, to: 0.8}}\n    do:\n      - capture: 1\n",
        "a: &x [1, 2]\nb: *x\nc: !!int 3\n<<: {d: 1}\n? [k]\n: v\n",
        "%YAML 1.1\n--- # c\nt: |+\n  äöü\n  測\n\nu: >-\n  a\n  b\n'q': \"\\u00e4\\x41\\n\"\n...\n",
        "- - - a\n    - b\n  - \"😀\"\n- ? k\n  : v\n- {a, b: , : c}\n- [a: b, [c]]\n",
        "lines:\r\n  strobe: {chip: pinctrl-rp1, line: GPIO27}\r\n\tx: 1\r\n",
    ].map { Array($0.utf8) }

    static let words = [
        "&a ", "*a", "!t ", "!!str ", "<<: ", "? ", ": ", "- ", "[", "]", "{", "}", ",", "|\n",
        ">2-\n",
        "---\n", "...\n", "%TAG ! x\n", "\"", "'", "\\", "#", "\n", "\r\n", "\r", "\t", "  ", "\0",
        "\u{FEFF}", "\u{85}", "\u{2028}", "ä", "😀", "@", "`", "key: value\n", "\"\\0\"",
        "\"\\ud800\"",
    ]

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `any bytes end in nodes or diagnostics, inside the file`(seed: UInt64) {
        var mutator = Mutator(seed: seed, words: Self.words)
        var (accepted, refused) = (0, 0)
        for turn in 0..<5_000 {
            let bytes = mutator.mutated(Self.seeds[turn % Self.seeds.count])
            let file = SourceFile(name: "a.yaml", bytes: bytes)
            do throws(DiagnosticList) {
                let node = try YAMLReader.read(file)
                accepted += 1
                let areNested = Self.areNested(node, inside: file.wholeRange)
                #expect(areNested && file.contains(node.range), "in \(bytes)")
            } catch {
                refused += 1
                let ranges = error.diagnostics.flatMap { [$0.range] + $0.notes.map(\.range) }
                let areInside = ranges.allSatisfy(file.contains)
                #expect(areInside && error.hasErrors, "\(error) in \(bytes)")
            }
        }
        #expect(accepted > 500 && refused > 500)
    }

    /// Named by what is repeated: whole texts of this length would fill the log.
    @Test(arguments: [
        ("[", 200_000), ("{a: ", 200_000), ("- ", 200_000), ("? ", 200_000), ("a: \n ", 100_000),
        ("'", 300_001), ("&a ", 100_000), ("!a ", 100_000), ("#\n", 300_000),
        ("\u{85}", 300_000), ("---\n", 100_000),
    ])
    func `files made to be slow or deep are refused like others`(part: String, count: Int) {
        #expect(yamlComplaint(String(repeating: part, count: count)).contains(": error: "))
    }

    @Test func `a quoted text that never ends is refused`() {
        let text = "\"" + String(repeating: "\\", count: 500_001)
        #expect(yamlComplaint(text).contains(": error: "))
    }

    /// Plain words in a document written by the test, found again at the place that the node names.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a plain scalar stands where its range says`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["a", "µm", "測定", "😀 ok", "8 ms", "e\u{301}", "GPIO17"]
        for _ in 0..<100 {
            let lineEnd = random.element(of: ["\n", "\r\n", "\r"])
            var text = random.below(2) == 0 ? "\u{FEFF}" : ""
            for key in 0..<random.below(12) + 1 {
                text += "k\(key):" + String(repeating: " ", count: random.below(4) + 1)
                let (first, second) = (random.element(of: words), random.element(of: words))
                text += random.below(2) == 0 ? first : "[\(first),\t\(second), {x: \(first)}]"
                text += random.below(2) == 0 ? " # ü\(lineEnd)" : lineEnd + lineEnd
            }
            Self.checkScalars(of: try yaml(text), in: text)
        }
    }
}

// MARK: - Checks

extension `YAML never stops the program` {
    /// Whether every node lies inside of its parent, and keys come before their values.
    static func areNested(_ node: YAMLNode, inside outer: SourceRange) -> Bool {
        guard outer.start <= node.range.start, node.range.end <= outer.end else { return false }
        let entries = node.entries ?? []
        return (node.elements ?? []).allSatisfy { areNested($0, inside: node.range) }
            && entries.allSatisfy { entry in
                node.range.start <= entry.keyRange.start
                    && entry.keyRange.end <= entry.value.range.end
                    && areNested(entry.value, inside: node.range)
            }
    }

    /// Every scalar's text is what the line holds between its columns; lines are split by hand.
    static func checkScalars(of node: YAMLNode, in text: String) {
        let scalars = text.unicodeScalars.filter { $0 != "\u{FEFF}" }
        let lines = String(String.UnicodeScalarView(scalars))
            .split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
        visit(node) { range, text in
            let line = Array(lines[range.start.line - 1].unicodeScalars)
            let part = line[range.start.column - 1..<range.end.column - 1]
            #expect(part.elementsEqual(text.unicodeScalars))
            #expect(range.start.line == range.end.line)
        }
    }

    private static func visit(_ node: YAMLNode, _ body: (SourceRange, String) -> Void) {
        if let scalar = node.scalar { body(node.range, scalar.text) }
        for element in node.elements ?? [] { visit(element, body) }
        for entry in node.entries ?? [] {
            body(entry.keyRange, entry.key)
            visit(entry.value, body)
        }
    }
}

extension SourceFile {
    var wholeRange: SourceRange { SourceRange(start: .start, end: endPosition) }

    func contains(_ range: SourceRange) -> Bool {
        guard let first = line(range.start.line), let last = line(range.end.line) else {
            return false
        }
        return range.start >= .start && range.start.column <= first.unicodeScalars.count + 1
            && range.end.column <= last.unicodeScalars.count + 1
    }
}
