extension String {
    /// The text with control and direction-changing characters written out, fit for one terminal line.
    ///
    /// Messages quote what a file holds; without this a file could move the cursor or reorder the line.
    var withVisibleControls: String { escaped { $0.isInvisibleControl } }

    /// Text of any lines as a terminal may have it: control characters as escapes, line ends and tabs as they are.
    ///
    /// JSON has none of them, so it stays what it is.
    package var forTerminal: String {
        escaped {
            ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7F...0x9F).contains($0.value)
        }
    }

    private func escaped(where isEscaped: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        var visible = ""
        for scalar in unicodeScalars {
            if isEscaped(scalar) {
                visible += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }
}

extension Unicode.Scalar {
    /// Whether a terminal would act on the scalar instead of showing it.
    ///
    /// The joiners U+200C and U+200D belong to ordinary words and emoji and stay as they are.
    var isInvisibleControl: Bool {
        if value < 0x7F { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
        case .format: return value != 0x200C && value != 0x200D
        default: return false
        }
    }

    /// Terminal cells that the scalar takes: 0 for combining marks, 2 for wide characters, else 1.
    ///
    /// - Note: Source: Unicode Standard Annex 11 (East Asian Width W and F), in blocks rather than
    ///   singly; emoji by their `Emoji_Presentation` property.
    var cellCount: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            return 2
        default:
            return properties.isEmojiPresentation ? 2 : 1
        }
    }
}
