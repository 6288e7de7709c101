internal import Engine
internal import Glibc

/// A line on the terminal that says how far a run is; silent where there is no terminal.
final class ProgressDisplay {
    private let progress: RunProgress
    private let total: Int64?
    private let isShown: Bool
    private let startedAt: Int

    init(_ progress: RunProgress, total: Int64?, isShown: Bool) {
        self.progress = progress
        self.total = total
        self.isShown = isShown
        startedAt = Self.milliseconds()
    }

    /// Draws the line anew.
    func update() {
        guard isShown else { return }
        Console.say("\r\(line)\u{1b}[K")
    }

    /// Draws it for the last time and goes on to the next line.
    func finish() {
        guard isShown else { return }
        Console.say("\r\(line)\u{1b}[K\n")
    }

    private var line: String {
        let slots = progress.slots
        let elapsed = max(1, Self.milliseconds() - startedAt)
        let perSecond = slots * 10_000 / Int64(elapsed)
        var text = "\(slots)"
        if let total {
            let filled = total == 0 ? 24 : Int(slots * 24 / max(total, 1))
            text =
                "[" + String(repeating: "█", count: filled)
                + String(repeating: "·", count: 24 - filled) + "] \(slots)/\(total)"
        }
        text += " slots  \(perSecond / 10).\(perSecond % 10)/s  holes \(progress.holes)"
        if let total, slots > 0, slots < total {
            let left = Int64(elapsed) * (total - slots) / slots / 1_000
            text += "  \(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60) left"
        }
        return text
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
