import Dispatch
import Foundation
import Synchronization

/// Room for guests: one a processor, since each keeps one busy; one in real time runs alone.
enum Guests {
    private static let most = ProcessInfo.processInfo.activeProcessorCount
    private static let places = DispatchSemaphore(value: most)
    /// Of two that want every place, each would wait for the other's.
    private static let all = Mutex(())

    /// Runs `body`, which starts a guest and waits for its end, as soon as there is room for it.
    static func withPlace<Value>(isAlone: Bool, _ body: () throws -> Value) rethrows -> Value {
        let count = isAlone ? most : 1
        if isAlone {
            all.withLock { _ in for _ in 0..<count { places.wait() } }
        } else {
            places.wait()
        }
        defer { for _ in 0..<count { places.signal() } }
        return try body()
    }
}
