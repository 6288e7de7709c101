internal import ArgumentParser
internal import Calibration
internal import Glibc
internal import Instrument
internal import Logging
internal import Notation
internal import Synchronization

/// Data goes to standard output, every message for a person to standard error.
///
/// Nothing else in the module writes to either. Scripts rely on it: standard output holds one result, whole, or
/// nothing.
enum Console {
    /// The log of the program, the same one that the library writes to; its lines end in ``StandardErrorLog``.
    static var log: Logger { Log.framelock }

    /// Whether anything was written to standard output.
    ///
    /// After that a failure is reported on standard error alone: a second JSON value behind the first would make both
    /// unreadable. Atomic, since the commands that follow a stream write from the concurrency pool.
    private static let hasOutput = Atomic<Bool>(false)

    /// Whether standard error is a terminal.
    ///
    /// Progress is shown to people only; a log file would fill with redrawn lines.
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// Opens those of standard input, output and error that are closed, on `/dev/null`, to be read only.
    ///
    /// Else the next files, those of the record, would get their numbers, and words for people would stand in them.
    /// What is written there fails with EBADF, as it would without: results that nobody gets are no success.
    static func openClosedStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO
        where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Makes a file that reached the limit of `ulimit -f` an error of the write, like a full disk.
    static func takeFileLimitsForErrors() { _ = signal(SIGXFSZ, SIG_IGN) }

    /// Writes a line of data, and waits for a slow reader as long as it takes.
    ///
    /// Texts of run folders and devices may have anything in them: no control character reaches the terminal.
    ///
    /// - Throws: ``Failure`` with exit code 74 if it can't be written whole: a script must not take part of it for all.
    static func output(_ text: String) throws {
        hasOutput.store(true, ordering: .relaxed)
        let error = write(text.forTerminal + "\n", to: STDOUT_FILENO, patienceMilliseconds: -1)
        guard error == 0 else {
            let reason = String(cString: strerror(error))
            throw Failure.inputOutput("can't write to standard output: \(reason)")
        }
    }

    /// Writes to standard error, without control characters; what nobody takes within a second is left out, since a
    /// run can't wait for it.
    static func say(_ text: String) { draw(text.forTerminal) }

    /// Writes to standard error as it is, what the terminal is to do included.
    static func draw(_ text: String) {
        _ = write(text, to: STDERR_FILENO, patienceMilliseconds: 1_000)
    }

    /// Runs a command's work; a failure is reported and becomes the exit code.
    ///
    /// - Parameter asJSON: whether a failure is also written to standard output, as `{"error": …}`, unless the command
    ///   has written there already.
    static func run(asJSON: Bool = false, _ work: () throws -> Void) throws {
        do {
            try work()
        } catch let code as ExitCode {
            throw code
        } catch {
            let failure = Self.failure(error)
            if asJSON { output(failure) }
            say(failure.message.hasPrefix("framelock") ? failure.message : prefixed(failure))
            throw ExitCode(failure.exitCode)
        }
    }

    /// Writes a failure as data, unless data were written before; what can't be written is lost.
    static func output(_ failure: Failure) {
        guard !hasOutput.load(ordering: .relaxed) else { return }
        try? output(failure.json.text(.pretty))
    }

    /// What a failure amounts to; errors of calibrations, which the library does not know, have the codes of
    /// docs/verdicts.md.
    private static func failure(_ error: any Error) -> Failure {
        guard let error = error as? CalibrationError else { return Failure(error) }
        let code: Int32 =
            switch error.kind {
            case .scene: 76
            case .camera: 69
            case .profile: 65
            case .stopped: 130
            }
        return Failure(exitCode: code, message: error.message)
    }

    /// Diagnostics stand for themselves, as `file:line:column: error: …`; anything else names the program.
    private static func prefixed(_ failure: Failure) -> String {
        failure.message.contains(": error: ")
            ? failure.message + "\n" : "framelock: error: \(failure.message)\n"
    }

    /// Writes everything, waiting for a reader where the descriptor itself does not.
    ///
    /// - Parameter patienceMilliseconds: how long to wait for a reader at a time; −1 for ever.
    /// - Returns: 0, or the positive errno; EAGAIN where the patience ended.
    private static func write(
        _ text: String, to descriptor: Int32, patienceMilliseconds: Int32
    ) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&entry, 1, patienceMilliseconds) == 0 { return EAGAIN }
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}

/// Log lines as people read them: the program, the severity from a warning on, the message.
///
/// Has no time of its own: under systemd the journal adds one, and a person sees when a line comes.
struct StandardErrorLog: LogHandler {
    /// Kept because the protocol asks for it; lines do not show it.
    var metadata: Logger.Metadata = [:]
    /// `info`, so that debug figures such as the stack used by a run stay out.
    var logLevel: Logger.Level = .info

    /// Reads and sets a member of ``metadata``; nobody here does.
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line; what nobody takes within a second is lost, as with every message.
    func log(event: LogEvent) {
        let grade = event.level >= .warning ? "\(event.level): " : ""
        Console.say("framelock: \(grade)\(event.message)\n")
    }
}
