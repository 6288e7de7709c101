internal import Notation

extension ProfileText {
    /// The changes that give one key of a mapping a value, or take it away.
    ///
    /// - Parameters:
    ///   - mapping: has to be one.
    ///   - value: nil takes the key away.
    /// - Returns: nothing where the text has that already.
    /// - Throws: ``CalibrationError`` where that would lose comments or layout.
    func changes(
        of mapping: YAMLNode, setting key: String, to value: ProfileValue?
    ) throws(CalibrationError) -> [Splice] {
        guard let value else { return try removal(of: [key], from: mapping) }
        if let entry = mapping.entry(key) { return try replacement(of: entry.value, by: value) }
        return [addition([.init(key: key, value: value)], to: mapping)]
    }

    /// The changes that turn a node into a value, with as little touched as possible.
    ///
    /// Mappings that share a key are changed key by key, and block lists element by element, since comments stand
    /// between their lines. Anything else is replaced as a whole, which is refused for block collections, block scalars
    /// and values with a comment inside.
    private func replacement(
        of node: YAMLNode, by value: ProfileValue
    ) throws(CalibrationError) -> [Splice] {
        if ProfileValue(node) == value { return [] }
        switch (node.content, value) {
        case (.mapping(let old), .mapping(let new))
        where old.contains(where: { entry in
            new.contains { $0.key == entry.key }
        }):
            return try mappingChanges(node, old, new)
        case (.sequence(let old), .list(let new)) where !isFlow(node):
            return [try listChange(old, new)]
        case (.mapping, _) where !isFlow(node), (.sequence, _) where !isFlow(node):
            throw unplaced(node)
        default: break
        }
        let bytes = source.byteRange(of: node.range)
        let isBlock = [">", "|"].contains { text(bytes).hasPrefix($0) }
        guard !isBlock, !hasComment(bytes) else { throw unplaced(node) }
        return [Splice(bytes: bytes, text: (node.isEmpty ? " " : "") + value.text)]
    }

    /// Changes values in place, takes away keys that the new value does not have, and adds the missing ones behind the
    /// last kept one.
    private func mappingChanges(
        _ node: YAMLNode, _ old: [YAMLEntry], _ new: [ProfileValue.Entry]
    ) throws(CalibrationError) -> [Splice] {
        var splices: [Splice] = []
        var missing: [ProfileValue.Entry] = []
        for entry in new {
            if let place = node.entry(entry.key) {
                splices += try replacement(of: place.value, by: entry.value)
            } else {
                missing.append(entry)
            }
        }
        let gone = old.map(\.key).filter { key in !new.contains { $0.key == key } }
        splices += try removal(of: gone, from: node)
        if !missing.isEmpty { splices.append(addition(missing, to: node, without: gone)) }
        return splices
    }

    // MARK: Keys

    /// The insertion of keys behind a mapping's last kept one: on lines of their own, or inside the braces.
    ///
    /// - Parameter gone: keys that the same edit takes away; what is added must not lean on their places.
    private func addition(
        _ entries: [ProfileValue.Entry], to mapping: YAMLNode, without gone: [String] = []
    ) -> Splice {
        let texts = entries.map { "\($0.key): \($0.value.text)" }
        let kept = (mapping.entries ?? []).filter { !gone.contains($0.key) }
        guard let last = kept.last, let first = mapping.entries?.first else {
            let start = source.byteRange(of: mapping.range).lowerBound + 1
            return Splice(bytes: start..<start, text: texts.joined(separator: ", "))
        }
        if isFlow(mapping) {
            let end = source.byteRange(of: last.value.range).upperBound
            return Splice(bytes: end..<end, text: texts.map { ", " + $0 }.joined())
        }
        let indent = String(repeating: " ", count: first.keyRange.start.column - 1)
        // A block of text ends where the next line begins.
        let end = last.value.range.end
        if end.column == 1, end.line > last.keyRange.start.line,
            let line = source.byteRange(ofLine: end.line), line.lowerBound < source.bytes.count
        {
            return Splice(
                bytes: line.lowerBound..<line.lowerBound,
                text: texts.map { indent + $0 + lineEnd }.joined())
        }
        let line = source.byteRange(ofLine: end.line) ?? 0..<source.bytes.count
        return Splice(
            bytes: line.upperBound..<line.upperBound,
            text: texts.map { lineEnd + indent + $0 }.joined())
    }

