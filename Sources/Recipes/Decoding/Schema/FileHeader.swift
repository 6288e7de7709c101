import Notation

/// The first line of each of framelock's files: what it is, and in which version of the format.
///
/// It comes first so that every reader, older or newer, knows at once what follows. The raw value is the header's key.
enum FileHeader: String, CaseIterable {
    case recipe = "framelock"
    case rig = "framelock_rig"
    case camera = "framelock_camera"
    case receiver = "framelock_receiver"

    /// The only version so far; compared as text, so `1.0` is another one.
    static let version = "1"

    /// The file by its name for people, with article, for messages.
    var noun: String {
        switch self {
        case .recipe: "a recipe"
        case .rig: "a rig"
        case .camera: "a camera profile"
        case .receiver: "a receiver's description"
        }
    }

    /// What to do with such a file, for whoever gave it where another one belongs.
    private var advice: String {
        switch self {
        case .recipe: "it can be run: `framelock run FILE`"
        case .rig: "give it with `--rig FILE`"
        case .camera: "put its name into the rig, or into the recipe's `camera`, as `profile`"
        case .receiver: "it belongs into the folder `receivers` beside the camera profiles"
        }
    }

    /// The header's key, for the shapes of schemas; ``check(_:context:)`` reads it.
    var key: Key<Int64> {
        Key(
            rawValue, .integer(1...1), required: true,
            "Version of the format, always first; 1 is the only one so far.")
    }

    /// Checks the beginning of a file; false if reading on makes no sense.
    ///
    /// A header that is there and not first is reported, and read on: everything else of the file can still be checked.
    ///
    /// - Parameters:
    ///   - root: the whole document.
    ///   - context: gets what is wrong.
    func check(_ root: YAMLNode, context: DecodingContext) -> Bool {
        let start = SourceRange(at: root.range.start, columns: 1)
        guard let entries = root.entries else {
            context.report(
                "wrong-kind", at: start, "\(noun) is a mapping, not \(root.kind)",
                hint: "begin with `\(rawValue): \(Self.version)`")
            return false
        }
        guard let entry = root.entry(rawValue) else {
            reportMissing(entries, at: entries.first?.keyRange ?? start, context: context)
            return false
        }
        guard entry.value.scalar?.text == Self.version else {
            let found = entry.value.scalar?.text ?? ""
            context.report(
                "unknown-version", at: found.isEmpty ? entry.keyRange : entry.value.range,
                found.isEmpty
                    ? "`\(rawValue)` needs the version of the format"
                    : "version \(Diagnostic.quote(found)) of the format is not known here",
                hint: "this framelock reads `\(rawValue): \(Self.version)`")
            return false
        }
        if entries.first?.key != rawValue {
            context.report(
                "header-not-first", at: entry.keyRange,
                "`\(rawValue): \(Self.version)` must be the first key",
                hint: "move it to the top, so that every reader knows at once what follows")
        }
        return true
    }

    /// Says that the header is missing, or which other of framelock's files this is.
    private func reportMissing(
        _ entries: [YAMLEntry], at range: SourceRange, context: DecodingContext
    ) {
        for other in Self.allCases where other != self {
            guard let entry = entries.first(where: { $0.key == other.rawValue }) else { continue }
            context.report(
                "wrong-file", at: entry.keyRange, "this is \(other.noun), not \(noun)",
                hint: other.advice)
            return
        }
        context.report(
            "missing-header", at: range, "\(noun) begins with `\(rawValue): \(Self.version)`",
            hint: "add it as the first line")
    }
}
