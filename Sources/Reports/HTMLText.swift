extension String {
    /// The text as it stands between tags and in quoted attributes of HTML.
    ///
    /// The five characters that HTML gives a meaning become references (HTML Living Standard, section 13.1.4).
    public var escapedForHTML: String {
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
}
