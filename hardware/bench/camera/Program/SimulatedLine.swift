import Glibc

/// A line of gpio-sim, seen from the outside of the chip: the camera's strobe output or its trigger input.
struct SimulatedLine: ~Copyable {
    private let file: Int32
    private let path: String
    private var wasHigh = false

    /// The strobe drives a line that programs see as an input, through its attribute `pull`.
    static func strobe(_ path: String) throws(SystemFailure) -> SimulatedLine {
        let line = try SimulatedLine(path: path, flags: O_WRONLY)
        try line.drive(isOn: false)
        return line
    }

    /// The trigger follows a line that programs drive, or a test pulls, through its attribute `value`.
    static func trigger(_ path: String) throws(SystemFailure) -> SimulatedLine {
        try SimulatedLine(path: path, flags: O_RDONLY)
    }

    private init(path: String, flags: Int32) throws(SystemFailure) {
        self.path = path
        file = open(path, flags | O_CLOEXEC)
        guard file >= 0 else { throw SystemFailure("cannot open the line \(path)") }
    }

    deinit { close(file) }

    func drive(isOn: Bool) throws(SystemFailure) {
        let text = Array((isOn ? "pull-up" : "pull-down").utf8)
        guard pwrite(file, text, text.count, 0) == text.count else {
            throw SystemFailure("cannot drive the line \(path)")
        }
    }

    /// Whether the line went high since the last call; a pulse shorter than the distance of the calls is missed.
    mutating func hasRisen() -> Bool {
        var level: UInt8 = 0
        guard pread(file, &level, 1, 0) == 1 else { return false }
        let isHigh = level == UInt8(ascii: "1")
        defer { wasHigh = isHigh }
        return isHigh && !wasHigh
    }
}
