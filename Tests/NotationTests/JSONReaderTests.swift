import Notation
import Testing

@Suite struct `JSON is read strictly` {
    @Test(
        arguments: [
            ("null", nil), ("true", true), (" false\r\n\t", false), ("0", 0), ("-1", -1),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .decimal("9223372036854775808")),
            ("-9223372036854775809", .decimal("-9223372036854775809")),
            ("-0", .decimal("-0")), ("1.0", .decimal("1.0")), ("0.10", .decimal("0.10")),
            ("1E+2", .decimal("1E+2")), ("0e-0", .decimal("0e-0")), ("\"\"", ""),
            (#""\"\\\/\b\f\n\r\t\u00e4\u0000""#, "\"\\/\u{8}\u{C}\n\r\tä\0"),
            (#""\ud83d\uDE00\uffff""#, "😀\u{FFFF}"), ("\"ä測😀\u{2028}\u{7F}\"", "ä測😀\u{2028}\u{7F}"),
            ("[]", []), ("{}", [:]), ("[ ]", []), ("{ }", [:]),
            ("[1,[2],{\"a\":[]}]", [1, [2], ["a": []]]),
            ("{\"b\":1 , \"a\" : null}", ["b": 1, "a": nil]),
        ] as [(String, JSONValue)])
    func `what RFC 8259 allows is read exactly`(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(text, name: "a.json") == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nulls", "True", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "-", "--1",
        "0x1",
        "NaN", "Infinity", "-Infinity", "1 2", "[1,]", "[,1]", "[1 2]", "[", "]", "[1", "{", "}",
        "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{'a':1}", "{1:2}", "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
        "\"\\ud800\\ud800\"", "\"\\ud800\\u0041\"", "\"\\ud800x\"", "\"a\nb\"", "\"a\tb\"",
        "\"\0\"",
        "// no\n1", "[1]//", "{\"a\":1,\"a\":2}", "\u{FEFF}1", "1\0", "\u{A0}1", "'a'", "\"a\"b",
        "{\"a\":{\"b\":[1,{\"c\":}]}}",
    ])
    func `what RFC 8259 does not allow is refused`(text: String) {
        #expect(jsonComplaint(text) != "accepted")
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22],
            [0x22, 0x5C, 0x6E, 0x80, 0x22],
            [0xFE, 0xFF], [0x80],
        ] as [[UInt8]])
    func `invalid UTF-8 is refused`(bytes: [UInt8]) {
        #expect(jsonComplaint(bytes).contains(": error: "))
    }

    @Test(arguments: [
        (
            "{\"a\": 1,\n \"a\": 2}",
            """
            a.json:2:2: error: `a` comes twice in one object [duplicate-key]
                2 |  "a": 2}
                  |  ^~~
            """
        ),
        (
            "[1, 02]",
            """
            a.json:1:5: error: expected a number without leading zeros, found `0` [json-syntax]
                1 | [1, 02]
                  |     ^
            """
        ),
        (
            "[\"ä\tb\"]",
            """
            a.json:1:4: error: a tab must be escaped in a string [control-character]
                1 | ["ä b"]
                  |    ^
            hint: write `\\t`
            """
        ),
        (
            "[\"\\ud83d!\"]",
            """
            a.json:1:3: error: \\ud83d is half of a surrogate pair [lone-surrogate]
                1 | ["\\ud83d!"]
                  |   ^~~~~~
            """
        ),
        (
            "{\"a\": [1,",
            """
            a.json:1:10: error: expected a value, found the end of the text [json-syntax]
                1 | {"a": [1,
                  |          ^
            """
        ),
        (
            "[\"abc]",
            """
            a.json:1:2: error: the string that begins here never ends [json-syntax]
                1 | ["abc]
                  |  ^
            """
        ),
    ])
    func `refusals name the place`(text: String, complaint: String) {
        #expect(jsonComplaint(text) == complaint)
    }

    @Test func `invalid bytes are shown where they are`() {
        let bytes = Array("[\"ä".utf8) + [0xFF] + Array("\"]".utf8)
        #expect(
            jsonComplaint(bytes) == """
                a.json:1:4: error: the text is not valid UTF-8 here [invalid-utf8]
                    1 | ["ä\u{FFFD}"]
                      |    ^
                """)
    }

    @Test func `deep nesting ends at the limit`() {
        let deep = { (depth: Int) in
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(jsonComplaint(deep(128)) == "accepted")
        #expect(jsonComplaint(deep(129)).contains("[nesting-too-deep]"))
        #expect(jsonComplaint(String(repeating: "[", count: 1_000_000)).contains(":1:129: error: "))
        #expect(
            jsonComplaint(deep(3), limits: JSONLimits(maximumDepth: 2)).contains(":1:3: error: "))
    }

    @Test func `too many bytes are refused before they are read`() {
        let limits = JSONLimits(maximumBytes: 4)
        #expect(jsonComplaint("1234", limits: limits) == "accepted")
        #expect(
            jsonComplaint("\u{1}1234", limits: limits)
                == """
                a.json:1:1: error: 5 bytes of JSON exceed the limit of 4 [file-too-large]
                    1 | \u{FFFD}1234
                      | ^
                """)
    }

    @Test func `a name that comes twice is found in large objects as well`() {
        let members = (0..<100).map { "\"n\($0)\":\($0)" }
        #expect(jsonComplaint("{\(members.joined(separator: ","))}") == "accepted")
        for repeated in [0, 15, 16, 17, 98] {
            let text = "{\(members.joined(separator: ",")),\"n\(repeated)\":1}"
            #expect(jsonComplaint(text).contains("`n\(repeated)` comes twice"))
        }
    }

    @Test func `a line in the middle of a file knows its number`() throws {
        let bytes = Array("{\"a\":1}\n{\"a\":x}\n".utf8)
        let line = bytes[8..<15]
        let list = #expect(throws: DiagnosticList.self) {
            try JSONReader.read(line, name: "events.jsonl", firstLine: 2)
        }
        #expect(
            list?.description
                == "events.jsonl:2:6: error: expected a value, found `x` [json-syntax]")
    }
}
