import Notation
import Testing

struct MarkupTextTests {
    @Test func `a name cannot leave its place in a page`() {
        #expect(
            "<b onclick='x'>\"a\" & b</b>".escapedForMarkup
                == "&lt;b onclick=&#39;x&#39;&gt;&quot;a&quot; &amp; b&lt;/b&gt;")
        // With a mark that combines with it, the bracket opens a tag all the same.
        #expect(
            "<\u{338}b>".escapedForMarkup.unicodeScalars.starts(with: "&lt;\u{338}b".unicodeScalars)
        )
    }
}
