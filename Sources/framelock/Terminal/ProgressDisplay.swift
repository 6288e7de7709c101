internal import Engine
internal import Glibc
internal import Timebase

/// A line on the terminal that shows how far a run is; silent where there is no terminal.
///
/// Belongs to the thread that waits for the run. The capture thread is never asked: it only counts, in ``RunProgress``.
final class ProgressDisplay {
    private let progress: RunProgress
    /// Chooses what fits into the width, and knows the plan's total and duration.
    private let line: ProgressLine
    private let isShown: Bool
    /// `CLOCK_MONOTONIC` when the display was made; the pace and the time left count from it.
    private let startedAt: Interval
    /// Whether the line was drawn; only then has the cursor to leave it.
    private var isDrawn = false

    /// Starts to count time.
    ///
    /// - Parameters:
    ///   - progress: the run's counters.
    ///   - line: the plan's total and expected duration.
    ///   - isShown: false where standard error is no terminal, or with `--quiet`.
    init(_ progress: RunProgress, _ line: ProgressLine, isShown: Bool) {
        self.progress = progress
        self.line = line
        self.isShown = isShown
        startedAt = Self.now()
    }

    /// Draws the line again; called twenty times a second while the run lasts.
    ///
    /// Carriage return and `ESC[K` (erase to the end of the line) keep it in one place.
    func update() {
        guard isShown else { return }
        isDrawn = true
        Console.draw("\r\(text)\u{1b}[K")
    }

    /// Draws it for the last time and goes on to the next line, if it was drawn at all.
    ///
    /// Called however the run ends, so that an error message begins in a line of its own.
    func finish() {
        guard isDrawn else { return }
        Console.draw("\r\(text)\u{1b}[K\n")
    }

    private var text: String {
        line.text(
            slots: progress.slots, holes: progress.holes, elapsed: Self.now() - startedAt,
            width: Self.width())
    }

    /// Columns of the terminal at this moment; 80 where it does not report them.
    private static func width() -> Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// `CLOCK_MONOTONIC`, since a person who sets the clock must not see the pace jump.
    private static func now() -> Interval {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .nanoseconds(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
