internal import Devices
internal import Synchronization

/// What crosses between those who ask and the capture thread.
///
/// One lock, which is never held while anybody is waited for. In virtual time the thread lets time pass only while
/// somebody waits for something ("demand"), so that a program of requests gives the same frames each time.
final class SessionMailbox: Sendable {
    /// A request on its way.
    struct Request: Sendable {
        let ticket: ControlTicket
        let request: ManualRequest
        let ifSupported: Bool
    }

    private struct Contents {
        var requests: [Request] = []
        var nextID: UInt64 = 1
        var demand = 0
        var isClosed = false
        var state = ManualState()
        var hasEnded = false
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let contents = Mutex(Contents())
    private let wakeSignal = Semaphore()
    /// Ends the world's own wait, as the semaphore ends `sleep`.
    ///
    /// Which of the two the thread is in is unknown, so both.
    private let wakeWorld: @Sendable () -> Void

    /// Creates an empty mailbox.
    ///
    /// - Parameter wakeWorld: is called from any thread.
    init(wakeWorld: @escaping @Sendable () -> Void) {
        self.wakeWorld = wakeWorld
    }

    /// Puts a request in; ids rise in the order of calls.
    ///
    /// - Returns: a ticket, which has failed already if the session is closed.
    func put(_ request: ManualRequest, ifSupported: Bool) -> ControlTicket {
        let (ticket, isClosed) = contents.withLock { contents in
            let ticket = ControlTicket(id: RequestID(contents.nextID), mailbox: self)
            contents.nextID += 1
            contents.requests.append(
                Request(ticket: ticket, request: request, ifSupported: ifSupported))
            return (ticket, contents.isClosed)
        }
        if isClosed { ticket.end(.failed(Self.closed)) }
        wake()
        return ticket
    }

    /// What was put in, and how things stand at the same moment.
    struct Inbox {
        var requests: [Request]
        var isClosed: Bool
        var hasDemand: Bool
    }

    /// Takes everything that was put in.
    ///
    /// Whoever waits for a request has put it in before, so all that is waited for is among what was taken so far.
    func take() -> Inbox {
        contents.withLock { contents in
            defer { contents.requests = [] }
            return Inbox(
                requests: contents.requests, isClosed: contents.isClosed,
                hasDemand: contents.demand > 0)
        }
    }

    /// Somebody waits for time to pass; each call is taken back by one of ``removeDemand(_:)``.
    func addDemand() {
        contents.withLock { $0.demand += 1 }
        wake()
    }

    /// So many wait no more.
    func removeDemand(_ count: Int) {
        contents.withLock { $0.demand -= count }
    }

    /// Whether anybody waits.
    var hasDemand: Bool { contents.withLock { $0.demand > 0 } }

    /// Ends the session: the capture thread fails what is open and lets go of the camera; may be called more than once.
    func close() {
        contents.withLock { $0.isClosed = true }
        wake()
    }

    /// The capture thread has let go of the camera.
    func noteEnd() {
        let waiting = contents.withLock { contents in
            contents.hasEnded = true
            defer { contents.waitingForEnd = [] }
            return contents.waitingForEnd
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the capture thread has let go of the camera.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = contents.withLock { contents in
                if !contents.hasEnded { contents.waitingForEnd.append(continuation) }
                return contents.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// What was observed last.
    var state: ManualState {
        get { contents.withLock { $0.state } }
        set { contents.withLock { $0.state = newValue } }
    }

    /// Sleeps until something is put in or demanded; for the capture thread, while it has nothing to wait for.
    func sleep() { wakeSignal.wait() }

    /// Wakes the capture thread out of either wait.
    private func wake() {
        wakeSignal.signal()
        wakeWorld()
    }

    /// What requests fail with that were open at the close, or came after it.
    static let closed = DeviceError(.failed, "the camera session is closed")
}
