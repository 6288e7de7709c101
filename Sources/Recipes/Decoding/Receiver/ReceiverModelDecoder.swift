public import Devices
public import Notation

/// Reads descriptions of receivers, which come along as data so that a new receiver needs no new program.
///
/// Whoever looks for receivers leaves out a file that can't be read, and reports it.
public enum ReceiverModelDecoder {
    /// Reads a description.
    ///
    /// - Throws: all independent errors of the file, sorted by position.
    public static func decode(_ source: SourceFile) throws(DiagnosticList) -> ReceiverModel {
        let root = try YAMLReader.read(source)
        let context = DecodingContext(source)
        guard FileHeader.receiver.check(root, context: context) else {
            throw DiagnosticList(context.diagnostics)
        }
        let model = model(root, context)
        guard let model, context.diagnostics.isEmpty else {
            precondition(!context.diagnostics.isEmpty, "a receiver that can't be read has a reason")
            throw DiagnosticList(context.diagnostics)
        }
        return model
    }

    /// Reads all keys; nil where one that is required can't be read.
    private static func model(_ root: YAMLNode, _ context: DecodingContext) -> ReceiverModel? {
        guard let read = MappingReader(root, as: ReceiverKeys.shape, context: context) else {
            return nil
        }
        let (name, summary) = (read(ReceiverKeys.name), read(ReceiverKeys.summary))
        let (driver, entities) = (read(ReceiverKeys.driver), read(ReceiverKeys.entities))
        let (image, metadata) = (read(ReceiverKeys.image), read(ReceiverKeys.metadata))
        let (start, packing) = (read(ReceiverKeys.start), read(ReceiverKeys.packing))
        let (alignment, provenance) = (
            read(ReceiverKeys.rowAlignment), read(ReceiverKeys.provenance)
        )
        guard let name, let driver, let image, let start else { return nil }
        return ReceiverModel(
            name: name, summary: summary ?? "", driver: driver, entities: entities ?? [],
            image: image, metadata: metadata, start: start, packing: packing ?? [],
            rowAlignment: alignment ?? 1, provenance: provenance ?? "")
    }
}
