internal import ArgumentParser
internal import Glibc
internal import Logging

/// Data goes to standard output, everything said to a person to standard error.
enum Console {
    /// The log of the program.
    static let log: Logger = {
        var logger = Logger(label: "framelock") { _ in StandardErrorLog() }
        logger.logLevel = .info
        return logger
    }()

    /// Whether standard error is a terminal.
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a line of data.
    static func output(_ text: String) {
        write(text + "\n", to: STDOUT_FILENO)
    }

    /// Writes to standard error as it is.
    static func say(_ text: String) {
        write(text, to: STDERR_FILENO)
    }

    /// Runs a command's work; a failure is told and becomes the exit code.
    static func run(_ work: () throws -> Void) throws {
        do {
            try work()
        } catch let code as ExitCode {
            throw code
        } catch {
            let failure = Failure(error)
            say(failure.message.hasPrefix("framelock") ? failure.message : prefixed(failure))
            throw ExitCode(failure.exitCode)
        }
    }

    /// Diagnostics stand for themselves, as `file:line:column: error: …`; anything else says who speaks.
    private static func prefixed(_ failure: Failure) -> String {
        failure.message.contains(": error: ")
            ? failure.message + "\n" : "framelock: error: \(failure.message)\n"
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// Log lines as people read them: who speaks, how grave it is, what.
private struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let grade = event.level >= .warning ? "\(event.level): " : ""
        Console.say("framelock: \(grade)\(event.message)\n")
    }
}
