public import Notation

/// What `framelock verify` found.
public struct VerificationReport: Hashable, Sendable {
    /// Something that does not fit together.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The file, relative to the run folder.
        public var file: String
        /// The line, from 1; nil where lines mean nothing.
        public var line: Int?
        /// What is wrong: what was found, what was expected.
        public var message: String

        /// The problem on one line: `ledger.csv:12: …`.
        public var description: String {
            "\(file):\(line.map { "\($0):" } ?? "") \(message)"
        }
    }

    /// So many problems are listed; the rest is counted.
    public static let maximumListed = 100

    /// The run's folder.
    public internal(set) var path: String
    /// Whether the run came to its end.
    ///
    /// If not, what is there was checked.
    public internal(set) var isFinalised: Bool
    /// The first problems, in the order of finding.
    public private(set) var problems: [Problem] = []
    /// All problems.
    public private(set) var problemCount = 0
    /// Rows of the ledger that were read.
    public internal(set) var slots: Int64 = 0
    /// Frames whose bytes were read and compared.
    public internal(set) var frames: Int64 = 0
    /// Whether the run recorded pixels at all.
    public internal(set) var hasPixels = true
    /// What is known of a run's signature.
    public enum Signature: Hashable, Sendable {
        /// There is one, and nobody asked whose it is.
        case unchecked
        /// It is good, and of one of those who may sign, by this name.
        case good(String)
    }

    /// Nil where there is no signature, or it is none of those who may sign.
    public var signature: Signature?
    /// Whether something could not be read at all.
    public private(set) var isUnreadable = false
    /// Whether there is no `run.json` yet, so that nothing can be checked.
    var isCutAtStart = false

    init(path: String, isFinalised: Bool) {
        self.path = path
        self.isFinalised = isFinalised
    }

    /// Whether everything that is there fits together.
    public var isConsistent: Bool { problemCount == 0 }

    /// What `framelock verify` exits with.
    ///
    /// 0 if all fits, 65 if not, 74 if something could not be read, 84 if the run is not finalised and what is there
    /// fits: a script must not take the beginning of a run for the whole.
    public var exitCode: Int32 {
        if isUnreadable { return 74 }
        if !isConsistent { return 65 }
        return isFinalised ? 0 : 84
    }

    /// - Parameters:
    ///   - file: relative to the run folder.
    ///   - line: from 1; nil where the file has none.
    ///   - message: what was found, and what was expected.
    package mutating func add(_ file: String, line: Int? = nil, _ message: String) {
        problemCount += 1
        guard problems.count < Self.maximumListed else { return }
        problems.append(Problem(file: file, line: line, message: message))
    }

    /// Adds a problem after which the exit code is 74, whatever else is found.
    mutating func add(unreadable file: String, _ error: StorageError) {
        isUnreadable = true
        // Hashes and rows read the same file.
        let problem = Problem(file: file, line: nil, message: "\(error)")
        if !problems.contains(problem) { add(file, problem.message) }
    }

    /// The report as JSON.
    public var json: JSONValue {
        [
            "path": .string(path),
            "state": isFinalised ? "finalised" : "running",
            "consistent": .bool(isConsistent),
            "exit_code": .integer(Int64(exitCode)),
            "slots": .integer(slots),
            "frames": .integer(frames),
            "signed": .bool(signature != nil), "signer": signer.map { .string($0) } ?? .null,
            "problem_count": .integer(Int64(problemCount)),
            "problems": .array(
                problems.map { problem in
                    [
                        "file": .string(problem.file),
                        "line": problem.line.map { .integer(Int64($0)) } ?? .null,
                        "message": .string(problem.message),
                    ]
                }),
        ]
    }

    /// Who signed the run; nil where nobody asked, it is none of those who may, or the run is not what was signed.
    private var signer: String? {
        if case .good(let name) = signature, isConsistent { name } else { nil }
    }

    private var signatureText: String {
        switch signature {
        case nil: ""
        case .unchecked: "; its signature was not checked: --allowed-signers does"
        case .good: signer.map { ", signed by \($0)" } ?? "; not what was signed"
        }
    }

    /// The report for people, several lines.
    public var text: String {
        guard !isCutAtStart else {
            return
                "\(path): not finalised: nothing can be checked without run.json, as of a run that was"
                + " cut at its start"
        }
        var lines = problems.map(\.description)
        if problemCount > problems.count {
            lines.append("… and \(problemCount - problems.count) problems more")
        }
        if !isFinalised {
            lines.append(
                "not finalised: the run still goes on, or was cut; what is there was checked")
        }
        let what =
            "\(slots.of("slot")), " + (hasPixels ? frames.of("frame") : "no pixels recorded")
            + signatureText
        lines.append(
            isConsistent
                ? "\(path): consistent (\(what))"
                : "\(path): \(problemCount.of("problem")) (\(what))")
        return lines.joined(separator: "\n")
    }
}
