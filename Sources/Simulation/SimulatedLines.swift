public import Lines
public import Timebase

/// The simulated rig's lines: inputs get edges from a seed, outputs remember when they were on.
public final class SimulatedLines: LineDriver {
    /// One output being on; `off` lies in the far future while it still is.
    public struct Pulse: Hashable, Sendable {
        /// The line, as an index into the requests.
        public let line: Int32
        /// When it became active.
        public let on: Instant<Monotonic>
        /// When it became inactive.
        public internal(set) var off: Instant<Monotonic>
    }

    /// What outputs did so far, in order.
    public private(set) var pulses: [Pulse] = []
    /// The lines that were opened.
    public private(set) var requests: [LineRequest] = []

    private let clock: SimulatedClock
    private let interval: Interval
    private let seed: SplitMix64
    private var sources: [EdgeSource] = []
    private var wired: WiredEdges

    private struct EdgeSource {
        let line: Int32
        let isFallingOnly: Bool
        var next: Instant<Monotonic>
        var count: UInt32 = 0
        var random: SplitMix64
    }

    init(clock: SimulatedClock, options: SimulationOptions) {
        self.clock = clock
        interval = options.edgeInterval
        seed = SplitMix64(seed: options.seed).split(2)
        wired = WiredEdges(options)
    }

    /// No descriptor: the world knows when edges come.
    public var pollDescriptors: [Int32] { [] }

    /// Claims the lines; every chip and line that a rig names exists here.
    public func open(_ requests: [LineRequest]) throws(LineError) {
        self.requests = requests
        for (index, request) in requests.enumerated() where request.direction == .input {
            if wired.open(request, as: Int32(index)) { continue }
            var source = EdgeSource(
                line: Int32(index), isFallingOnly: request.edge == .falling,
                next: clock.now + interval, random: seed.split(UInt64(index)))
            source.next = clock.now + varied(&source.random)
            sources.append(source)
        }
    }

    /// When the next edge comes.
    var nextEdge: Instant<Monotonic> {
        min(wired.next, sources.map(\.next).min() ?? .distantFuture)
    }

    /// Takes the oldest edge that has come.
    public func readEdge() -> LineEdge? {
        let now = clock.now
        if wired.next <= min(now, sources.map(\.next).min() ?? now) { return wired.take() }
        guard let index = sources.indices.min(by: { sources[$0].next < sources[$1].next }),
            sources[index].next <= now
        else { return nil }
        sources[index].count += 1
        let edge = LineEdge(
            line: sources[index].line, isRising: !sources[index].isFallingOnly,
            timestamp: sources[index].next, lineSequence: sources[index].count)
        sources[index].next = sources[index].next + varied(&sources[index].random)
        return edge
    }

    /// Drives an output.
    public func set(line: Int32, active: Bool) -> Bool {
        guard requests.indices.contains(Int(line)), requests[Int(line)].direction == .output else {
            return false
        }
        let open = pulses.lastIndex { $0.line == line && $0.off == .distantFuture }
        if let open, !active {
            pulses[open].off = clock.now
            wired.change(requests[Int(line)].name, active: false, at: clock.now)
        } else if open == nil, active {
            pulses.append(Pulse(line: line, on: clock.now, off: .distantFuture))
            wired.change(requests[Int(line)].name, active: true, at: clock.now)
        }
        return true
    }

    /// Sets every output inactive.
    public func close() {
        for line in requests.indices where requests[line].direction == .output {
            _ = set(line: Int32(line), active: false)
        }
        sources = []
        wired.close()
    }

    /// The camera exposed its first row.
    func expose(from start: Instant<Monotonic>, to end: Instant<Monotonic>) {
        wired.change(nil, active: true, at: start)
        wired.change(nil, active: false, at: end)
    }

    /// How long a line was on within a span of time.
    func timeOn(
        _ line: Int32, from start: Instant<Monotonic>, to end: Instant<Monotonic>
    ) -> Interval {
        pulses.reversed().prefix(64).reduce(.zero) { total, pulse in
            guard pulse.line == line else { return total }
            let overlap = min(pulse.off, end) - max(pulse.on, start)
            return overlap > .zero ? total + overlap : total
        }
    }

    /// Three to five quarters of the mean interval.
    private func varied(_ random: inout SplitMix64) -> Interval {
        let half = interval.nanoseconds / 2
        guard half > 0 else { return .milliseconds(1) }
        return interval * 3 / 4 + Interval(nanoseconds: Int64(random.next() % UInt64(half)))
    }
}
