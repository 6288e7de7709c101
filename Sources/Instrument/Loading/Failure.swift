internal import Devices
public import Notation
internal import Records

/// Why a command ends before its work is done: what to tell the person, and the exit code (sysexits.h).
public struct Failure: Error {
    /// The exit code of sysexits.h, or of docs/verdicts.md.
    public let exitCode: Int32
    /// What failed, where, and what to do; diagnostics with their places.
    public let message: String
    /// What is wrong with the recipe, where that is it.
    public var diagnostics: DiagnosticList?

    package static func usage(_ message: String) -> Failure {
        Failure(exitCode: 64, message: message)
    }
    package static func recipe(_ message: String) -> Failure {
        Failure(exitCode: 65, message: message)
    }
    package static func recipe(_ list: DiagnosticList, _ renderer: DiagnosticRenderer) -> Failure {
        Failure(exitCode: 65, message: renderer.render(list), diagnostics: list)
    }
    package static func unavailable(_ message: String) -> Failure {
        Failure(exitCode: 69, message: message)
    }
    package static func inputOutput(_ message: String) -> Failure {
        Failure(exitCode: 74, message: message)
    }

    /// The failure that an error of a lower module amounts to.
    public init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as DeviceError:
            self.init(exitCode: Self.exitCode(error.kind), message: error.message)
        case let problem as SettingProblem:
            let hint = problem.hint.map { " (\($0))" } ?? ""
            self.init(exitCode: 65, message: problem.message + hint)
        case let error as StorageError:
            self.init(exitCode: 74, message: "\(error)")
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

    private static func exitCode(_ kind: DeviceError.Kind) -> Int32 {
        switch kind {
        case .notFound, .unsupported, .refused: 69
        case .busy, .notReady: 75
        case .permission: 77
        case .failed: 74
        }
    }
}
