/// The digital lines of one run: inputs whose edges are read, outputs that are set.
///
/// Called from one thread at a time: first the thread that prepares the run, then the capture thread. `readEdge` and
/// `set` allocate nothing.
public protocol LineDriver: AnyObject {
    /// The file descriptors that become readable when edges wait; empty where time is virtual.
    var pollDescriptors: [Int32] { get }

    /// Whether a gap in the numbers of edges shows every one that was lost; uAPI v1 of the kernel has no numbers.
    var countsEdges: Bool { get }

    /// Claims the lines, in this order; outputs start inactive.
    ///
    /// - Throws: ``DeviceError`` naming the line and chip: not there, in use, no rights, an option the kernel refuses.
    func open(_ requests: [LineRequest]) throws(DeviceError)

    /// Takes the oldest waiting edge; nil when there is none.
    func readEdge() -> LineEdge?

    /// Drives an output.
    ///
    /// - Returns: false if the kernel refused, for example because the chip is gone.
    func set(line: Int32, active: Bool) -> Bool

    /// Sets every output inactive and gives all lines back.
    func close()
}

extension LineDriver {
    /// They do: uAPI v2 of the kernel numbers edges.
    public var countsEdges: Bool { true }
}

/// A chip with lines, as discovery found it.
public struct LineChip: Hashable, Sendable {
    /// A line of a chip.
    public struct Line: Hashable, Sendable {
        /// The line's number on the chip.
        public var offset: Int
        /// The line's name; empty if it has none.
        public var name: String
        /// Who uses the line; empty if it is free.
        public var consumer: String
        /// Creates a line.
        public init(offset: Int, name: String, consumer: String) {
            self.offset = offset
            self.name = name
            self.consumer = consumer
        }
    }

    /// The chip's label, by which recipes and rigs name it.
    public var label: String
    /// The device file, for example `/dev/gpiochip0`.
    public var path: String
    /// All lines, by offset.
    public var lines: [Line]

    /// Creates a chip.
    public init(label: String, path: String, lines: [Line]) {
        self.label = label
        self.path = path
        self.lines = lines
    }
}
