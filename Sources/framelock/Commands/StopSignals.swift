internal import Devices
internal import LinuxDevices

/// SIGINT, SIGTERM and SIGHUP as requests to stop: the first ends the run in order, the second at once.
///
/// Belongs to the main thread, except for ``requests``.
final class StopSignals {
    /// Looks of the main thread, at 50 ms each, after which a run that was told to stop at once counts as hung: ten
    /// seconds, since the writers have two of their own.
    private static let patience = 200

    /// For a simulated world, which has no descriptors to poll.
    let requests = StopRequests()
    /// For a Linux world.
    let descriptor: Int32?
    private var looks = 0

    init() {
        descriptor = Interrupts.catchSignals()
    }

    /// Passes signals that came on to whoever counts requests.
    ///
    /// - Returns: false if a run that was told to stop at once has not done so for a long time.
    func pass() -> Bool {
        while requests.count < Interrupts.count() { requests.request() }
        if requests.count > 1 { looks += 1 }
        return looks <= Self.patience
    }

    /// Gives the signals their usual meaning back.
    func release() {
        Interrupts.release()
    }
}
