/// Builds nodes from events, and collects what is refused on the way.
///
/// What can be skipped (an alias, a tag, a second use of a key) is noted and reading goes on, so that
/// one run shows every error; syntax errors and limits end it.
struct YAMLTreeBuilder {
    /// Reading ended early; the reason is the last of `diagnostics`.
    private struct Stop: Error {}

    /// Refusals after which reading ends; many more than are shown, few enough to cost nothing.
    private static let maximumRefusals = 100

    private let file: SourceFile
    private let limits: YAMLLimits
    /// Where the events come from; asked on until the end or the first failure.
    private let events: YAMLEventStream
    /// Nodes so far, keys among them; held against the limit.
    private var nodeCount = 0
    /// What was refused so far, in the order of finding; the list that is thrown sorts them.
    private(set) var diagnostics: [Diagnostic] = []

    init(file: SourceFile, limits: YAMLLimits, events: YAMLEventStream) {
        self.file = file
        self.limits = limits
        self.events = events
    }

    /// The root of the only document; nil where reading ended early.
    mutating func document() -> YAMLNode? {
        do throws(Stop) {
            return try onlyDocument()
        } catch {
            return nil
        }
    }

    /// Reads the stream from its start to its end, and refuses one without a document or with several.
    private mutating func onlyDocument() throws(Stop) -> YAMLNode {
        _ = try next()  // the start of the stream
        guard case .documentStart = try next().kind else { throw stop(.emptyFile(file)) }
        let root = try node(try next(), depth: 0)
        _ = try next()  // the end of the document
        let following = try next()
        if case .streamEnd = following.kind {
            if root.isEmpty { throw stop(.emptyFile(file)) }
            return root
        }
        throw stop(
            Diagnostic(
                "several-documents", at: tokenRange(at: following.scalars.lowerBound),
                in: file.name, "a second document begins here; a file holds one",
                hint: "remove the `---`, or put what follows into a file of its own"))
    }

    // MARK: Nodes

    /// Reads the node that an event begins.
    ///
    /// Something that is refused and can be passed over becomes an empty scalar, so that reading goes on.
    ///
    /// - Parameter depth: sequences and mappings around it; also bounds the recursion.
    private mutating func node(_ event: YAMLEvent, depth: Int) throws(Stop) -> YAMLNode {
        try count(event)
        refuseProperties(of: event)
        let range = range(event.scalars)
        switch event.kind {
        case .scalar(let scalar):
            refuseNUL(in: scalar, at: range)
            return YAMLNode(range: range, content: .scalar(scalar))
        case .oversizedScalar(let byteCount):
            refuse(
                "scalar-too-long", at: SourceRange(at: range.start),
                "a value of \(byteCount) bytes exceeds the limit of \(limits.maximumScalarBytes)")
        case .alias:
            refuseAnchor(at: range)
        case .sequenceStart(let isFlow):
            return try sequence(event, isFlow: isFlow, depth: depth + 1)
        case .mappingStart(let isFlow):
            return try mapping(event, isFlow: isFlow, depth: depth + 1)
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
            // libyaml's grammar has a node here; this is kept as an error rather than a trap.
            throw stop(Diagnostic("yaml-syntax", at: range, in: file.name, "expected a value"))
        }
        return YAMLNode(range: range, content: .scalar(YAMLScalar(text: "", isPlain: true)))
    }

    /// - Parameter depth: that of its elements.
    private mutating func sequence(
        _ start: YAMLEvent, isFlow: Bool, depth: Int
    ) throws(Stop) -> YAMLNode {
        try enter(depth, at: start)
        var elements: [YAMLNode] = []
        while true {
            let event = try next()
            if case .sequenceEnd = event.kind {
                let range = collectionRange(
                    from: start, to: event, isFlow: isFlow, last: elements.last?.range)
                return YAMLNode(range: range, content: .sequence(elements))
            }
            elements.append(try node(event, depth: depth))
        }
    }

    /// Reads keys and values in turn up to the mapping's end; an entry whose key is refused is left out.
    ///
    /// - Parameter depth: that of its entries.
    private mutating func mapping(
        _ start: YAMLEvent, isFlow: Bool, depth: Int
    ) throws(Stop) -> YAMLNode {
        try enter(depth, at: start)
        var entries: [YAMLEntry] = []
        var firstUses: [String: SourceRange] = [:]
        var last: SourceRange?
        while true {
            let event = try next()
            if case .mappingEnd = event.kind {
                let range = collectionRange(from: start, to: event, isFlow: isFlow, last: last)
                return YAMLNode(range: range, content: .mapping(entries))
            }
            let key = try node(event, depth: depth)
            let value = try node(try next(), depth: depth)
            last = value.range
            guard let name = acceptedKey(key, firstUses: firstUses) else { continue }
            firstUses[name] = key.range
            entries.append(YAMLEntry(key: name, keyRange: key.range, value: value))
        }
    }

