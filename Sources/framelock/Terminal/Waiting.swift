internal import Glibc
internal import Synchronization

/// Waits on the main thread for work that is asynchronous.
///
/// Commands stay synchronous: threads of the concurrency pool have small stacks, and reading a recipe wants a large
/// one.
enum Waiting {
    /// Does the work and returns when it has ended.
    static func `for`<Value: Sendable>(
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

/// One result on its way from another thread.
///
/// Unsafe memory, because POSIX wants a semaphore to stay at one address; it is made for several threads.
private final class Answer<Value: Sendable>: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let result = Mutex<Result<Value, any Error>?>(nil)

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func give(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
        sem_post(semaphore)
    }

    func take() -> Result<Value, any Error> {
        while true {
            while sem_wait(semaphore) != 0, errno == EINTR {}
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
