import Reports
import Testing

struct HTMLTextTests {
    @Test func `a name cannot leave its place in a page`() {
        #expect(
            "<b onclick='x'>\"a\" & b</b>".escapedForHTML
                == "&lt;b onclick=&#39;x&#39;&gt;&quot;a&quot; &amp; b&lt;/b&gt;")
    }
}
