import Foundation
import FoundationXML
import Testing

/// A page as a parser sees it that shares nothing with what wrote it.
final class PageCheck: NSObject, XMLParserDelegate {
    private(set) var ids: Set<String> = []
    private(set) var links: [String] = []
    private(set) var elements: [String: Int] = [:]
    /// Elements of a kind with their attributes.
    private(set) var attributes: [(element: String, values: [String: String])] = []
    private(set) var words = ""
    private(set) var data: [String: Any] = [:]
    private var dataText: String?

    /// - Throws: if the page is not well-formed, or its data is not JSON.
    init(_ page: String) throws {
        super.init()
        let parser = XMLParser(data: Data(page.utf8))
        parser.delegate = self
        let isWellFormed = parser.parse()
        try #require(
            isWellFormed, "line \(parser.lineNumber): \(String(describing: parser.parserError))")
        let json = try JSONSerialization.jsonObject(with: Data((dataText ?? "").utf8))
        data = try #require(json as? [String: Any])
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
        qualifiedName: String?, attributes values: [String: String]
    ) {
        elements[element, default: 0] += 1
        attributes.append((element, values))
        if let id = values["id"] { ids.insert(id) }
        for name in ["href", "src", "action", "data", "poster", "srcset"] {
            if let link = values[name] { links.append(link) }
        }
        if values["id"] == "data" { dataText = "" }
    }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        if element == "script", dataText?.isEmpty == false { isReading = false }
    }

    private var isReading = true

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if dataText != nil, isReading {
            dataText? += text
        } else {
            words += text
        }
    }
}
