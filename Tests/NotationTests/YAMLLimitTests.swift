import Notation
import Testing

@Suite struct `YAML limits and encodings` {
    @Test func `a file over the limit is refused before anything else`() {
        let bytes = [0xFF] + Array(repeating: UInt8(ascii: "a"), count: 1 << 20)
        #expect(
            yamlComplaint(bytes).hasPrefix(
                """
                a.yaml:1:1: error: the file has 1048577 bytes, more than the limit of 1048576 \
                [file-too-large]
                """))
        #expect(yamlComplaint(String(repeating: "#", count: 1 << 20)).contains("[empty-file]"))
    }

    @Test func `a value over the limit is refused, and reading goes on`() {
        let limits = YAMLLimits(maximumScalarBytes: 4)
        #expect(
            yamlComplaint("a: äöü\nb: abcd\nc: *x\n", limits: limits) == """
                a.yaml:1:4: error: a value of 6 bytes exceeds the limit of 4 [scalar-too-long]
                    1 | a: äöü
                      |    ^
                a.yaml:3:4: error: anchors and aliases are not allowed [anchor]
                    3 | c: *x
                      |    ^~
                hint: write the value out where it is used; to begin a text with `&` or `*`, put the text \
                in quotes
                """)
    }

    @Test func `the node that is one too many is named`() {
        let limits = YAMLLimits(maximumNodes: 5)
        #expect(
            yamlComplaint("a: [1, 2, 3]", limits: limits) == """
                a.yaml:1:11: error: the file has more than 5 keys and values [too-many-nodes]
                    1 | a: [1, 2, 3]
                      |           ^
                """)
        #expect(yamlComplaint("a: [1, 2, 3]", limits: YAMLLimits(maximumNodes: 6)) == "accepted")
    }

    @Test func `the level that is one too deep is named`() {
        let limits = YAMLLimits(maximumDepth: 2)
        #expect(
            yamlComplaint("a: [{}]\n", limits: limits) == """
                a.yaml:1:5: error: more than 2 lists and mappings inside each other [nesting-too-deep]
                    1 | a: [{}]
                      |     ^
                """)
        #expect(yamlComplaint("a: [1]\n", limits: limits) == "accepted")
    }

    @Test func `the default depth is 64`() {
        let nested = { (depth: Int) in
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(yamlComplaint(nested(64)) == "accepted")
        #expect(yamlComplaint(nested(65)).contains("1:65: error: more than 64 "))
    }

    @Test func `a byte that is not UTF-8 is shown where it is`() {
        #expect(
            yamlComplaint(Array("a: 1\nb: ä".utf8) + [0xFF, 0x0A]) == """
                a.yaml:2:5: error: byte 0xFF is not valid UTF-8 here [invalid-utf8]
                    2 | b: ä\u{FFFD}
                      |     ^
                hint: save the file as UTF-8
                """)
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61], [0xFF, 0xFE],
        ] as [[UInt8]])
    func `UTF-16 is refused by name`(bytes: [UInt8]) {
        #expect(yamlComplaint(bytes).hasPrefix("a.yaml:1:1: error: the file is encoded in UTF-16 "))
    }

    @Test(
        arguments: [
            [0x61, 0x3A, 0x20, 0xC0, 0x80], [0x61, 0x3A, 0x20, 0xED, 0xA0, 0x80],
            [0x61, 0x3A, 0x20, 0xF4, 0x90, 0x80, 0x80], [0x61, 0x3A, 0x20, 0xE2, 0x82],
        ] as [[UInt8]])
    func `overlong forms, surrogates and cut characters are not UTF-8`(bytes: [UInt8]) {
        #expect(yamlComplaint(bytes).hasPrefix("a.yaml:1:4: error: byte 0x"))
    }

    @Test(arguments: ["\u{1}", "\u{7F}", "\u{80}", "\u{9F}", "\u{FFFE}", "\u{FFFF}"])
    func `characters outside of YAML's set are refused`(character: String) {
        #expect(yamlComplaint("ä: x\(character)").hasPrefix("a.yaml:1:5: error: character U+"))
    }

    @Test(arguments: ["\u{85}", "\u{A0}", "\u{FFFD}", "\u{10FFFF}", "\u{E000}", "\t"])
    func `characters inside of YAML's set are accepted`(character: String) {
        #expect(yamlComplaint("ä: \"x\(character)y\"") == "accepted")
    }

    @Test func `a file of a hundred thousand errors shows twenty`() {
        let text = "[" + String(repeating: "&a x,", count: 90_000) + "]"
        let lines = yamlComplaint(text).split(separator: "\n")
        #expect(lines.count { $0.contains(": error: ") } == 20)
        #expect(lines.last == "… and 80 more")
    }
}
