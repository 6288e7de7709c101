import Testing

@testable import Notation

/// Texts of files and devices as a terminal gets them.
struct VisibleTextTests {
    @Test(arguments: [
        ("\u{1B}[2J", "\\u{1b}[2J"), ("a\u{7}b", "a\\u{7}b"), ("\u{7F}", "\\u{7f}"),
        ("\u{9B}31m", "\\u{9b}31m"), ("\r", "\\u{d}"), ("\0", "\\u{0}"),
    ])
    func `what a terminal would act on is written out`(text: String, shown: String) {
        #expect(text.forTerminal == shown)
        #expect(text.withVisibleControls == shown)
    }

    @Test(arguments: ["plain", "a\tb\nc", "µ ± ≤ 中文", "क्\u{200D}ष"])
    func `all other text stays as it is`(text: String) {
        #expect(text.forTerminal == text)
    }

    @Test func `what reorders a line is written out in messages, and a message has one line`() {
        #expect("a\u{202E}b\u{2066}c\nd".withVisibleControls == "a\\u{202e}b\\u{2066}c\\u{a}d")
        #expect("क्\u{200D}ष".withVisibleControls == "क्\u{200D}ष")
    }
}
