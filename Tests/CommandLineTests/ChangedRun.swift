import Foundation
import Testing

/// A recorded run that a script changes in many ways, with hashes made anew.
enum ChangedRun {
    /// The changes that begin like one of some words and that `framelock verify` does not find.
    ///
    /// - Parameters:
    ///   - only: words that changes begin with.
    ///   - run: the run's folder.
    ///   - script: in `Tests/python`; it prints a line for each change that passes.
    static func unfound(_ only: [String], in run: String, by script: String) throws -> [String] {
        let script = FramelockProgram.repository.appending(path: "Tests/python/\(script)")
        let result = try FramelockProgram.Started(
            try TestPython.with("json"),
            [script.path, try FramelockProgram.file().path, run] + only
        ).result()
        try #require(result.status == 0, "\(result.stderr)")
        // That there were any to try.
        #expect(!result.stderr.hasPrefix("0 changes"), "\(result.stderr)")
        return result.stdout.split(separator: "\n").map(String.init)
    }
}
