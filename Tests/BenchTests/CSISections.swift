import Foundation
import Testing

/// What the script csi-receivers.sh printed on a board of the CSI bench, section by section.
struct CSISections {
    /// A line of `graph stream` about one buffer.
    struct Frame {
        var sequence: Int
        var microseconds: Int
        /// The buffer's first bytes, where they were asked for.
        var bytes: [UInt8]
    }

    private var sections: [String: [String]] = [:]

    /// Runs the script on a board; a board that cannot be started is told by each test that needs it.
    static func of(_ board: String, _ arguments: [String], streams: Bool = false)
        -> Swift.Result<CSISections, any Error>
    {
        Swift.Result {
            let script = "Tests/BenchTests/Fixtures/csi-receivers.sh"
            var command = [Bench.folder.appending(path: "run").path, "--csi", board]
            if streams { command.append("--csi-streams") }
            command += ["--timeout", "120", "--", "bash", script] + arguments
            let result = try Bench.host(command)
            guard result.status == 0 else {
                throw Bench.Missing(
                    description: "board \(board) ended with \(result.status): \(result.stderr)")
            }
            return CSISections(printed: result.stdout)
        }
    }

    private init(printed: String) {
        var name = ""
        for line in printed.split(separator: "\n").map(String.init) {
            if line.hasPrefix("--- ") {
                name = String(line.dropFirst(4))
                sections[name] = []
            } else {
                sections[name, default: []].append(line)
            }
        }
    }

    /// The lines of a section; none where it was not reached.
    subscript(_ section: String) -> [String] { sections[section] ?? [] }

    /// The frames that came from a node in a section.
    func frames(_ section: String, of node: String) -> [Frame] {
        self[section].compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 4, words[0] == node, let sequence = Int(words[1]) else {
                return nil
            }
            let time = words[2].split(separator: ".").compactMap { Int($0) }
            guard time.count == 2 else { return nil }
            return Frame(
                sequence: sequence, microseconds: time[0] * 1_000_000 + time[1],
                bytes: words.count > 4 ? Self.bytes(words[4]) : [])
        }
    }

    /// The value of a control that `v4l2-ctl -C` printed in a section.
    func control(_ name: String, in section: String) throws -> Int {
        let line = try #require(self[section].first { $0.hasPrefix("\(name): ") })
        return try #require(Int(line.dropFirst(name.count + 2)))
    }

    private static func bytes(_ text: Substring) -> [UInt8] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count - 1, by: 2)
            .compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
