import Notation
import Testing

@Suite struct `YAML is read into places and text` {
    @Test func `mappings, lists and scalars, block and flow`() throws {
        let node = try yaml(
            """
            framelock: 1   # first
            camera: {use: simulated, size: [64, 48]}
            sequence:
            - capture: 5
            - "wait": 'a ''b'''
            note: |
              two
              lines
            """)
        #expect(
            node.shape == [
                "framelock": "1", "camera": ["use": "simulated", "size": ["64", "48"]],
                "sequence": [["capture": "5"], ["wait": "a 'b'"]], "note": "two\nlines",
            ])
    }

    @Test(arguments: ["no", "0x1F", "12:30", "1e9", ".inf", "~", "null", "2001-01-01", "=", "007"])
    func `scalars stay text`(text: String) throws {
        let scalar = try #require(try yaml("a: \(text)").entry("a")?.value.scalar)
        #expect(scalar == YAMLScalar(text: text, isPlain: true))
    }

    @Test func `quotes and blocks are not plain, and a quoted merge key is only a word`() throws {
        let node = try yaml("a: 'x'\nb: \"y\"\nc: |\n  z\nd: w\n\"<<\": v\n")
        #expect(
            node.entries?.map { $0.value.scalar?.isPlain } == [false, false, false, true, true])
        #expect(node.entries?.last?.key == "<<")
    }

    @Test func `a key without a value holds nothing, right behind its colon`() throws {
        let node = try yaml("a:\n  b:\n  c: ''\n")
        let inner = try #require(node.entry("a")?.value)
        #expect(inner.entry("b")?.value.isEmpty == true)
        #expect(inner.entry("b")?.value.range.short == "2:5-2:5")
        #expect(inner.entry("b")?.value.kind == "nothing")
        #expect(inner.entry("c")?.value.isEmpty == false)
        #expect(inner.entry("missing") == nil)
    }

    /// Where `b` and its value stand in five writings of the same document.
    @Test(arguments: [
        ("a: 1\nb: wert\n", "2:1-2:2", "2:4-2:8"),
        ("a: 1\r\nb: wert\r\n", "2:1-2:2", "2:4-2:8"),
        ("a: 1\rb: wert\r", "2:1-2:2", "2:4-2:8"),
        ("\u{FEFF}a: 1\nb: wert", "2:1-2:2", "2:4-2:8"),
        ("{a: 1,\tb: wert}", "1:8-1:9", "1:11-1:15"),
        ("{a: µ測😀, b: wert}", "1:10-1:11", "1:13-1:17"),
        ("{a: \"\u{2028}\", b: wert}", "1:10-1:11", "1:13-1:17"),
        ("a: \"x\u{85}y\"\nb: wert", "2:1-2:2", "2:4-2:8"),
        ("# ü\n\na: 1\n\n# x\nb:   wert  # y", "6:1-6:2", "6:6-6:10"),
    ])
    func `positions survive line ends, tabs and other alphabets`(
        text: String, key: String, value: String
    ) throws {
        let entry = try #require(try yaml(text).entry("b"))
        #expect(entry.keyRange.short == key)
        #expect(entry.value.range.short == value)
    }

    @Test func `a collection spans its entries, not the comments that follow`() throws {
        let node = try yaml("a:\n  - x\n  - {y: 1}\n\n# far\n# away\nb: 2\n")
        #expect(node.range.short == "1:1-7:5")
        let list = try #require(node.entry("a")?.value)
        #expect(list.range.short == "2:3-3:11")
        #expect(list.elements?.map(\.range.short) == ["2:5-2:6", "3:5-3:11"])
        #expect(list.kind == "a list")
        #expect(node.kind == "a mapping")
    }

    @Test func `a part of a plain value has its own place`() throws {
        let node = try yaml("a: 12 furlongs\nb: '12 furlongs'\n")
        #expect(node.entry("a")?.value.range(of: 3..<11).short == "1:7-1:15")
        #expect(node.entry("a")?.value.range(of: 3..<999).short == "1:7-1:15")
        #expect(node.entry("b")?.value.range(of: 3..<11).short == "2:4-2:17")
    }

    @Test func `one document may have its marks`() throws {
        #expect(try yaml("%YAML 1.1\n---\na: 1\n...\n# end\n").shape == ["a": "1"])
    }

    @Test func `limits are reached, not only passed`() throws {
        let limits = YAMLLimits(
            maximumBytes: 12, maximumDepth: 2, maximumNodes: 4, maximumScalarBytes: 3)
        let file = SourceFile(name: "a", text: "{abc: [bcd]}")
        #expect(try YAMLReader.read(file, limits: limits).shape == ["abc": ["bcd"]])
    }
}
