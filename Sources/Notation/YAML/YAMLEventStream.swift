internal import CYAML

/// One step of the document as libyaml reports it, free of C types.
struct YAMLEvent {
    enum Kind {
        case streamStart, streamEnd
        case documentStart, documentEnd
        case alias
        case scalar(YAMLScalar)
        /// A scalar of that many bytes, over the limit; its text is not kept.
        case oversizedScalar(byteCount: Int)
        case sequenceStart(isFlow: Bool), sequenceEnd
        case mappingStart(isFlow: Bool), mappingEnd
    }

    let kind: Kind
    /// Whether an anchor (`&name`) precedes the node.
    let hasAnchor: Bool
    /// Whether a tag (`!name`) precedes the node.
    let hasTag: Bool
    /// Where it stands, in Unicode scalars from the start of the text; end exclusive.
    let scalars: Range<Int>
}

/// Why libyaml could not go on.
struct YAMLSyntaxFailure: Error {
    /// libyaml's words, in English whatever the locale.
    let problem: String
    /// Unicode scalars before the problem; nil where only the byte is known.
    let scalarIndex: Int?
    /// Bytes before the problem; nil where the scalar is known.
    let byteOffset: Int?
    /// What libyaml was doing, such as "while parsing a block mapping", and where that began.
    let context: String?
    /// Where that began, in Unicode scalars; nil without a context.
    let contextScalarIndex: Int?
}

/// libyaml's parser behind a Swift face: bytes in, events out.
///
/// A class, because libyaml keeps the addresses of its parser and of the input: both are allocated
/// once, never move, and are freed with the stream.
final class YAMLEventStream {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// A copy of the text, since libyaml reads on from it with each event.
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// - Parameter bytes: valid UTF-8 without a byte order mark; copied.
    /// - Returns: nil where libyaml gets no memory.
    init?(_ bytes: ArraySlice<UInt8>) {
        parser = .allocate(capacity: 1)
        input = .allocate(capacity: bytes.count)
        guard yaml_parser_initialize(parser) == 1 else {
            parser.deallocate()
            input.deallocate()
            return nil
        }
        _ = input.initialize(from: bytes)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event; after `streamEnd` or a failure there is none.
    ///
    /// - Parameter maximumScalarBytes: scalars of more are reported without their text.
    /// - Throws: ``YAMLSyntaxFailure`` at the first place that is no YAML; libyaml does not go on from there.
    func next(maximumScalarBytes: Int) throws(YAMLSyntaxFailure) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        let start = Int(event.start_mark.index)
        let (anchor, tag) = Self.properties(of: event)
        return YAMLEvent(
            kind: Self.kind(of: event, maximumScalarBytes: maximumScalarBytes),
            hasAnchor: anchor, hasTag: tag, scalars: start..<max(start, Int(event.end_mark.index)))
    }

    private static func kind(of event: yaml_event_t, maximumScalarBytes: Int) -> YAMLEvent.Kind {
        switch event.type {
        case YAML_STREAM_START_EVENT: .streamStart
        case YAML_DOCUMENT_START_EVENT: .documentStart
        case YAML_DOCUMENT_END_EVENT: .documentEnd
        case YAML_ALIAS_EVENT: .alias
        case YAML_SCALAR_EVENT: scalar(event.data.scalar, maximumBytes: maximumScalarBytes)
        case YAML_SEQUENCE_START_EVENT:
            .sequenceStart(isFlow: event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE)
        case YAML_SEQUENCE_END_EVENT: .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            .mappingStart(isFlow: event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE)
        case YAML_MAPPING_END_EVENT: .mappingEnd
        // YAML_NO_EVENT is what libyaml gives when asked on after the end.
        default: .streamEnd
        }
    }

    /// A scalar's text, by its length, since it may contain U+0000.
    private static func scalar(
        _ scalar: yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar, maximumBytes: Int
    ) -> YAMLEvent.Kind {
        guard scalar.length <= maximumBytes else {
            return .oversizedScalar(byteCount: Int(scalar.length))
        }
        let bytes = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
        return .scalar(
            YAMLScalar(
                text: String(decoding: bytes, as: UTF8.self),
                isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE))
    }

    /// Whether an event has an anchor and a tag; an alias counts as neither.
    private static func properties(of event: yaml_event_t) -> (anchor: Bool, tag: Bool) {
        let data = event.data
        switch event.type {
        case YAML_SCALAR_EVENT: return (data.scalar.anchor != nil, data.scalar.tag != nil)
        case YAML_SEQUENCE_START_EVENT:
            return (data.sequence_start.anchor != nil, data.sequence_start.tag != nil)
        case YAML_MAPPING_START_EVENT:
            return (data.mapping_start.anchor != nil, data.mapping_start.tag != nil)
        default: return (false, false)
        }
    }

    /// What the parser reports of its failure; errors of its reader know the byte only, all others the scalar.
    private var failure: YAMLSyntaxFailure {
        let parser = parser.pointee
        let isReaderError = parser.error == YAML_READER_ERROR
        let problem =
            parser.error == YAML_MEMORY_ERROR
            ? "not enough memory" : parser.problem.map { String(cString: $0) }
        return YAMLSyntaxFailure(
            problem: problem ?? "not valid YAML",
            scalarIndex: isReaderError ? nil : Int(parser.problem_mark.index),
            byteOffset: isReaderError ? Int(parser.problem_offset) : nil,
            context: parser.context.map { String(cString: $0) },
            contextScalarIndex: parser.context == nil ? nil : Int(parser.context_mark.index))
    }
}
