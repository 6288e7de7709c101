internal import Devices
internal import Glibc
internal import Timebase

/// The capture thread of a session: the only place that touches the world while it lives, and that waits only in the
/// world's `wait`.
///
/// In virtual time it lets time pass only while somebody waits for something.
final class SessionLoop {
    private let world: any World
    private let mailbox: SessionMailbox
    private let outputs: SessionOutputs
    private let port: ControlPort
    private let intake: FrameIntake
    private let patience: Interval
    private var machine: ManualCamera
    private var tickets: [RequestID: ControlTicket] = [:]
    /// Requests that have ended and whose callers are not notified yet.
    private var ended: [(ControlTicket, RequestOutcome)] = []
    private var lastFrameAt: Instant<Monotonic>
    /// When the driver was seen to have no frame.
    private var emptyAt: Instant<Monotonic>?
    private var failure: DeviceError?

    /// Creates the loop on the session's thread of origin; from ``run()`` on, only its own thread touches it.
    ///
    /// - Parameters:
    ///   - machine: has read how the camera stands.
    ///   - patience: without a frame for so long, the stream is given up.
    init(
        world: any World, machine: consuming ManualCamera, mailbox: SessionMailbox,
        outputs: SessionOutputs, intake: FrameIntake, patience: Interval
    ) {
        self.world = world
        self.machine = machine
        self.mailbox = mailbox
        self.outputs = outputs
        self.intake = intake
        self.patience = patience
        port = ControlPort(world: world)
        lastFrameAt = world.now()
    }

    /// Streams until the session is closed.
    ///
    /// After a failure it streams no more, but still answers every request with it until the session is closed. The
    /// camera is stopped and lines are closed before whoever waits for the end is notified.
    func run() {
        do {
            try world.camera.start()
        } catch {
            lose(error)
        }
        while let hasDemand = takeRequests() {
            guard failure == nil, !world.isVirtual || hasDemand else {
                mailbox.sleep()
                continue
            }
            world.wait(until: min(machine.nextDeadline, lastFrameAt + patience))
            while failure == nil, takeFrame() {
                if world.isVirtual, !mailbox.hasDemand { break }
            }
            if failure == nil { passTime() }
        }
        world.camera.stop()
        world.lines.close()
        outputs.finish()
        mailbox.noteEnd()
    }

    /// Takes what was asked, until nothing is left to take.
    ///
    /// Whether somebody waits is looked at together with an empty mailbox: what ended at once is waited for no more,
    /// and nobody waits for a request that was not taken.
    ///
    /// - Returns: whether somebody waits; nil once the session is closed.
    private func takeRequests() -> Bool? {
        while true {
            let inbox = mailbox.take()
            for request in inbox.requests { take(request, isClosed: inbox.isClosed) }
            if inbox.isClosed, failure == nil { feed(.lost(SessionMailbox.closed)) }
            tellEnded()
            if inbox.isClosed { return nil }
            if inbox.requests.isEmpty { return inbox.hasDemand }
        }
    }

    /// Gives a request to the machine; after the close it fails at once.
    private func take(_ request: SessionMailbox.Request, isClosed: Bool) {
        if isClosed { return request.ticket.end(.failed(SessionMailbox.closed)) }
        tickets[request.ticket.id] = request.ticket
        feed(.request(request.ticket.id, request.request, ifSupported: request.ifSupported))
    }

    /// Takes one frame, if there is one: it is measured, passed to the machine, handed out, and requeued, in this
    /// order.
    ///
    /// - Returns: whether there was a frame.
    private func takeFrame() -> Bool {
        let asked = world.now()
        switch world.camera.dequeue() {
        case .empty:
            emptyAt = asked
            return false
        case .failed(let errno):
            lose(broken(errno))
            return false
        case .frame(let frame):
            lastFrameAt = world.now()
            let observed = intake.observe(frame, notBefore: emptyAt, for: machine)
            feed(.frame(observed))
            outputs.deliver(frame, observed, machine.state, from: intake)
            tellEnded()
            // A driver that does not take a buffer back is gone, which the next dequeue reports too.
            _ = world.camera.requeue(frame)
            return true
        }
    }

    /// Tells the machine that time has passed, unless no frame has come for too long.
    private func passTime() {
        if world.now() >= lastFrameAt + patience {
            lose(world.camera.noFrame(for: patience))
        } else {
            feed(.tick)
        }
        tellEnded()
    }

    /// The stream is over: every request fails with this, and outputs end.
    private func lose(_ error: DeviceError) {
        failure = error
        feed(.lost(error))
        outputs.finish()
        tellEnded()
    }

    private func broken(_ code: Int32) -> DeviceError {
        let id = world.camera.identity.id
        if code == ENODEV {
            return DeviceError(.notFound, "camera \(id) was unplugged while it was streaming")
        }
        return DeviceError(
            .failed, "camera \(id) broke its stream off: \(String(cString: strerror(code)))")
    }

    /// Passes an event to the machine, carries out the exchange that it orders, and passes it the result, until it
    /// orders none.
    ///
    /// At most one exchange is under way at a time. The state is published after all of it, so nobody sees an event
    /// half applied.
    private func feed(_ event: ManualEvent) {
        var next: ManualEvent? = event
        while let event = next {
            next = nil
            for action in machine.handle(event, at: world.now()) {
                switch action {
                case .perform(let exchange): next = .performed(port.perform(exchange))
                case .complete(let id, let outcome):
                    if let ticket = tickets.removeValue(forKey: id) {
                        ended.append((ticket, outcome))
                    }
                }
            }
        }
        mailbox.state = machine.state
        outputs.publish(machine.state)
    }

    /// Tells those who asked, last of all: what they see then is complete.
    private func tellEnded() {
        for (ticket, outcome) in ended { ticket.end(outcome) }
        ended = []
    }
}
