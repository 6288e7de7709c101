internal import Devices
internal import Imaging

/// One request to a media device or one of its parts.
enum GraphOperation: Hashable, Sendable {
    /// Enables or cuts a link.
    case link(MediaTopology.Link, isEnabled: Bool)
    /// Makes these the routes of a sub-device; all its formats are the driver's own again.
    case routes(entity: UInt32, [SubdeviceRoute])
    /// Sets a control that moves the order of colours.
    case control(entity: UInt32, ControlValue)
    /// Asks a pad for a format; the answer must have its size and pixels.
    case setFormat(PadStream, BusFormat)
    /// Asks what passes a pad.
    case readFormat(PadStream)
    /// Gives a pad the whole of what another one answered.
    case copyFormat(PadStream, from: PadStream)
    /// Asks once more; the answer must still have this size and these pixels.
    case checkFormat(PadStream, BusFormat)

    /// Whether it sets a format.
    var isFormat: Bool {
        switch self {
        case .setFormat, .copyFormat: true
        default: false
        }
    }
}

/// What sets up the way from a sensor to its capture node, in order.
///
/// Made by ``GraphPlanner``, carried out by ``GraphExecutor``; a value, so that tests compare whole plans.
struct GraphPlan: Hashable, Sendable {
    /// Where embedded data come out.
    struct Metadata: Hashable, Sendable {
        /// The metadata node.
        var node: UInt32
        /// The pad whose answer shows what the node will get.
        var pad: PadStream
        /// The node's format where the receiver's description names one; nil: by the bus code.
        var format: String?
    }

    /// The requests, in order.
    var operations: [GraphOperation] = []
    /// The steps from the sensor to the image node.
    var way: [MediaTopology.Step] = []
    /// The capture node of the image.
    var node: UInt32
    /// Where embedded data come out; nil if there are none.
    var metadata: Metadata?
    /// Why there are no embedded data although they were wanted.
    var withoutMetadata: String?

    /// The sensor.
    var sensor: UInt32? { way.first?.source.entity }

    /// The nodes in the order in which they start: with the last of them the sensor starts.
    var startOrder: [UInt32] { [metadata?.node, node].compactMap { $0 } }

    /// The nodes in the order in which they stop: the image first.
    var stopOrder: [UInt32] { startOrder.reversed() }
}

/// What a graph is wanted for.
struct GraphRequest: Hashable, Sendable {
    /// The capture node.
    var node: UInt32
    /// The pixels in memory, and on the bus.
    var pixelFormat: PixelFormat
    /// The frame size, as it is to leave the sensor.
    var size: FrameSize
    /// What controls that move the order of colours are to have; off where none is named.
    var layout: [ControlValue] = []
    /// Whether embedded data are wanted.
    var wantsMetadata = false
}
