internal import Notation

/// How two texts of many lines differ: how many lines each has, and the first that differs.
struct LineComparison {
    private(set) var linesA: Int64 = 0
    private(set) var linesB: Int64 = 0
    /// Lines of the same number that differ; those that only the longer text has are none of them.
    private(set) var differing: Int64 = 0
    /// The first line at which they differ, and what each has there; nil where one has ended.
    private(set) var first: (number: Int64, a: String?, b: String?)?

    /// Compares two files.
    ///
    /// - Throws: ``StorageError`` where one can't be read.
    init(_ a: String, _ b: String) throws(StorageError) {
        let (readerA, readerB) = (try LineReader(a), try LineReader(b))
        while true {
            let (lineA, lineB) = (try readerA.next(), try readerB.next())
            if lineA == nil, lineB == nil { return }
            if lineA != nil { linesA += 1 }
            if lineB != nil { linesB += 1 }
            guard lineA?.bytes != lineB?.bytes else { continue }
            if lineA != nil, lineB != nil { differing += 1 }
            if first == nil { first = (max(linesA, linesB), lineA?.text, lineB?.text) }
        }
    }

    var json: JSONValue {
        func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        let first: JSONValue =
            first.map { ["line": .integer($0.number), "a": text($0.a), "b": text($0.b)] } ?? .null
        return [
            "lines_a": .integer(linesA), "lines_b": .integer(linesB),
            "differing": .integer(differing), "first": first,
        ]
    }

    /// The first line of each that differs.
    var lines: [String] {
        guard let first else { return [] }
        let rest = linesA == linesB ? "" : " (A has \(linesA), B has \(linesB))"
        return [
            "lines that differ: \(differing)\(rest), the first is line \(first.number):",
            "  A \(first.a ?? "has ended")", "  B \(first.b ?? "has ended")",
        ]
    }
}
