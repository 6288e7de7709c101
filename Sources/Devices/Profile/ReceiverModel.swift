/// What is known of a CSI receiver's driver beyond what its media graph shows.
///
/// Models are data (`hardware/receivers/*.yaml`). A receiver without one takes the generic walk through its graph.
public struct ReceiverModel: Hashable, Sendable {
    /// One way through the receiver: from a sink pad to a capture node.
    public struct Way: Hashable, Sendable {
        /// The name of the capture node in the media graph.
        public var node: String
        /// The sub-device that the way goes through; nil where the sensor is linked to the node itself.
        public var entity: String?
        /// The pad where it enters.
        public var sink: UInt32
        /// The pad where it leaves.
        public var source: UInt32

        /// Creates a way.
        public init(node: String, entity: String? = nil, sink: UInt32 = 0, source: UInt32 = 0) {
            self.node = node
            self.entity = entity
            self.sink = sink
            self.source = source
        }
    }

    /// The way of embedded data.
    public struct Metadata: Hashable, Sendable {
        /// How embedded data come from the sensor.
        public enum Carrier: String, CaseIterable, Hashable, Sendable {
            /// From a source pad of their own.
            case pad
            /// As a second stream of the image's pad, brought to the node by a route.
            case stream
        }

        /// The node, and the pads on the way to it.
        public var way: Way
        /// How they come from the sensor.
        public var carrier: Carrier
        /// The sensor's pad that they leave by.
        public var sensorPad: UInt32
        /// The node's format as a four-character code; nil: by the bus code.
        public var format: String?

        /// Creates the way of embedded data.
        public init(_ way: Way, carrier: Carrier, sensorPad: UInt32, format: String? = nil) {
            self.way = way
            self.carrier = carrier
            self.sensorPad = sensorPad
            self.format = format
        }
    }

    /// What has to be so before the sensor is started.
    public enum StartRule: String, CaseIterable, Hashable, Sendable {
        /// The image node streams.
        case image
        /// Every node streams that a route or a link of the image's way leads to.
        case routed
        /// Every node of the device streams that has an enabled link.
        case enabled
        /// The metadata node streams, or nobody has it open.
        case unheld
    }

    /// How samples of 10 to 14 bits can lie in memory.
    public enum Packing: String, CaseIterable, Hashable, Sendable {
        case packed
        case unpacked
    }

    /// The model's name, as `framelock devices` prints it.
    public var name: String
    /// What kind of receiver it is.
    public var summary: String
    /// The media device's driver.
    public var driver: String
    /// Entities that must all be there, which distinguishes drivers of one name.
    public var entities: [String]
    /// The way of the image.
    public var image: Way
    /// The way of embedded data; nil where there is none.
    public var metadata: Metadata?
    /// What starts the sensor.
    public var start: StartRule
    /// How samples of more than 8 bits can lie in memory; empty: the driver reports it.
    public var packing: [Packing]
    /// Bytes by which the driver rounds rows up.
    public var rowAlignment: Int
    /// Where the facts come from.
    public var provenance: String

    /// Creates a model.
    public init(
        name: String, summary: String = "", driver: String, entities: [String] = [], image: Way,
        metadata: Metadata? = nil, start: StartRule = .image, packing: [Packing] = [],
        rowAlignment: Int = 1, provenance: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.driver = driver
        self.entities = entities
        self.image = image
        self.metadata = metadata
        self.start = start
        self.packing = packing
        self.rowAlignment = rowAlignment
        self.provenance = provenance
    }

    /// The model of a media device; the one that asks for most entities where several fit.
    public static func fitting(
        driver: String, entities: [String], among models: [ReceiverModel]
    ) -> ReceiverModel? {
        let fitting = models.filter { model in
            model.driver == driver && entities.contains(model.image.node)
                && model.entities.allSatisfy(entities.contains)
        }
        return fitting.max { ($0.entities.count, $1.name) < ($1.entities.count, $0.name) }
    }
}
