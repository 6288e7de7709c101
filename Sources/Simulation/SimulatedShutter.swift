public import Timebase

/// How the simulated camera exposes its rows, and how its driver timestamps frames.
///
/// Row r of a frame is exposed for the exposure's duration until `s + endOffset + (embeddedRows + r) · rowTime`, where
/// s is the moment that the timestamp means.
public struct SimulatedShutter: Hashable, Sendable {
    /// From a row to the next; zero is a global shutter.
    public var rowTime: Interval
    /// From the moment that a timestamp means to the end of the first read row's exposure; negative for a shutter that
    /// closes before the readout.
    public var endOffset: Interval
    /// Rows that are read before the image.
    public var embeddedRows: Int
    /// A timestamp is late by up to this, mostly by little, and never early.
    public var timestampDelay: Interval
    /// Whether the image is read from its last row to its first.
    public var isFlipped: Bool

    /// Creates a shutter; without figures it is global and timestamped exactly.
    public init(
        rowTime: Interval = .zero, endOffset: Interval = .zero, embeddedRows: Int = 0,
        timestampDelay: Interval = .zero, isFlipped: Bool = false
    ) {
        precondition(rowTime >= .zero && timestampDelay >= .zero && embeddedRows >= 0)
        self.rowTime = rowTime
        self.endOffset = endOffset
        self.embeddedRows = embeddedRows
        self.timestampDelay = timestampDelay
        self.isFlipped = isFlipped
    }

    /// From the moment that a timestamp means until the exposure of an image row ends.
    public func end(ofRow row: Int, of rows: Int) -> Interval {
        let place = isFlipped ? rows - 1 - row : row
        return endOffset + rowTime * Int64(embeddedRows + place)
    }

    /// How long a frame takes to be read.
    func readout(rows: Int) -> Interval {
        max(.zero, endOffset) + rowTime * Int64(embeddedRows + rows)
    }

    /// How late a timestamp is, for a random number: a quarter of the most, on average.
    func delay(_ random: UInt64) -> Interval {
        let part = Int64(random >> 44)
        return Interval(
            nanoseconds: Int64(
                Int128(timestampDelay.nanoseconds) * Int128(part) * Int128(part) * Int128(part)
                    / (1 << 60)))
    }
}

/// Which lines of the simulated rig are joined to each other and to the camera.
public struct SimulatedWiring: Hashable, Sendable {
    /// Inputs that see what an output does: outputs by the inputs' names.
    public var returns: [String: String]
    /// The input that is active while the camera exposes its first row.
    public var strobe: String?
    /// Edges of such inputs are timestamped late by up to this.
    public var edgeDelay: Interval

    /// Creates wiring; nothing is joined unless it is named.
    public init(
        returns: [String: String] = [:], strobe: String? = nil, edgeDelay: Interval = .zero
    ) {
        self.returns = returns
        self.strobe = strobe
        self.edgeDelay = edgeDelay
    }
}
