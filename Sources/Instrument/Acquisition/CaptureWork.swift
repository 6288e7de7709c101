internal import Engine
internal import Records
internal import Synchronization

/// The runner on its way to the capture thread and its result on the way back.
///
/// Shared without a lock: the thread alone touches runner and outcome until it sets `done`; the thread that started it
/// reads the outcome only after that.
final class CaptureWork: @unchecked Sendable {
    private let runner: Runner
    private var outcome: Result<Judgement, any Error>?
    private let done = Atomic<Bool>(false)

    init(_ runner: Runner) {
        self.runner = runner
    }

    var isDone: Bool { done.load(ordering: .acquiring) }

    func perform() {
        outcome = Result { try runner.run() }
        done.store(true, ordering: .releasing)
    }

    func result() throws -> Judgement {
        guard let outcome else {
            throw Failure(exitCode: 70, message: "the capture thread ended without a result")
        }
        return try outcome.get()
    }
}
