extension String {
    /// The text as it stands between tags and in quoted attributes of HTML.
    ///
    /// The five characters that HTML gives a meaning become references (HTML Living Standard, section 13.1.4).
    public var escapedForHTML: String {
        var result = ""
        result.reserveCapacity(utf8.count)
        for character in self {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }
}
