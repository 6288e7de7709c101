internal import Engine
internal import LinuxDevices

/// SIGINT and SIGTERM as requests to stop: the first ends the run in order, the second at once.
struct StopSignals {
    /// For a simulated world, which has no descriptors to poll.
    let requests = StopRequests()
    /// For a Linux world.
    let descriptor: Int32?

    init() {
        descriptor = Interrupts.catchSignals()
    }

    /// Passes signals that came on to whoever counts requests.
    func pass() {
        while requests.count < Interrupts.count() { requests.request() }
    }

    /// Gives the signals their usual meaning back.
    func release() {
        Interrupts.release()
    }
}
