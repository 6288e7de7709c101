import Notation
import Testing

/// Each thing that the reader refuses, and the words in which it does.
@Suite struct `YAML is refused in clear words` {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let complaint: String

        init(_ testDescription: String, _ text: String, _ complaint: String) {
            self.testDescription = testDescription
            self.text = text
            self.complaint = complaint
        }
    }

    @Test(arguments: cases)
    func `a refusal`(refusal: Case) {
        #expect(yamlComplaint(refusal.text) == refusal.complaint)
    }

    static let cases: [Case] = [
        Case(
            "an anchor and its alias", "a: &x 1\nb: *x\n",
            """
            a.yaml:1:4: error: anchors and aliases are not allowed [anchor]
                1 | a: &x 1
                  |    ^~
            hint: write the value out where it is used; to begin a text with `&` or `*`, put the text in quotes
            a.yaml:2:4: error: anchors and aliases are not allowed [anchor]
                2 | b: *x
                  |    ^~
            hint: write the value out where it is used; to begin a text with `&` or `*`, put the text in quotes
            """),
        Case(
            "a tag", "when: !!int 8 ms\n",
            """
            a.yaml:1:7: error: tags (`!name`) are not allowed [tag]
                1 | when: !!int 8 ms
                  |       ^~~~~
            hint: remove it; to begin a text with `!`, put the text in quotes
            """),
        Case(
            "a tag of an unknown family", "a: !x!y 1\n",
            """
            a.yaml:1:4: error: tags (`!name`) are not allowed [tag]
                1 | a: !x!y 1
                  |    ^
            hint: remove it; to begin a text with `!`, put the text in quotes
            """),
        Case(
            "a merge key", "base: {a: 1}\nuse:\n  <<: {b: 2}\n",
            """
            a.yaml:3:3: error: merge keys (`<<`) are not allowed [merge-key]
                3 |   <<: {b: 2}
                  |   ^~
            hint: write the keys out where they are used
            """),
        Case(
            "keys that come twice", "name: a\ncamera: {use: x,\n  use: y}\nname: b\n",
            """
            a.yaml:3:3: error: key `use` comes twice in one mapping [duplicate-key]
                3 |   use: y}
                  |   ^~~
            a.yaml:2:10: note: first use of `use`
            hint: remove one of the two
            a.yaml:4:1: error: key `name` comes twice in one mapping [duplicate-key]
                4 | name: b
                  | ^~~~
            a.yaml:1:1: note: first use of `name`
            hint: remove one of the two
            """),
        Case(
            "a list as a key", "? [a, b]\n: 1\n",
            """
            a.yaml:1:3: error: a key must be a word, not a list [non-scalar-key]
                1 | ? [a, b]
                  |   ^
            hint: to use a value that begins with `{` or `[` as text, put it in quotes
            """),
        Case(
            "a mapping as a key", "{{a: b}: c}\n",
            """
            a.yaml:1:2: error: a key must be a word, not a mapping [non-scalar-key]
                1 | {{a: b}: c}
                  |  ^
            hint: to use a value that begins with `{` or `[` as text, put it in quotes
            """),
        Case(
            "a second document", "a: 1\n---\nb: 2\n",
            """
            a.yaml:2:1: error: a second document begins here; a file holds one [several-documents]
                2 | ---
                  | ^~~
            hint: remove the `---`, or put what follows into a file of its own
            """),
        Case(
            "an empty file", "",
            """
            a.yaml:1:1: error: the file contains no YAML, or only comments [empty-file]
                1 |
                  | ^
            """),
        Case(
            "nothing but comments", "# nothing here\n\n",
            """
            a.yaml:1:1: error: the file contains no YAML, or only comments [empty-file]
                1 | # nothing here
                  | ^
            """),
        Case(
            "nothing but the mark of a document", "---\n",
            """
            a.yaml:1:1: error: the file contains no YAML, or only comments [empty-file]
                1 | ---
                  | ^
            """),
        Case(
            "a tab as indentation", "camera:\n\tuse: x\n",
            """
            a.yaml:2:1: error: a tab cannot indent YAML [yaml-syntax]
                2 |     use: x
                  | ^~~~
            hint: indent with spaces
            """),
        Case(
            "a value with a reserved first character", "name: @home\n",
            """
            a.yaml:1:7: error: `@` cannot begin a value [yaml-syntax]
                1 | name: @home
                  |       ^
            hint: put the value in quotes
            """),
        Case(
            "a colon in a value", "name: rate: 5\n",
            """
            a.yaml:1:11: error: a `:` is not allowed here [yaml-syntax]
                1 | name: rate: 5
                  |           ^
            hint: put a value that contains `: ` in quotes, and check the indentation
            """),
        Case(
            "a bracket that is never closed", "size: [64, 48\nname: x\n",
            """
            a.yaml:2:5: error: expected `,` or `]` here [yaml-syntax]
                2 | name: x
                  |     ^
            a.yaml:1:7: note: in the list in brackets that begins here
            hint: check that the list is closed and has all commas
            """),
        Case(
            "a brace that is never closed", "size: {a: 64\nname: x\n",
            """
            a.yaml:2:5: error: expected `,` or `}` here [yaml-syntax]
                2 | name: x
                  |     ^
            a.yaml:1:7: note: in the mapping in braces that begins here
            hint: check that the mapping is closed and has all commas
            """),
        Case(
            "a quote that is never closed", "a: 1\nname: \"abc\nb: 2\n",
            """
            a.yaml:2:7: error: the quote that opens here is never closed [yaml-syntax]
                2 | name: "abc
                  |       ^
            """),
        Case(
            "a key out of line", "a:\n   b: 1\n  c: 2\n",
            """
            a.yaml:3:3: error: expected a key here [yaml-syntax]
                3 |   c: 2
                  |   ^
            a.yaml:1:1: note: in the mapping that begins here
            hint: keys of one mapping begin in the same column
            """),
        Case(
            "a list entry out of line", "a:\n  - b\n  c\n",
            """
            a.yaml:3:3: error: this line is no `key: value` [yaml-syntax]
                3 |   c
                  |   ^
            hint: write a space after the colon, or check the indentation
            """),
        Case(
            "a key without its colon", "a: 1\nb\nc: 2\n",
            """
            a.yaml:2:1: error: this line is no `key: value` [yaml-syntax]
                2 | b
                  | ^
            hint: write a space after the colon, or check the indentation
            """),
        Case(
            "a bracket that was never opened", "a: 1\nb: ]\n",
            """
            a.yaml:2:4: error: expected a value here [yaml-syntax]
                2 | b: ]
                  |    ^
            """),
        Case(
            "a NUL byte", "a: 1\u{0}\n",
            """
            a.yaml:1:5: error: the file contains a NUL byte [nul-byte]
                1 | a: 1\u{FFFD}
                  |     ^
            hint: this may be no text file, or one that is not encoded in UTF-8
            """),
        Case(
            "a NUL in a quoted text", "a: \"x\\0y\"\n",
            """
            a.yaml:1:4: error: a text cannot contain the character NUL (`\\0`) [nul-byte]
                1 | a: "x\\0y"
                  |    ^~~~~~
            """),
        Case(
            "an escape character", "ä: \u{1b}[2J\n",
            """
            a.yaml:1:4: error: character U+001B is not allowed in YAML [control-character]
                1 | ä: \u{FFFD}[2J
                  |    ^
            hint: remove it; in a text that needs it, write an escape in double quotes
            """),
        Case(
            "an unknown escape", "a: \"\\q\"\n",
            """
            a.yaml:1:5: error: this is no escape that YAML knows [yaml-syntax]
                1 | a: "\\q"
                  |     ^
            a.yaml:1:4: note: in the quoted text that begins here
            hint: write a backslash in double quotes as `\\\\`, or use single quotes
            """),
        Case(
            "half of a surrogate pair", "a: \"\\ud800\"\n",
            """
            a.yaml:1:7: error: found invalid Unicode character escape code [yaml-syntax]
                1 | a: "\\ud800"
                  |       ^
            a.yaml:1:4: note: in the quoted text that begins here
            """),
        Case(
            "a version of YAML to come", "%YAML 3.0\n---\na: 1\n",
            """
            a.yaml:1:1: error: this version of YAML is not known [yaml-syntax]
                1 | %YAML 3.0
                  | ^
            hint: remove the line; 1.1 and 1.2 are read
            """),
    ]
}
