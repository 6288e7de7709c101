import BenchCameraModel
import Glibc

/// Runs one camera on one port: moves bytes between the kernel and the model, on time.
struct CameraRunner: ~Copyable {
    private static let readyCheckNanoseconds: Int64 = 5_000_000
    /// How long the kernel may take from plugging in to the video node.
    private static let readyLimitNanoseconds: Int64 = 10_000_000_000
    private static let triggerCheckNanoseconds: Int64 = 1_000_000
    /// How long the kernel may take to let go of the camera at the end.
    private static let detachNanoseconds: Int64 = 2_000_000_000

    private let speed: BusSpeed
    private let frameLimit: Int?
    private let log: TruthLog?
    private let strobe: SimulatedLine?
    private var trigger: SimulatedLine?
    private var machine: CameraMachine
    private var replies = USBIPReplies()
    private var frames = 0
    private var replugNanoseconds: Int64?
    private var isAnnounced = false
    private let signals: sigset_t

    init(options: CameraOptions, arguments: RunArguments) throws {
        // All that can fail comes before anything is initialised: a noncopyable value is initialised as a whole, and
        // Swift 6.2 crashes on one whose properties have their first values by then.
        let log = try arguments.truth.map { path throws(SystemFailure) in try TruthLog(path: path) }
        let strobe = try arguments.strobe.map(SimulatedLine.strobe)
        let trigger = try arguments.trigger.map(SimulatedLine.trigger)
        self.init(options, frameLimit: arguments.count, log, strobe: strobe, trigger: trigger)
    }

    private init(
        _ options: CameraOptions, frameLimit: Int?, _ log: consuming TruthLog?,
        strobe: consuming SimulatedLine?, trigger: consuming SimulatedLine?
    ) {
        speed = options.speed
        self.frameLimit = frameLimit
        self.log = log
        self.strobe = strobe
        self.trigger = trigger
        machine = CameraMachine(options: options)
        signals = SignalWatch.start()
    }

    /// Plugs in, serves the host, and unplugs when told to.
    mutating func run() throws {
        HostClock.becomeRealTime()
        while !isOver {
            let port = try VirtualPort(speed: speed)
            let number = port.number
            try serve(port)
            waitForDetach(number)
            if !isOver, isAnnounced { announce("unplugged") }
            isAnnounced = false
            try waitForReplug()
            machine.powerCycle()
        }
    }

    private var isOver: Bool {
        SignalWatch.hasEnded || frameLimit.map { frames >= $0 } ?? false
    }

    /// Serves the host until the cable is pulled.
    private mutating func serve(_ port: consuming VirtualPort) throws {
        var parser = USBIPParser()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        replugNanoseconds = nil
        let readyLimit = HostClock.now() + Self.readyLimitNanoseconds
        while !isOver {
            machine.advance(to: HostClock.now(), &replies)
            if trigger?.hasRisen() ?? false { _ = machine.trigger(at: HostClock.now()) }
            guard try flush(port.socket) else { return }
            if let change = machine.takePlugChange() {
                replugNanoseconds = change.replugNanoseconds
                return
            }
            if !isAnnounced, let node = port.videoNode() {
                announce("ready \(node)")
                isAnnounced = true
            }
            guard isAnnounced || HostClock.now() < readyLimit else {
                throw SystemFailure(
                    "no video node after 10 s; the kernel's log says why", code: ETIMEDOUT)
            }
            let hasData = try HostClock.wait(
                socket: port.socket, until: nextDeadline, signals: signals)
            if SignalWatch.takeToggle() { return }
            if hasData { try receive(port.socket, &parser, &chunk) }
        }
    }

    /// Takes what the host has sent; the model answers as of the time of its arrival.
    private mutating func receive(
        _ socket: Int32, _ parser: inout USBIPParser, _ chunk: inout [UInt8]
    ) throws {
        let count = read(socket, &chunk, chunk.count)
        guard count != 0 else { throw SystemFailure("the kernel closed the port", code: EPIPE) }
        guard count > 0 else { return }
        let now = HostClock.now()
        machine.advance(to: now, &replies)
        parser.append(chunk[..<count])
        while let request = try parser.next() { machine.handle(request, now: now, &replies) }
    }

    private var nextDeadline: Int64? {
        let distance =
            trigger != nil
            ? Self.triggerCheckNanoseconds : isAnnounced ? nil : Self.readyCheckNanoseconds
        let check = distance.map { HostClock.now() + $0 }
        return [machine.nextEventNanoseconds, check].compactMap { $0 }.min()
    }

    /// Sends what the model has to say and logs what it did; false if the kernel is gone.
    private mutating func flush(_ socket: Int32) throws -> Bool {
        for outcome in machine.takeOutcomes() {
            frames += 1
            try log?.write(outcome)
        }
        for change in machine.takeStrobeChanges() { try strobe?.drive(isOn: change.isOn) }
        var position = 0
        while position < replies.bytes.count {
            let sent = replies.bytes.withUnsafeBytes { bytes in
                send(
                    socket, bytes.baseAddress.map { $0 + position }, bytes.count - position,
                    Int32(MSG_NOSIGNAL))
            }
            if sent < 0 {
                guard errno == EINTR else { return false }
            } else {
                position += sent
            }
        }
        replies.removeAll()
        return true
    }

    private func waitForDetach(_ number: Int) {
        let limit = HostClock.now() + Self.detachNanoseconds
        while !VirtualPort.isFree(number), HostClock.now() < limit {
            var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000)
            nanosleep(&pause, nil)
        }
    }

    private func waitForReplug() throws {
        while !isOver, !SignalWatch.takeToggle() {
            if let time = replugNanoseconds, HostClock.now() >= time { return }
            _ = try HostClock.wait(socket: nil, until: replugNanoseconds, signals: signals)
        }
    }

    private func announce(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
