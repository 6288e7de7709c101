import Notation

/// What reading one file shares: what was found wrong, the parameters, and what is being read at the moment.
///
/// Lives only as long as one call of a decoder, on one thread. Forms report here and go on, so that one reading finds
/// all independent errors; a decoder hands out its value only where nothing was reported.
final class DecodingContext {
    /// The file.
    let source: SourceFile
    /// Everything found wrong so far.
    private(set) var diagnostics: [Diagnostic] = []
    /// What `$name` stands for; nil in files without parameters, where a text with `$` is a text.
    ///
    /// Set by ``RecipeDecoder`` once `parameters` was read, and before anything else is.
    var parameters: ParameterTable?
    /// What is being read, for messages: a key in backticks.
    ///
    /// Messages begin with it (`` `rate` takes … ``), which keeps forms free of the names of their keys.
    private(set) var subject = "the file"
    /// A word that could stand here instead, named in hints; nil for none.
    private var alternative: String?

    init(_ source: SourceFile) {
        self.source = source
    }

    // MARK: Where we are

    /// Reads something under a name; messages of `read` begin with it.
    ///
    /// Names do not add up: the innermost counts, and the outer one comes back afterwards.
    func reading<Value>(_ subject: String, _ read: () -> Value) -> Value {
        let (outer, outerAlternative) = (self.subject, alternative)
        self.subject = subject
        alternative = nil
        defer { (self.subject, alternative) = (outer, outerAlternative) }
        return read()
    }

    /// Reads something in whose place a word could stand, for example `current`.
    ///
    /// Who wrote another word there gets it as a hint beside the form's own.
    func offering<Value>(_ word: String, _ read: () -> Value) -> Value {
        let outer = alternative
        alternative = word
        defer { alternative = outer }
        return read()
    }

    // MARK: Saying what is wrong

    /// Takes a diagnostic down as it is, for places outside the file such as the command line.
    func report(_ diagnostic: Diagnostic) {
        diagnostics.append(diagnostic)
    }

    /// Takes an error down; ids are stable words that programs and tests rely on.
    ///
    /// - Parameters:
    ///   - id: for example `out-of-range`.
    ///   - range: the place in the file.
    ///   - message: lower-case, without full stop.
    ///   - notes: other places that explain it.
    ///   - hint: what to write instead; nil for nothing.
    func report(
        _ id: String, at range: SourceRange, _ message: String, notes: [Diagnostic.Note] = [],
        hint: String? = nil
    ) {
        report(Diagnostic(id, at: range, in: source.name, message, notes: notes, hint: hint))
    }

    /// A second place in this file, to be shown beside a diagnostic.
    func note(_ message: String, at range: SourceRange) -> Diagnostic.Note {
        Diagnostic.Note(message, at: range, in: source.name)
    }

    /// A scalar that is not what it should be.
    ///
    /// The part that is meant is underlined. Where the text came from a parameter, the use is shown instead, with the
    /// place of the value as a note: the text itself is not there.
    func report(_ problem: QuantityProblem, in scalar: ResolvedScalar) {
        var hint = problem.hint
        // Who wrote a word may have meant the other one.
        if let alternative, scalar.text.first?.isLetter == true {
            hint = (hint.map { $0 + ", or " } ?? "write ") + "`\(alternative)`"
        }
        guard let parameter = scalar.parameter else {
            report(problem.id, at: scalar.node.range(of: problem.part), problem.message, hint: hint)
            return
        }
        report(
            problem.id, at: scalar.node.range,
            "`$\(parameter.name)` does not fit here: \(problem.message)",
            notes: [parameter.note], hint: hint)
    }

    /// The known word that was most likely meant.
    ///
    /// Not sought after the first hundred errors: only twenty are shown, and a file may have thousands.
    func nearest(to word: String, in known: [String]) -> String? {
        diagnostics.count < 100 ? nearestWord(to: word, in: known) : nil
    }

