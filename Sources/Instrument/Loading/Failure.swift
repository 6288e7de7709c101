internal import Devices
internal import Glibc
public import Notation
internal import Records

/// Why a command ends before its work is done: the message for the user, and the exit code (sysexits.h).
public struct Failure: Error {
    /// The exit code of sysexits.h, or of docs/verdicts.md.
    public let exitCode: Int32
    /// What failed, where, and what to do; diagnostics with their places.
    public let message: String
    /// What is wrong with the recipe, where that is it.
    public var diagnostics: DiagnosticList?

    /// Options or arguments that can't be meant; exit code 64.
    package static func usage(_ message: String) -> Failure {
        Failure(exitCode: 64, message: message)
    }
    /// Recipe, rig or profile that can't be used; exit code 65.
    package static func recipe(_ message: String) -> Failure {
        Failure(exitCode: 65, message: message)
    }
    /// The same with every diagnostic, rendered with its line of the file; programs get the list itself in ``json``.
    package static func recipe(_ list: DiagnosticList, _ renderer: DiagnosticRenderer) -> Failure {
        Failure(exitCode: 65, message: renderer.render(list), diagnostics: list)
    }
    /// A camera that is not there or can't do what is wanted; exit code 69.
    package static func unavailable(_ message: String) -> Failure {
        Failure(exitCode: 69, message: message)
    }
    /// A stream or file of the host's that failed; exit code 74.
    package static func inputOutput(_ message: String) -> Failure {
        Failure(exitCode: 74, message: message)
    }

    /// The failure that an error of a lower module amounts to.
    ///
    /// What no module promises to throw becomes exit code 70: an internal error, worth a report.
    public init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as DeviceError:
            self.init(exitCode: Self.exitCode(error.kind), message: error.message)
        case let problem as SettingProblem:
            let hint = problem.hint.map { " (\($0))" } ?? ""
            self.init(exitCode: 65, message: problem.message + hint)
        case let error as StorageError:
            let isForbidden = [EACCES, EPERM].contains(error.errno)
            self.init(exitCode: isForbidden ? 77 : 74, message: "\(error)")
        case let error as UnreadableRun:
            self.init(exitCode: error.exitCode, message: error.message)
        default: self.init(exitCode: 70, message: "\(error)")
        }
    }

    package init(exitCode: Int32, message: String, diagnostics: DiagnosticList? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.diagnostics = diagnostics
    }

    /// `{"error": …}`: exit code and message, and the diagnostics where a file is wrong.
    package var json: JSONValue {
        [
            "error": [
                "exit_code": .integer(Int64(exitCode)), "message": .string(message),
                "diagnostics": diagnostics?.jsonValue["diagnostics"] ?? [],
                "omitted": .integer(Int64(diagnostics?.omittedCount ?? 0)),
            ]
        ]
    }

    /// The codes of docs/verdicts.md: 69 unavailable, 74 failed, 75 worth another try, 77 no right.
    private static func exitCode(_ kind: DeviceError.Kind) -> Int32 {
        switch kind {
        case .notFound, .unsupported, .refused: 69
        case .busy, .notReady: 75
        case .permission: 77
        case .failed: 74
        }
    }
}
