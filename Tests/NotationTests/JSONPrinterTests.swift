import Foundation
import Notation
import Testing

@Suite struct `JSON is written the same everywhere` {
    static let document: JSONValue = [
        "name": "gel \"A\"", "empty": [:], "list": [1, .decimal("0.10"), nil, true, []],
        "é": "\u{2028}", "a": ["z": 1, "b": -2], "😀": "", "\u{FFFD}": 0,
    ]

    @Test func `compact keeps the order`() {
        #expect(
            Self.document.text() == #"""
                {"name":"gel \"A\"","empty":{},"list":[1,0.10,null,true,[]],"é":"\u2028",\#
                "a":{"z":1,"b":-2},"😀":"","�":0}
                """#)
    }

    @Test func `canonical sorts by bytes`() {
        #expect(
            Self.document.text(.canonical) == #"""
                {"a":{"b":-2,"z":1},"empty":{},"list":[1,0.10,null,true,[]],"name":"gel \"A\"",\#
                "é":"\u2028","�":0,"😀":""}
                """#)
    }

    @Test func `pretty is for people`() {
        let value: JSONValue = ["a": [1, ["b": "x"]], "c": [], "d": [:]]
        #expect(
            value.text(.pretty) == """
                {
                  "a": [
                    1,
                    {
                      "b": "x"
                    }
                  ],
                  "c": [],
                  "d": {}
                }
                """)
    }

    @Test func `canonical text does not know the order of writing`() {
        let left: JSONValue = ["a": 1, "b": ["c": 2, "d": 3]]
        let right: JSONValue = ["b": ["d": 3, "c": 2], "a": 1]
        #expect(left != right)
        #expect(left.text(.canonical) == right.text(.canonical))
    }

    @Test(
        arguments: [
            (0x00, #"\u0000"#), (0x07, #"\u0007"#), (0x08, #"\b"#), (0x09, #"\t"#), (0x0A, #"\n"#),
            (0x0B, #"\u000b"#), (0x0C, #"\f"#), (0x0D, #"\r"#), (0x1B, #"\u001b"#),
            (0x1F, #"\u001f"#),
            (0x20, " "), (0x22, #"\""#), (0x2F, "/"), (0x5C, #"\\"#), (0x7E, "~"),
            (0x7F, #"\u007f"#),
            (0x80, #"\u0080"#), (0x9F, #"\u009f"#), (0xA0, "\u{A0}"), (0xE4, "ä"),
            (0x2027, "\u{2027}"),
            (0x2028, #"\u2028"#), (0x2029, #"\u2029"#), (0x202A, "\u{202A}"), (0xFFFF, "\u{FFFF}"),
            (0x1F600, "😀"),
        ] as [(UInt32, String)])
    func `the escape table`(scalar: UInt32, written: String) throws {
        let scalar = try #require(Unicode.Scalar(scalar))
        for style in JSONStyle.allCases {
            #expect(JSONValue.string("a\(scalar)b").text(style) == "\"a\(written)b\"")
        }
    }

    /// Foundation's reader shares no code with ours.
    @Test func `another reader understands every character`() throws {
        // The whole Basic Multilingual Plane, and a block of every other plane.
        let blocks = Array(0..<16) + (1...16).map { $0 << 4 | $0 % 16 }
        for block in blocks.map({ UInt32($0) << 12 }) {
            var text = ""
            for value in block..<block + 0x1000 {
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            let bytes = Data(JSONValue.string(text).utf8())
            let read = try JSONSerialization.jsonObject(with: bytes, options: .fragmentsAllowed)
            let other = try #require(read as? String)
            #expect(other.utf8.elementsEqual(text.utf8), "in the block from \(block)")
        }
    }

    @Test func `text that is no number stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = JSONValue.decimal("1,5").text()
        }
    }

    @Test func `a name twice in a literal stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = JSONObject([("a", 1), ("a", 2)])
        }
    }

    @Test(
        arguments: [
            ("12", .integer(12)), ("1.50", .decimal("1.50")), ("-0", .decimal("-0")),
            ("1,5", nil),
            ("", nil), (" 1", nil), ("1 ", nil), ("0x10", nil), ("１", nil), ("1e", nil),
        ] as [(String, JSONValue?)])
    func `numbers come from text only where the text is one`(text: String, value: JSONValue?) {
        #expect(JSONValue.number(text) == value)
    }

    @Test func `looking inside`() {
        let value: JSONValue = ["a": [1, nil], "b": .decimal("1.5"), "c": "\(1 + 1)", "d": true]
        #expect(value["a"]?[0]?.integerValue == 1)
        #expect(value["a"]?[1]?.isNull == true)
        #expect(value["a"]?[2] == nil)
        #expect(value["a"]?[-1] == nil)
        #expect(value["b"]?.numberText == "1.5")
        #expect(value["a"]?[0]?.numberText == "1")
        #expect(value["c"]?.stringValue == "2")
        #expect(value["d"]?.boolValue == true)
        #expect(value["e"] == nil)
        #expect(value["c"]?["x"] == nil)
    }

    @Test func `members are replaced in place, added at the end, and removed`() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["a"] = "new"
        object["c"] = .null
        object["b"] = nil
        object["missing"] = nil
        #expect(object.names == ["a", "c"])
        #expect(JSONValue.object(object).text() == #"{"a":"new","c":null}"#)
    }
}
