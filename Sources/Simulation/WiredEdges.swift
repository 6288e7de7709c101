internal import Devices
internal import Timebase

/// Edges of inputs that are joined to an output or to the camera's strobe.
///
/// They are timestamped late by up to the wiring's delay, from the seed, and numbered from 1.
struct WiredEdges {
    private struct Input {
        let line: Int32
        let edge: LineRequest.Edge
        /// The output that it sees; nil for the camera's strobe.
        let output: String?
        var count: UInt32 = 0
    }

    private let wiring: SimulatedWiring
    private var random: SplitMix64
    private var inputs: [Input] = []
    /// Edges that were not taken yet, by their timestamps.
    private var waiting: [LineEdge] = []

    init(_ options: SimulationOptions) {
        wiring = options.wiring
        random = SplitMix64(seed: options.seed).split(6)
    }

    /// Takes an input that something is joined to; false if nothing is.
    mutating func open(_ request: LineRequest, as line: Int32) -> Bool {
        let output = wiring.returns[request.name]
        guard output != nil || wiring.strobe == request.name else { return false }
        inputs.append(Input(line: line, edge: request.edge, output: output))
        return true
    }

    /// An output, or nil for the strobe, changed.
    mutating func change(_ output: String?, active: Bool, at time: Instant<Monotonic>) {
        for index in inputs.indices where inputs[index].output == output {
            guard inputs[index].edge == .both || (inputs[index].edge == .rising) == active else {
                continue
            }
            inputs[index].count += 1
            let part = Int64(random.next() >> 44)
            let late = Interval(
                nanoseconds: wiring.edgeDelay.nanoseconds / 1_000 * part * 1_000 / (1 << 20))
            let edge = LineEdge(
                line: inputs[index].line, isRising: active, timestamp: time + late,
                lineSequence: inputs[index].count)
            let place = waiting.firstIndex { $0.timestamp > edge.timestamp } ?? waiting.count
            waiting.insert(edge, at: place)
        }
    }

    /// When the oldest edge comes.
    var next: Instant<Monotonic> { waiting.first?.timestamp ?? .distantFuture }

    /// Takes the oldest edge.
    ///
    /// - Precondition: ``next`` is not in the far future.
    mutating func take() -> LineEdge { waiting.removeFirst() }

    mutating func close() { (inputs, waiting) = ([], []) }
}
