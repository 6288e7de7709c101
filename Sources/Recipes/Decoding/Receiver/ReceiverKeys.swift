import Devices
import Notation

/// The keys of a receiver's description: what its driver wants and its media graph does not show.
///
/// Names are those of the media graph, compared as they are.
enum ReceiverKeys {
    static let header = FileHeader.receiver.key
    static let name = Key(
        "name", Form<String>.name, required: true, "The receiver's name in `framelock devices`.")
    static let summary = Key("summary", Form<String>.prose, "What kind of receiver it is.")
    static let driver = Key(
        "driver", Form<String>.text(), required: true,
        "The driver of the media device, as `framelock devices --report` writes it.")
    /// Empty if left out: then the driver's name alone decides.
    static let entities = Key(
        "entities", Form<String>.text().list(count: 1...64),
        "Entities that must all be in the graph, where drivers of one name differ.")
    static let image = Key(
        "image", imageWay, required: true, "The way of the image from the sensor to its node.")
    /// Nil for a receiver that has no way for embedded data.
    static let metadata = Key(
        "metadata", metadataWay, "The way of embedded data; left out, there are none.")
    /// Other nodes have to stream first where the driver waits for them; a sensor that is not started sends nothing.
    static let start = Key(
        "start", Form<ReceiverModel.StartRule>.word, required: true,
        "What starts the sensor: the `image` node; every node that is `routed`; every node with an `enabled` link;"
            + " `unheld`: a metadata node that streams, or that nobody has open.")
    /// Empty if left out, and then the driver is asked.
    static let packing = Key(
        "packing", Form<ReceiverModel.Packing>.word.list(count: 1...2),
        "How samples of 10 to 14 bits can lie in memory; left out, the driver is asked.")
    /// In bytes, 1 if left out.
    static let rowAlignment = Key(
        "row_alignment", Form<Int>.count(1...4_096), "Bytes by which rows are rounded up.")
    static let provenance = Key("provenance", Form<String>.prose, "Where the facts come from.")

    static let shape = MappingShape(
        "a receiver", "What is known of a CSI receiver's driver, for framelock.",
        keys: [
            header.shape, name.shape, summary.shape, driver.shape, entities.shape, image.shape,
            metadata.shape, start.shape, packing.shape, rowAlignment.shape, provenance.shape,
        ])

    // MARK: Ways

    private static let node = Key(
        "node", Form<String>.text(), required: true, "The capture node's name in the media graph.")
    private static let entity = Key(
        "entity", Form<String>.text(),
        "The sub-device on the way; left out, the sensor is linked to the node itself.")
    private static let pad = Form<Int>.count(0...255)
    private static let sink = Key("sink", pad, "The pad where the way enters the sub-device.")
    private static let source = Key("source", pad, "The pad where it leaves.")

    /// The parts of a way; pads are 0 where the sensor is linked to the node itself.
    ///
    /// - Returns: nil where there is no node, which is reported.
    private static func way(_ read: MappingReader) -> ReceiverModel.Way? {
        let (node, entity) = (read(Self.node), read(Self.entity))
        let (sink, source) = (read(Self.sink), read(Self.source))
        return node.map {
            ReceiverModel.Way(
                node: $0, entity: entity, sink: UInt32(sink ?? 0), source: UInt32(source ?? 0))
        }
    }

    /// A sub-device and both of its pads are named together, or none of them.
    private static let wayRules: [MappingShape.Rule] = [
        .together(["entity", "sink", "source"])
    ]

    private static let imageWay = Form<ReceiverModel.Way>.mapping(
        MappingShape(
            "a way", "A capture node and the pads on the way to it.",
            keys: [node.shape, entity.shape, sink.shape, source.shape], rules: wayRules)
    ) { way($0) }

    private static let carrier = Key(
        "from", Form<ReceiverModel.Metadata.Carrier>.word, required: true,
        "How they come from the sensor: by a `pad` of their own, or as a second `stream` of the image's pad."
    )
    /// A source pad of the sensor; with `stream` the one that the image leaves by.
    private static let sensorPad = Key(
        "sensor_pad", pad, required: true, "The sensor's pad that they leave by.")
    private static let format = Key(
        "format", Form<String>.text(4),
        "The node's format as a four-character code; left out, it follows from the bus code.")

    private static let metadataWay = Form<ReceiverModel.Metadata>.mapping(
        MappingShape(
            "a way of embedded data", "A metadata node and the pads on the way to it.",
            keys: [
                node.shape, entity.shape, sink.shape, source.shape, carrier.shape,
                sensorPad.shape, format.shape,
            ], rules: wayRules)
    ) { read in
        let (way, carrier) = (way(read), read(Self.carrier))
        let (sensorPad, format) = (read(Self.sensorPad), read(Self.format))
        guard let way, let carrier, let sensorPad else { return nil }
        return .init(way, carrier: carrier, sensorPad: UInt32(sensorPad), format: format)
    }
}
