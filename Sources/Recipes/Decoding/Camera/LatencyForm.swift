import Devices
import Notation

/// How long a control takes to show, and how that is known; the ledger's `known_by` rests on it.
struct Latency: Sendable {
    /// Frames from a write to the first frame that surely shows it; an upper bound where the origin is assumed.
    var frames: Int
    /// How that is known.
    var origin: FigureOrigin
}

/// `latency`: a number of frames that nobody measured, or one with its origin.
///
/// Frames are counted from the one that is being exposed when the write is made: a write after the start of readout
/// (the timestamp) of frame k − 1 and before that of frame k shows from frame k + latency on. libcamera counts from the
/// frame whose start came before the write, k − 1, so its figures are one more; `libcamera` takes them as they are
/// published and converts.
enum LatencyForm {
    private enum Source: String, CaseIterable, Sendable {
        case exact, assumed

        var origin: FigureOrigin {
            switch self {
            case .exact: .exact
            case .assumed: .assumed
            }
        }
    }

    private static let count = Form<Int>.count(0...32)
    private static let frames = Key("frames", count, "How many frames.")
    /// Converted by taking one off; its origin states that.
    private static let libcamera = Key(
        "libcamera", Form<Int>.count(1...33),
        "The figure that libcamera publishes for the sensor, as it is: its delays count from the frame before, so that"
            + " 2 means 1 frame here. Nobody measured it here: an upper bound.")
    private static let from = Key(
        "from", Form<Source>.word,
        "`exact`: the device is built to it; `assumed`: a cautious guess, an upper bound."
    )
    /// The day, for the origin; written by `calibrate latency`, with `least` where trials differed.
    private static let measured = Key(
        "measured", Form<String>.scalar(.date, parse: Quantity.date), "The day it was measured.")

    /// Below `frames`, and only beside `measured`: from this frame on a write may show, from `frames` on it surely
    /// does.
    private static let least = Key(
        "least", count,
        "The fewest frames, where it was not always the same; `frames` are the most then.")
    private static let shape = MappingShape(
        "a latency", "A number of frames and how it is known.",
        keys: [frames.shape, least.shape, from.shape, measured.shape, libcamera.shape],
        rules: [
            .exactlyOne([["from"], ["measured"], ["libcamera"]]),
            .exactlyOne([["frames"], ["libcamera"]]), .companion("least", of: ["measured"]),
        ])

    /// A number alone, which counts as assumed, or a mapping that states how it is known.
    static let form = Form<Latency>(.either([count.shape, .mapping(shape)])) { node, context in
        guard node.entries != nil else {
            return count.read(node, context).map { Latency(frames: $0, origin: .assumed) }
        }
        guard let read = MappingReader(node, as: shape, context: context) else { return nil }
        let (frames, from, day) = (read(Self.frames), read(Self.from), read(measured))
        let least = read(Self.least)
        if let published = read(Self.libcamera) {
            return Latency(frames: published - 1, origin: .libcamera)
        }
        guard let frames else { return nil }
        if let least, least >= frames {
            read.context.report(
                "out-of-range", at: read.valueRange(Self.least),
                "`least` is below `frames`, \(frames): leave it out where it was always the same")
            return nil
        }
        guard let day else { return from.map { Latency(frames: frames, origin: $0.origin) } }
        return Latency(
            frames: frames,
            origin: least.map { .measuredFrom(least: $0, on: day) } ?? .measured(on: day))
    }
}
