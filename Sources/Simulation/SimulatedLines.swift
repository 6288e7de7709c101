public import Devices
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
    /// Mean time between the pulses of an input.
    private let interval: Interval
    private let seed: SplitMix64
    private var sources: [EdgeSource] = []
    /// Inputs that an output or the strobe drives, which have no pulses of their own.
    private var wired: WiredEdges

    /// Pulses that the camera has still to see, on the line that exposes it.
    private var triggerPulses: [SimulatedPulse] = []
    private let faults: SimulatedLineFaults
    private let triggerLine: String?
    private let record: (SimulatedTruth) -> Void

    /// One input with pulses from the seed, and the kernel's side of it.
    private struct EdgeSource {
        let line: Int
        var pulses: SimulatedPulses
        var kernel: SimulatedKernelLine
        let exposesCamera: Bool
    }

    init(
        clock: SimulatedClock, options: SimulationOptions,
        record: @escaping (SimulatedTruth) -> Void = { _ in }
    ) {
        self.record = record
        self.clock = clock
        interval = options.edgeInterval
        seed = SplitMix64(seed: options.seed).split(2)
        wired = WiredEdges(options)
        faults = options.lineFaults
        triggerLine = options.triggerLine
    }

    /// No descriptor: the world knows when edges come.
    public var pollDescriptors: [Int32] { [] }

    /// Claims the lines; every chip and line that a rig names exists here.
    ///
    /// An input that senses an output gets no pulses of its own within decades, so that what it shows is the output's
    /// doing.
    public func open(_ requests: [LineRequest]) throws(DeviceError) {
        self.requests = requests
        for (index, request) in requests.enumerated() where request.direction == .input {
            if wired.open(request, as: Int32(index)) { continue }
            let isSensor = requests.contains { $0.sensedBy == request.name }
            sources.append(
                EdgeSource(
                    line: index,
                    pulses: SimulatedPulses(
                        interval: isSensor ? .seconds(1_000_000_000) : interval, faults: faults,
                        random: seed.split(UInt64(index)), from: clock.now),
                    kernel: SimulatedKernelLine(
                        line: Int32(index), request: request, faults: faults,
                        random: seed.split(1_000 + UInt64(index))),
                    exposesCamera: request.name == triggerLine))
        }
    }

    /// Whether the kernel's interface numbers edges.
    public var countsEdges: Bool { faults.interface == .v2 }

    /// When the next pulse comes on an input, or the oldest edge that waits came; in the far future if there is none.
    var nextEdge: Instant<Monotonic> {
        sources.reduce(wired.next) {
            min($0, $1.kernel.next ?? .distantFuture, $1.pulses.nextTime)
        }
    }

    /// Takes the oldest edge that has come, with a timestamp as the host's counter allows it.
    public func readEdge() -> LineEdge? {
        var edge = takeEdge()
        if let exact = edge?.timestamp { edge?.timestamp = clock.shown(at: exact) }
        return edge
    }

    /// The oldest edge whose timestamp has come, of both kinds of inputs.
    private func takeEdge() -> LineEdge? {
        advance()
        var oldest: (index: Int, timestamp: Instant<Monotonic>)?
        for (index, source) in sources.enumerated() {
            if let timestamp = source.kernel.next, timestamp < oldest?.timestamp ?? .distantFuture {
                oldest = (index, timestamp)
            }
        }
        if wired.next <= min(clock.now, oldest?.timestamp ?? .distantFuture) { return wired.take() }
        return oldest.flatMap { sources[$0.index].kernel.read(at: clock.now) }
    }

    /// Takes the next pulse on the line that exposes the camera.
    ///
    /// Every pulse is handed out once, in order, also those that are no edge for the kernel; nil if none has come.
    func takeTriggerPulse() -> SimulatedPulse? {
        advance()
        return triggerPulses.isEmpty ? nil : triggerPulses.removeFirst()
    }

    /// Lets pulses come up to the present.
    private func advance() {
        for index in sources.indices {
            while sources[index].pulses.nextTime <= clock.now {
                let pulse = sources[index].pulses.take()
                take(pulse, from: index)
                if sources[index].exposesCamera { triggerPulses.append(pulse) }
            }
        }
    }

    /// Drives an output, whose pulses are kept as the truth.
    ///
    /// - Returns: false for a line that is no output of the rig.
    public func set(line: Int32, active: Bool) -> Bool {
        guard requests.indices.contains(Int(line)), requests[Int(line)].direction == .output else {
            return false
        }
        loopBack(line, active: active)
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
    ///
    /// Only the last 64 pulses of all lines together are looked at.
    func timeOn(
        _ line: Int32, from start: Instant<Monotonic>, to end: Instant<Monotonic>
    ) -> Interval {
        pulses.reversed().prefix(64).reduce(.zero) { total, pulse in
            guard pulse.line == line else { return total }
            let overlap = min(pulse.off, end) - max(pulse.on, start)
            return overlap > .zero ? total + overlap : total
        }
    }

    /// An input that is wired to an output sees what that does.
    private func loopBack(_ line: Int32, active: Bool) {
        let name = requests[Int(line)].sensedBy
        guard let input = requests.firstIndex(where: { $0.name == name }),
            requests[input].direction == .input
        else { return }
        let isSeen =
            switch requests[input].edge {
            case .both: true
            case .rising: active
            case .falling: !active
            }
        guard isSeen, let source = sources.firstIndex(where: { $0.line == input }) else { return }
        take(SimulatedPulse(time: clock.now), from: source, isRising: active)
    }

    /// Lets the kernel see a pulse, and reports what it made of it.
    private func take(_ pulse: SimulatedPulse, from source: Int, isRising: Bool? = nil) {
        let timestamp = sources[source].kernel.take(pulse, isRising: isRising)
        let kernel = sources[source].kernel
        let edge = SimulatedEdge(
            line: requests[sources[source].line].name, time: pulse.time, fate: kernel.fate,
            sequence: kernel.number, timestamp: timestamp, isBounce: pulse.isBounce)
        record(.edge(edge))
        guard let old = kernel.thrownAway else { return }
        record(
            .edge(
                SimulatedEdge(
                    line: edge.line, time: pulse.time, fate: .overflowed,
                    sequence: old.lineSequence, timestamp: old.timestamp, isBounce: false)))
    }
}
