internal import Engine
internal import Glibc
internal import Timebase

/// A line on the terminal that says how far a run is; silent where there is no terminal.
final class ProgressDisplay {
    private let progress: RunProgress
    private let line: ProgressLine
    private let isShown: Bool
    private let startedAt: Interval
    private var isDrawn = false

    init(_ progress: RunProgress, _ line: ProgressLine, isShown: Bool) {
        self.progress = progress
        self.line = line
        self.isShown = isShown
        startedAt = Self.now()
    }

    /// Draws the line anew.
    func update() {
        guard isShown else { return }
        isDrawn = true
        Console.say("\r\(text)\u{1b}[K")
    }

    /// Draws it for the last time and goes on to the next line, if it was drawn at all.
    func finish() {
        guard isDrawn else { return }
        Console.say("\r\(text)\u{1b}[K\n")
    }

    private var text: String {
        line.text(
            slots: progress.slots, holes: progress.holes, elapsed: Self.now() - startedAt,
            width: Self.width())
    }

    /// Columns of the terminal at this moment; 80 where it does not say.
    private static func width() -> Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    private static func now() -> Interval {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
