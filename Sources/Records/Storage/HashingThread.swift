internal import Devices

/// A thread that takes the SHA-256 of bytes while its owner writes them.
///
/// One takes about as long as the other: in turn they would halve what a disk takes.
final class HashingThread {
    /// Fewer bytes are hashed sooner than a thread wakes.
    private static let worthwhileBytes = 256 << 10

    private let work = Work()
    /// Started for the first bytes that are worth it; nil too where the host can start none.
    private var thread: HostThread?

    /// Feeds bytes to a hash and does something else meanwhile; returns when both are done.
    ///
    /// - Parameters:
    ///   - hash: is fed; nil, which it is too once the other work fails: that is done alone.
    ///   - bytes: stay as they are until this returns.
    ///   - other: done by the calling thread.
    /// - Throws: what the other work throws.
    func update(
        _ hash: inout SHA256?, with bytes: UnsafeRawBufferPointer,
        while other: () throws(StorageError) -> Void
    ) throws(StorageError) {
        guard var next = hash else { return try other() }
        // Until it has succeeded: what failed is in no file.
        hash = nil
        if bytes.count >= Self.worthwhileBytes, isStarted() {
            work.give(next, bytes)
            // Also after an error, since the bytes are the caller's again.
            defer { next = work.take() }
            try other()
        } else {
            try other()
            next.update(bytes)
        }
        hash = next
    }

    private func isStarted() -> Bool {
        if thread == nil {
            thread = HostThread(.ordinary("fl-hash")) { [work] in work.run() }
        }
        return thread != nil
    }

    deinit {
        work.end()
        thread?.join()
    }

    /// What both threads share.
    ///
    /// Unsafe, because no lock guards it: the owner touches it before it signals ``isGiven`` and after it waited for
    /// ``isDone``, the thread between the two.
    private final class Work: @unchecked Sendable {
        private var hash = SHA256()
        private var bytes: UnsafeRawBufferPointer?
        private let isGiven = Semaphore()
        private let isDone = Semaphore()

        func give(_ hash: SHA256, _ bytes: UnsafeRawBufferPointer) {
            (self.hash, self.bytes) = (hash, bytes)
            isGiven.signal()
        }

        func take() -> SHA256 {
            isDone.wait()
            return hash
        }

        func end() {
            bytes = nil
            isGiven.signal()
        }

        /// The thread, until nothing is given.
        func run() {
            while true {
                isGiven.wait()
                guard let bytes else { return }
                hash.update(bytes)
                isDone.signal()
            }
        }
    }
}
