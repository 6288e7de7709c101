extension BinaryInteger {
    /// So many, with the noun in its number: `1 frame`, `2 frames`.
    ///
    /// For nouns whose plural ends in `s`.
    package func of(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
