internal import Engine
internal import Records
internal import Synchronization

/// The runner on its way to the capture thread and its result on the way back.
///
/// Shared without a lock: the thread alone touches runner and outcome until it sets `done`; the thread that started it
/// reads the outcome only after that.
final class CaptureWork: @unchecked Sendable {
    private let runner: Runner
    /// What the runner came to, written once, before `done`; nil until then.
    private var outcome: Result<Judgement, any Error>?
    private let done = Atomic<Bool>(false)

    init(_ runner: Runner) {
        self.runner = runner
    }

    /// Whether ``result()`` may be asked for; cheap enough to be polled.
    var isDone: Bool { done.load(ordering: .acquiring) }

    /// The capture thread's body, called once: runs to the verdict and keeps what was thrown.
    func perform() {
        outcome = Result { try runner.run() }
        done.store(true, ordering: .releasing)
    }

    /// The verdict, after the thread was joined.
    ///
    /// - Throws: what the run threw; ``Failure`` with exit code 70 if the thread ended before it had a result.
    func result() throws -> Judgement {
        guard let outcome else {
            throw Failure(exitCode: 70, message: "the capture thread ended without a result")
        }
        return try outcome.get()
    }
}
