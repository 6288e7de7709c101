import Testing

/// Deletes the frames that a suite's scenarios recorded when its last test is over, so that the records of all suites
/// never have to fit on the disk together.
struct DiscardsFrames: SuiteTrait, TestScoping {
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { test.isSuite ? self : nil }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // Suites of the bench run one after the other: what is there now is this suite's, or was emptied before.
        defer { Scenario.discardFrames(in: Scenario.folder) }
        try await function()
    }
}

extension Trait where Self == DiscardsFrames {
    /// Deletes the frames that a suite's scenarios recorded when its last test is over.
    static var discardsFrames: Self { Self() }
}
