internal import ArgumentParser
internal import Instrument
internal import Logging
internal import Notation

/// The command line: one subcommand for each thing that a person does with the instrument.
///
/// Every subcommand does its work inside ``Console/run(asJSON:_:)``, so that data goes to standard output, words to
/// standard error, and a failure becomes one message and one exit code. Usage errors that ArgumentParser finds by
/// itself (an unknown option, `validate()`) end in its code 64 before any of that.
@main
struct Framelock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "framelock",
        abstract: "Turns a Linux board and a camera into a measuring instrument.",
        discussion: """
            A recipe states what to acquire; framelock acquires it that way, proves it frame by frame, and ends \
            with a verdict and its exit code: 0 trustworthy, 80 frames missing, 81 lock violated, 82 \
            trigger mismatch, 83 clock uncertain, 84 partial, 130 interrupted. Other codes are failures of a command: \
            64 usage, 65 recipe invalid, 69 device unavailable, 70 internal, 74 input or output, 75 busy, 76 \
            metering or calibration found no value, 77 permission.
            """,
        version: FramelockVersion.text,
        subcommands: [
            CheckCommand.self, PlanCommand.self, RunCommand.self, SimulateCommand.self,
            RunsCommand.self, ShowCommand.self, ReportCommand.self, VerifyCommand.self,
            SignCommand.self, RecoverCommand.self, ExportCommand.self, DiffCommand.self,
            RerunCommand.self,
            RefitCommand.self, DevicesCommand.self, CameraCommand.self, MeterCommand.self,
            WhiteBalanceCommand.self, CalibrateCommand.self,
        ])

    /// Options that may stand as often as there are values.
    private static let repeatable: Set<Substring> = ["--set", "--point", "--where"]

    /// Refuses an option that is there twice: the parser would take the last one in silence.
    private static func refuseRepeated(_ arguments: ArraySlice<String>) throws {
        var seen: Set<Substring> = []
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("--") {
            let name = argument.prefix { $0 != "=" }
            guard repeatable.contains(name) || seen.insert(name).inserted else {
                throw ValidationError("\(name) is given twice")
            }
        }
    }

    /// Refuses a command that does not exist: the parser would call it an unexpected argument and no more.
    private static func refuseUnknownCommand(_ argument: String?) throws {
        guard let argument, !argument.hasPrefix("-") else { return }
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        guard !names.contains(argument) else { return }
        let near = nearestWord(to: argument, in: names).map { "did you mean `\($0)`?" }
        throw ValidationError(
            "there is no command \(Diagnostic.quote(argument)): "
                + (near ?? "choose from \(names.joined(separator: ", "))"))
    }

    /// The process's entry: sets up the log first, so that the first message already has its form.
    ///
    /// A wrong command line is a failure like any other: with `--json` standard output has it as an object.
    static func main() {
        Console.openClosedStreams()
        Console.takeFileLimitsForErrors()
        LoggingSystem.bootstrap { _ in StandardErrorLog() }
        do {
            // A script's variable that is not set: as a folder it would be the root.
            if CommandLine.arguments.dropFirst().contains("") {
                throw ValidationError("an argument is empty")
            }
            try refuseUnknownCommand(CommandLine.arguments.dropFirst().first)
            var command = try parseAsRoot()
            try refuseRepeated(CommandLine.arguments.dropFirst())
            try command.run()
        } catch {
            // Also where it was given a value, which it does not take.
            let wantsJSON = CommandLine.arguments.contains {
                $0 == "--json" || $0.hasPrefix("--json=")
            }
            if wantsJSON, exitCode(for: error) == .validationFailure {
                Console.output(.usage(message(for: error)))
            }
            if !(error is ExitCode), exitCode(for: error).isSuccess {
                exit(withError: printed(fullMessage(for: error)))
            }
            exit(withError: error)
        }
    }

    /// Prints help or version: the parser itself would not say where nobody can read it.
    ///
    /// - Returns: what the process ends with.
    private static func printed(_ text: String) -> ExitCode {
        do {
            try Console.run { try Console.output(text) }
            return .success
        } catch {
            return exitCode(for: error)
        }
    }
}
