internal import Notation

/// A YAML text in which values are set in place; what is not spoken of stays byte for byte.
///
/// A value for one state of the text: each change gives a new ``SourceFile``, which is read again before the next
/// change, so that places are never those of an older text.
struct ProfileText {
    /// Bytes to put in the place of others; an empty range inserts.
    struct Splice {
        var bytes: Range<Int>
        var text: String
    }

    let source: SourceFile
    let root: YAMLNode

    /// Reads the text and keeps the places of its nodes.
    ///
    /// - Throws: ``CalibrationError`` with what makes the text no YAML.
    init(_ source: SourceFile) throws(CalibrationError) {
        self.source = source
        do throws(DiagnosticList) {
            root = try YAMLReader.read(source)
        } catch {
            throw CalibrationError(error.description, .profile)
        }
    }

    /// Sets the value at a path of keys, or takes the key away; missing keys are added.
    ///
    /// - Parameters:
    ///   - path: keys from the root, outermost first; at least one.
    ///   - value: nil takes the innermost key away; a key that is not there stays away.
    /// - Returns: the new text, or the same where it has that already.
    /// - Throws: ``CalibrationError`` where a key on the way holds no mapping, and where the old value can't be
    ///   replaced without losing comments or layout.
    func setting(_ path: [String], to value: ProfileValue?) throws(CalibrationError) -> SourceFile {
        var node = root
        for (index, key) in path.enumerated() {
            if let entry = node.entry(key), index < path.count - 1 {
                node = entry.value
                continue
            }
            guard node.entries != nil else {
                throw CalibrationError(
                    "\(source.name):\(node.range.start): \(path.prefix(index).joined(separator: "."))"
                        + " is no mapping, so it can't hold \(key)", .profile)
            }
            let rest = path.dropFirst(index + 1)
            let whole = value.map { value in
                rest.reversed().reduce(value) { .mapping([.init(key: $1, value: $0)]) }
            }
            return applying(try changes(of: node, setting: key, to: whole))
        }
        return source
    }

    /// Puts comments above the line on which the path's innermost key begins a line, in place of those with that mark.
    ///
    /// Only the block of comment lines directly above that line is searched for old ones; other comments in it stay
    /// where they are. A key inside braces has no line of its own, so the comments go above the mapping's.
    ///
    /// - Parameters:
    ///   - path: keys from the root.
    ///   - comments: whole comments with their `#`, without indentation.
    ///   - mark: how the comments of this figure begin (``MeasurementSource/mark(_:)``).
    func noting(_ path: [String], _ comments: [String], mark: String) -> SourceFile {
        var (node, key) = (root, root.entries?.first?.keyRange)
        for name in path {
            guard let entry = node.entry(name), !isFlow(node) else { break }
            (node, key) = (entry.value, entry.keyRange)
        }
        guard let key, let line = source.byteRange(ofLine: key.start.line) else { return source }
        let indent = String(repeating: " ", count: key.start.column - 1)
        var splices = [
            Splice(
                bytes: line.lowerBound..<line.lowerBound,
                text: comments.map { indent + $0 + lineEnd }.joined())
        ]
        var number = key.start.line - 1
        while let above = source.line(number), above.trimmed.hasPrefix("#") {
            if above.trimmed.hasPrefix(mark) {
                splices.append(Splice(bytes: wholeLine(number), text: ""))
            }
            number -= 1
        }
        return applying(splices)
    }

    // MARK: Places

    /// Whether a collection is written in braces or brackets: nothing else begins with them.
    func isFlow(_ node: YAMLNode) -> Bool {
        guard node.scalar == nil else { return false }
        let start = source.byteRange(of: node.range).lowerBound
        return start < source.bytes.count
            && [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(source.bytes[start])
    }

    /// How the text ends its lines: as the first one ends, CR LF or LF.
    var lineEnd: String {
        guard let end = source.bytes.firstIndex(of: 0x0A) else { return "\n" }
        return end > 0 && source.bytes[end - 1] == 0x0D ? "\r\n" : "\n"
    }

    /// A line with its line end; behind the last line, the empty range at the end of the text.
    ///
    /// - Parameter number: from 1, as places in YAML count.
    func wholeLine(_ number: Int) -> Range<Int> {
        guard let line = source.byteRange(ofLine: number) else {
            return source.bytes.count..<source.bytes.count
        }
        let next = source.byteRange(ofLine: number + 1)?.lowerBound ?? source.bytes.count
        return line.lowerBound..<max(line.upperBound, next)
    }

    func text(_ bytes: Range<Int>) -> String {
        String(decoding: source.bytes[bytes], as: UTF8.self)
    }

    /// The text with its splices done; their ranges do not overlap.
    private func applying(_ splices: [Splice]) -> SourceFile {
        var bytes = source.bytes
        // From the end, so that places stay true; of two at one place the insertion comes first.
        let order = splices.enumerated().sorted {
            ($0.element.bytes.lowerBound, $0.element.bytes.upperBound, $0.offset)
                < ($1.element.bytes.lowerBound, $1.element.bytes.upperBound, $1.offset)
        }
        for (_, splice) in order.reversed() {
            bytes.replaceSubrange(splice.bytes, with: Array(splice.text.utf8))
        }
        return SourceFile(name: source.name, bytes: bytes)
    }
}

extension String {
    /// Without spaces and tabs at its start.
    fileprivate var trimmed: Substring { drop { $0 == " " || $0 == "\t" } }
}
