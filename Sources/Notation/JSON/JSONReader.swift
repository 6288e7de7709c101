/// What a JSON text may cost.
public struct JSONLimits: Sendable, Hashable {
    /// Bytes of the whole text.
    public var maximumBytes: Int
    /// Arrays and objects inside each other.
    public var maximumDepth: Int

    /// Limits; the depth must lie in 1…1000, since reading and printing recurse.
    public init(maximumBytes: Int = 256 << 20, maximumDepth: Int = 128) {
        precondition((1...1000).contains(maximumDepth), "depth limit outside of 1…1000")
        self.maximumBytes = maximumBytes
        self.maximumDepth = maximumDepth
    }

    /// 256 MiB, 128 levels.
    public static let `default` = JSONLimits()
}

/// Reads JSON strictly by RFC 8259.
///
/// Beyond the grammar it refuses what would lose information: names that come twice, halves of
/// surrogate pairs, invalid UTF-8, a byte order mark. Numbers stay exact.
public enum JSONReader {
    /// Reads one JSON text that fills `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8; a slice is read in place, so JSON Lines need no copy per line.
    ///   - name: the file's name for diagnostics.
    ///   - firstLine: the number of the line on which the text begins.
    ///   - limits: refuse what is larger or deeper.
    /// - Throws: one diagnostic, at the first offence.
    public static func read(
        _ bytes: ArraySlice<UInt8>, name: String, firstLine: Int = 1, limits: JSONLimits = .default
    ) throws(DiagnosticList) -> JSONValue {
        var parser = JSONParser(bytes, name: name, firstLine: firstLine, limits: limits)
        return try parser.document()
    }

    /// Reads one JSON text from all of `bytes`.
    public static func read(
        _ bytes: [UInt8], name: String, limits: JSONLimits = .default
    ) throws(DiagnosticList) -> JSONValue {
        try read(bytes[...], name: name, limits: limits)
    }

    /// Reads one JSON text from a string.
    public static func read(
        _ text: String, name: String, limits: JSONLimits = .default
    ) throws(DiagnosticList) -> JSONValue {
        try read(Array(text.utf8)[...], name: name, limits: limits)
    }
}
