internal import CDevices
internal import Glibc

/// A counting semaphore whose waits end by the monotonic clock: a step of realtime makes none longer.
///
/// Signalling allocates nothing and takes no lock.
///
/// Unsafe memory, because POSIX wants a semaphore to stay at one address; it is made for several threads.
package final class Semaphore: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    /// Creates a semaphore that counts zero.
    package init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Counts one more, and wakes one that waits.
    package func signal() { sem_post(semaphore) }

    /// Takes one if there is one.
    package func tryWait() -> Bool { sem_trywait(semaphore) == 0 }

    /// Sleeps until there is one, and takes it.
    package func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }

    /// Sleeps for so long at most; false if there was none.
    ///
    /// A signal to the process may end it early.
    package func wait(milliseconds: Int) -> Bool {
        cdevices_semaphore_wait(semaphore, milliseconds) == 0
    }
}
