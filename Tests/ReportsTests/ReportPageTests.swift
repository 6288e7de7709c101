import Foundation
import Notation
import Records
import Testing

@testable import Reports

struct ReportPageTests {
    @Test func `a page needs nothing but itself`() throws {
        let run = try RunReportTests.eventful()
        let text = try RunReport(run.path).page
        let page = try PageCheck(text)
        for link in page.links {
            let isInside = link.hasPrefix("#") && page.ids.contains(String(link.dropFirst()))
            let isPicture = link.hasPrefix("data:image/jpeg;base64,")
            #expect(isInside || isPicture || link == "data:,", "\(link.prefix(80))")
        }
        for word in ["url(", "@import", "fetch(", "XMLHttpRequest", "http:", "https:", "import("] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(text.contains("default-src 'none'"))
    }

    @Test func `every finding leads to a section that is there`() throws {
        let run = try RunReportTests.eventful()
        let report = try RunReport(run.path)
        let page = try PageCheck(report.page)
        let findings = try RunSummary.read(run.path).json["findings"]?.arrayValue ?? []
        #expect(findings.count >= 5)
        for finding in findings {
            let kind = try #require(
                finding["id"]?.stringValue.flatMap { Judgement.Finding.Kind(rawValue: $0) })
            #expect(page.ids.contains(kind.section))
            #expect(page.words.contains(finding["message"]?.stringValue ?? "?"))
        }
    }

    @Test func `drawings have names, tables have heads, and the text is there without a script`()
        throws
    {
        let run = try RunReportTests.eventful()
        let page = try PageCheck(RunReport(run.path).page)
        for (element, values) in page.attributes where element == "svg" || element == "canvas" {
            #expect(values["role"] == "img" && values["aria-label"]?.isEmpty == false)
        }
        for (element, values) in page.attributes where element == "th" {
            #expect(values["scope"] == "col")
        }
        #expect(page.attributes.contains { $0.element == "html" && $0.values["lang"] == "en" })
        #expect(page.elements["h1"] == 1 && page.elements["main"] == 1)
        for word in ["dropped-by-driver", "4-5", "worst deviation", "read-back 5", "61.25 degC"] {
            #expect(page.words.contains(word), "\(word)")
        }
    }

    @Test func `names of recipes and devices can't leave their place`() throws {
        let evil = "</script><script>alert(1)</script>&\"'\u{1}\u{FFFE}"
        let run = try SampleRecord(name: evil, slots: 2, steps: [evil, "</table>"])
        run.frame(SampleRecord.row(0))
        run.hole(1, .damaged)
        try run.finish()
        let text = try RunReport(run.path).page
        let page = try PageCheck(text)
        #expect(page.elements["script"] == 2)
        #expect(!text.contains("<script>alert"))
        #expect(page.words.contains("</script><script>alert(1)</script>&\"'"))
        #expect(page.words.contains("Story <camera>"))
    }

    @Test func `the same record is the same page`() throws {
        let run = try RunReportTests.eventful()
        #expect(try RunReport(run.path).page == RunReport(run.path).page)
    }
}