    /// The key's text; nil where it was refused.
    ///
    /// - Parameter firstUses: where each key of this mapping stands that was accepted so far.
    private mutating func acceptedKey(
        _ key: YAMLNode, firstUses: [String: SourceRange]
    ) -> String? {
        guard let scalar = key.scalar else {
            refuse(
                "non-scalar-key", at: SourceRange(at: key.range.start, columns: 1),
                "a key must be a word, not \(key.kind)",
                hint: "to use a value that begins with `{` or `[` as text, put it in quotes")
            return nil
        }
        if scalar.isPlain, scalar.text == "<<" {
            refuse(
                "merge-key", at: key.range, "merge keys (`<<`) are not allowed",
                hint: "write the keys out where they are used")
            return nil
        }
        guard let first = firstUses[scalar.text] else { return scalar.text }
        let quoted = Diagnostic.quote(scalar.text)
        diagnostics.append(
            Diagnostic(
                "duplicate-key", at: key.range, in: file.name,
                "key \(quoted) comes twice in one mapping",
                notes: [.init("first use of \(quoted)", at: first, in: file.name)],
                hint: "remove one of the two"))
        return nil
    }
}

// MARK: - Limits and refusals

extension YAMLTreeBuilder {
    /// The next event; a failure of libyaml ends reading.
    private mutating func next() throws(Stop) -> YAMLEvent {
        do throws(YAMLSyntaxFailure) {
            return try events.next(maximumScalarBytes: limits.maximumScalarBytes)
        } catch {
            throw stop(error.diagnostic(in: file))
        }
    }

    /// Counts a node, and ends reading where there are too many nodes or refusals.
    private mutating func count(_ event: YAMLEvent) throws(Stop) {
        guard diagnostics.count < Self.maximumRefusals else { throw Stop() }
        nodeCount += 1
        guard nodeCount <= limits.maximumNodes else {
            throw stop(
                Diagnostic(
                    "too-many-nodes", at: SourceRange(at: range(event.scalars).start),
                    in: file.name,
                    "the file has more than \(limits.maximumNodes) keys and values"))
        }
    }

    /// Ends reading where a collection lies too deep.
    private mutating func enter(_ depth: Int, at event: YAMLEvent) throws(Stop) {
        guard depth <= limits.maximumDepth else {
            throw stop(
                Diagnostic(
                    "nesting-too-deep", at: SourceRange(at: range(event.scalars).start, columns: 1),
                    in: file.name,
                    "more than \(limits.maximumDepth) lists and mappings inside each other"))
        }
    }

    /// Refuses an anchor or tag before a node; the node itself is read.
    private mutating func refuseProperties(of event: YAMLEvent) {
        guard event.hasAnchor || event.hasTag else { return }
        // The event starts at the first of its properties; where there are two, that one is named.
        let range = tokenRange(at: event.scalars.lowerBound)
        let offset = file.lines.byteOffset(ofScalar: event.scalars.lowerBound, in: file.bytes)
        let isAnchor = offset < file.bytes.count && file.bytes[offset] == UInt8(ascii: "&")
        if isAnchor {
            refuseAnchor(at: range)
        } else {
            refuse("tag", at: range, Self.tagMessage, hint: Self.tagHint)
        }
    }

    static let tagMessage = "tags (`!name`) are not allowed"
    static let tagHint = "remove it; to begin a text with `!`, put the text in quotes"

    private mutating func refuseAnchor(at range: SourceRange) {
        refuse(
            "anchor", at: range, "anchors and aliases are not allowed",
            hint: "write the value out where it is used; to begin a text with `&` or `*`, "
                + "put the text in quotes")
    }

    /// Refuses U+0000 in a text: an escape in double quotes can make one, which the screening of bytes does not see.
    private mutating func refuseNUL(in scalar: YAMLScalar, at range: SourceRange) {
        guard scalar.text.utf8.contains(0) else { return }
        refuse("nul-byte", at: range, "a text cannot contain the character NUL (`\\0`)")
    }

    /// Notes something that is refused, and lets reading go on.
    private mutating func refuse(
        _ id: String, at range: SourceRange, _ message: String, hint: String? = nil
    ) {
        diagnostics.append(Diagnostic(id, at: range, in: file.name, message, hint: hint))
    }

    /// Notes why reading ends; the caller throws what this returns.
    private mutating func stop(_ diagnostic: Diagnostic) -> Stop {
        diagnostics.append(diagnostic)
        return Stop()
    }
}

// MARK: - Places

extension YAMLTreeBuilder {
    /// Lines and columns of a stretch that libyaml gives in Unicode scalars.
    private func range(_ scalars: Range<Int>) -> SourceRange {
        SourceRange(
            start: file.lines.position(ofScalar: scalars.lowerBound),
            end: file.lines.position(ofScalar: scalars.upperBound))
    }

    /// The place of a collection.
    ///
    /// libyaml ends a block collection at the next token, which may be many comments further down;
    /// people mean the end of its last entry.
    private func collectionRange(
        from start: YAMLEvent, to end: YAMLEvent, isFlow: Bool, last: SourceRange?
    ) -> SourceRange {
        let startPosition = range(start.scalars).start
        let endPosition = isFlow ? range(end.scalars).end : last?.end ?? startPosition
        return SourceRange(start: startPosition, end: endPosition)
    }

    /// The characters from a place up to the next space, line end or flow indicator.
    private func tokenRange(at scalar: Int) -> SourceRange {
        let start = file.lines.byteOffset(ofScalar: scalar, in: file.bytes)
        let delimiters = Array(" \t\r\n,[]{}".utf8)
        let token = file.bytes[start...].prefix { !delimiters.contains($0) }
        return SourceRange(
            at: file.lines.position(ofScalar: scalar),
            columns: max(1, token.count { $0 & 0xC0 != 0x80 }))
    }
}
