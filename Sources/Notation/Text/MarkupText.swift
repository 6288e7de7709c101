extension String {
    /// The text as it stands between tags and in quoted attributes of HTML and XML.
    ///
    /// The five characters that both give a meaning become references (HTML Living Standard, section 13.1.4; XML 1.0,
    /// section 2.4).
    public var escapedForMarkup: String {
        var result = String.UnicodeScalarView()
        // By scalars: `<` with a mark that combines with it is another character, and a browser's tag all the same.
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.append(contentsOf: "&#39;".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// The same, without what no page and no XML may hold.
    ///
    /// Control characters but tab and line feed, and the code points that are no characters, become U+FFFD: XML allows
    /// none of them, not even escaped.
    package var markup: String {
        let scalars = unicodeScalars.map { scalar in
            let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n"
            let isOutside = scalar.value & 0xFFFE == 0xFFFE || (0x7F...0x9F).contains(scalar.value)
            return isControl || isOutside ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars)).escapedForMarkup
    }
}
