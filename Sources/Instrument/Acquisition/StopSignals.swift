internal import Devices
internal import LinuxDevices

/// SIGINT, SIGTERM and SIGHUP as requests to stop: the first ends the run in order, the second at once.
///
/// Belongs to the main thread, except for ``requests``.
package final class StopSignals {
    /// Looks of the main thread, at 50 ms each, after which a run that was asked to stop at once counts as hung: ten
    /// seconds, since the writers have two of their own.
    private static let patience = 200

    /// What the signals are counted as.
    let requests = StopRequests()
    /// Becomes readable at each signal, so that a wait ends at once.
    let descriptor: Int32?
    /// How often the main thread has looked since the second request; see ``patience``.
    private var looks = 0

    /// Catches the signals from now on.
    package init() {
        descriptor = Interrupts.catchSignals()
    }

    /// Passes signals that came on to whoever counts requests.
    ///
    /// - Returns: false if a run that was asked to stop at once has not done so for a long time.
    package func pass() -> Bool {
        while requests.count < Interrupts.count() { requests.request() }
        if requests.count > 1 { looks += 1 }
        return looks <= Self.patience
    }

    /// Gives the signals their usual meaning back.
    package func release() {
        Interrupts.release()
    }
}
