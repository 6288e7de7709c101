import Foundation
import Testing

/// Lets no more suites run at the same time than the machine has processors, and deletes what each recorded as soon as
/// it is over: the records of all never have to fit on the disk together.
struct SuiteTurns: SuiteTrait, TestTrait, TestScoping {
    /// The file of the suite that hands it on to those in it, and takes no turn of its own.
    let outermost: String

    /// What is handed on has to fit the tests in a suite as well, where it does nothing.
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite && test.sourceLocation.fileID != outermost ? self : nil
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing tests: @Sendable () async throws -> Void
    ) async throws {
        await Self.turns.begin()
        let result: Result<Void, any Error>
        do { result = .success(try await tests()) } catch { result = .failure(error) }
        Scenario.discardFrames(of: test.sourceLocation.fileID)
        await Self.turns.end()
        try result.get()
    }

    private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount)

    private actor Turns {
        private var free: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(_ count: Int) { free = count }

        func begin() async {
            if free > 0 { return free -= 1 }
            await withCheckedContinuation { waiting.append($0) }
        }

        /// Whoever waited longest has the turn.
        func end() {
            if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
        }
    }
}

extension Trait where Self == SuiteTurns {
    /// As many suites at a time as the machine has processors; their frames are deleted at their end.
    static func turns(_ outermost: String = #fileID) -> Self { Self(outermost: outermost) }
}
