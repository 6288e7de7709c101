import Glibc
import Synchronization

/// The signals that end or unplug the camera: blocked, except while it waits.
enum SignalWatch {
    private static let ended = Atomic<Bool>(false)
    private static let toggles = Atomic<Int>(0)

    static var hasEnded: Bool { ended.load(ordering: .relaxed) }

    /// Whether the cable was pulled or plugged by SIGUSR1 since the last call.
    static func takeToggle() -> Bool { toggles.exchange(0, ordering: .relaxed) % 2 == 1 }

    /// Blocks the signals; the returned mask lets them through while waiting.
    static func start() -> sigset_t {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            // Only lock-free stores: this runs in a signal handler.
            if number == SIGUSR1 {
                SignalWatch.toggles.add(1, ordering: .relaxed)
            } else {
                SignalWatch.ended.store(true, ordering: .relaxed)
            }
        }
        var blocked = sigset_t()
        var waiting = sigset_t()
        sigemptyset(&blocked)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGUSR1] {
            sigaction(number, &action, nil)
            sigaddset(&blocked, number)
        }
        signal(SIGPIPE, SIG_IGN)
        pthread_sigmask(SIG_BLOCK, &blocked, &waiting)
        return waiting
    }
}