    /// An unknown word, with the nearest one that is known.
    ///
    /// - Parameters:
    ///   - id: for example `unknown-word`.
    ///   - scalar: the word.
    ///   - known: what could have been meant.
    ///   - message: what is taken, without the word, which is added.
    ///   - hint: where no known word is near; nil for nothing.
    func reportUnknown(
        _ id: String, _ scalar: ResolvedScalar, among known: [String], _ message: String,
        otherwise hint: String? = nil
    ) {
        let count = scalar.text.unicodeScalars.count
        let near = nearest(to: scalar.text, in: known)
        report(
            QuantityProblem(
                id, "\(message), not \(Diagnostic.quote(scalar.text))",
                hint: near.map { "did you mean `\($0)`?" } ?? hint, part: 0..<count), in: scalar)
    }

    /// A node of another kind than is wanted here: nothing, a scalar, a list or a mapping.
    ///
    /// - Parameter wanted: with article, after "takes".
    func reportKind(_ node: YAMLNode, wanted: String) {
        let wanted = alternative.map { "\(wanted) or `\($0)`" } ?? wanted
        if node.isEmpty {
            report(
                "missing-value", at: node.range, "\(subject) has no value; it takes \(wanted)")
        } else if let scalar = node.scalar {
            report(
                "wrong-kind", at: node.range,
                "\(subject) takes \(wanted), not \(Diagnostic.quote(scalar.text))")
        } else {
            report(
                "wrong-kind", at: SourceRange(at: node.range.start, columns: 1),
                "\(subject) takes \(wanted), not \(node.kind)", hint: hint(node, wanted: wanted))
        }
    }

    /// How a list is written, where a mapping stands in its place: a forgotten dash is the usual mistake.
    private func hint(_ node: YAMLNode, wanted: String) -> String? {
        guard node.entries != nil, wanted.hasPrefix("a list") else { return nil }
        return "begin each entry of the list with `- `"
    }

    // MARK: Nodes

    /// The text of a scalar with its parameter put in; reports another kind of node.
    ///
    /// - Returns: nil where there is no text, or its parameter has no value; both are reported.
    func scalar(_ node: YAMLNode, wanted: String) -> ResolvedScalar? {
        guard let scalar = node.scalar, !node.isEmpty else {
            reportKind(node, wanted: wanted)
            return nil
        }
        guard let parameters, scalar.text.hasPrefix("$") else {
            return ResolvedScalar(text: scalar.text, node: node, parameter: nil)
        }
        return parameters.resolve(scalar.text, node: node, context: self)
    }

    /// The text of a scalar, parameter put in; nil, and nothing reported, for anything else.
    func text(of node: YAMLNode) -> String? {
        guard let text = node.scalar?.text else { return nil }
        return parameters?.value(of: text) ?? text
    }

    /// The elements of a list, if it is one and of a length within `count`; else nil, and reported.
    ///
    /// Refused before any element is read, so that a list of a million costs one message.
    func elements(of node: YAMLNode, count: ClosedRange<Int>) -> [YAMLNode]? {
        guard let elements = node.elements else {
            reportKind(node, wanted: "a list")
            return nil
        }
        if count.contains(elements.count) { return elements }
        let start = SourceRange(at: node.range.start, columns: 1)
        if elements.count < count.lowerBound {
            report(
                "list-length", at: start,
                elements.isEmpty
                    ? "\(subject) is an empty list"
                    : "\(subject) needs at least \(count.lowerBound) entries")
        } else {
            report(
                "list-length", at: start,
                "\(subject) has \(elements.count) entries; the limit is \(count.upperBound)")
        }
        return nil
    }
}

/// A scalar's text, after `$name` has been replaced.
struct ResolvedScalar {
    /// The text.
    let text: String
    /// Where it stands in the file; of a parameter, where it is used.
    let node: YAMLNode
    /// The parameter that it comes from; nil for a text that stands there itself.
    let parameter: ParameterTable.Parameter?
}