    /// The changes that take keys away: whole lines in a block, or the key with its comma in braces.
    ///
    /// - Throws: ``CalibrationError`` where a comment would go with them.
    private func removal(
        of keys: [String], from mapping: YAMLNode
    ) throws(CalibrationError) -> [Splice] {
        let entries = mapping.entries ?? []
        var splices: [Splice] = []
        for (index, entry) in entries.enumerated() where keys.contains(entry.key) {
            guard isFlow(mapping) else {
                let end = max(entry.keyRange.start.line, entry.value.range.end.line)
                let (first, last) = (wholeLine(entry.keyRange.start.line), wholeLine(end))
                splices.append(Splice(bytes: first.lowerBound..<last.upperBound, text: ""))
                continue
            }
            let end = source.byteRange(of: entry.value.range).upperBound
            let isLeading = entries.prefix(index).allSatisfy { keys.contains($0.key) }
            let bytes =
                isLeading
                ? source.byteRange(of: entry.keyRange)
                    .lowerBound..<(index + 1 < entries.count
                    ? source.byteRange(of: entries[index + 1].keyRange).lowerBound : end)
                : source.byteRange(of: entries[index - 1].value.range).upperBound..<end
            guard !hasComment(bytes) else { throw unplaced(entry.value) }
            splices.append(Splice(bytes: bytes, text: ""))
        }
        return splices
    }

    // MARK: Lists

    /// A block list with its unchanged elements and the comments between them as they are.
    ///
    /// Elements that are no longer there lose their lines and keep the comments before them; new ones are written on
    /// one line each, in the order of the new list.
    ///
    /// - Throws: ``CalibrationError`` for an empty list, and where the elements do not begin their lines alike.
    private func listChange(
        _ old: [YAMLNode], _ new: [ProfileValue]
    ) throws(CalibrationError) -> Splice {
        guard let first = old.first, let last = old.last else {
            throw CalibrationError("\(source.name): an empty list can't be extended", .profile)
        }
        let start = wholeLine(first.range.start.line).lowerBound
        let prefix = text(start..<source.byteRange(of: first.range).lowerBound)
        guard old.allSatisfy({ text(wholeLine($0.range.start.line)).hasPrefix(prefix) }),
            prefix.allSatisfy({ $0 == " " || $0 == "-" }), prefix.contains("-")
        else { throw unplaced(first) }
        var result = ""
        var next = 0
        func between(_ index: Int) -> Range<Int> {
            let line = wholeLine(old[index].range.start.line).lowerBound
            return (index == 0 ? line : wholeLine(old[index - 1].range.end.line).upperBound)..<line
        }
        for value in new {
            guard
                let place = old.indices.dropFirst(next).first(where: {
                    ProfileValue(old[$0]) == value
                })
            else {
                result += prefix + value.text + lineEnd
                continue
            }
            for index in next...place { result += text(between(index)) }
            let (first, last) = (old[place].range.start.line, old[place].range.end.line)
            result += text(wholeLine(first).lowerBound..<wholeLine(last).upperBound)
            next = place + 1
        }
        for index in next..<old.count { result += text(between(index)) }
        return Splice(bytes: start..<wholeLine(last.range.end.line).upperBound, text: result)
    }

    // MARK: Limits

    /// Whether there is a `#` in a range; one inside a quoted string counts too, which only refuses more than it has
    /// to.
    private func hasComment(_ bytes: Range<Int>) -> Bool { text(bytes).contains("#") }

    /// The error that names the place in the file and the way out: to write the value on one line.
    private func unplaced(_ node: YAMLNode) -> CalibrationError {
        CalibrationError(
            "\(source.name):\(node.range.start): this can't be replaced without losing comments or"
                + " layout; write it on one line", .profile)
    }
}
