internal import Devices
internal import Synchronization

/// Waits on the main thread for work that is asynchronous.
///
/// Commands stay synchronous: threads of the concurrency pool have small stacks, and reading a recipe wants a large
/// one.
package enum Waiting {
    /// Does the work on the concurrency pool, and returns on this thread when it has ended.
    ///
    /// Must not be called from the pool itself: it would block one of the threads that the work needs.
    ///
    /// - Throws: what the work throws.
    package static func `for`<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let answer = Answer<Value>()
        Task {
            do {
                answer.give(.success(try await work()))
            } catch {
                answer.give(.failure(error))
            }
        }
        return try answer.take().get()
    }
}

/// One result on its way from another thread; given once, taken once.
private final class Answer<Value: Sendable>: Sendable {
    private let isGiven = Semaphore()
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func give(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        isGiven.signal()
    }

    /// Blocks until the result is there; looks again after a wake-up without one.
    func take() -> Result<Value, any Error> {
        while true {
            isGiven.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
