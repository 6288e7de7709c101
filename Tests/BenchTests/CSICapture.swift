import Foundation
import Testing

/// What `hardware/bench/csi/capture` got from one port of the CSI bench, and what the port says that it sent.
struct CSICapture {
    /// A row a frame that was dequeued: what the driver says of it, and what its pixels say.
    let frames: [Table.Row]
    /// A row a frame that the sensor made, by its number.
    let truth: [Int: Table.Row]
    /// A row a write to a control's registers.
    let writes: [Table.Row]
    /// What the script afterwards said.
    let after: String
    let stderr: String
    let stdout: String

    /// - Parameters:
    ///   - board: the board, with its options and faults.
    ///   - mode: what the sensor sends.
    ///   - count: frames to capture.
    ///   - settings: `CONTROL=VALUE@PLACE`, as `capture` takes them.
    ///   - more: more words for `capture`.
    ///   - before: a script to run before, in bash.
    ///   - after: a script to run afterwards.
    init(
        _ board: CSIBoard, _ mode: CSIMode, _ count: Int, _ settings: [String] = [],
        more: String = "", before: String = "", after: String = ":"
    ) throws {
        let set = settings.map { " --set \($0)" }.joined()
        let result = try Bench.script(
            """
            port=/sys/kernel/debug/framelock-csi/port0
            \(before)
            hardware/bench/csi/capture --size \(mode.width)x\(mode.height) --code \(mode.code) \
                --frames \(count)\(set) \(more)
            echo ---; cat $port/truth; echo ---; cat $port/writes; echo ---
            \(after)
            """, .init(csi: board))
        try #require(result.status == 0, "capture failed: \(result.stderr)")
        let parts = result.stdout.components(separatedBy: "---\n")
        try #require(parts.count == 4)
        frames = Table(parts[0]).rows
        truth = Dictionary(
            try Table(parts[1]).rows.map { (try $0.required("number"), $0) },
            uniquingKeysWith: { _, last in last })
        writes = Table(parts[2]).rows
        self.after = parts[3]
        stderr = result.stderr
        stdout = result.stdout
    }

    /// A field of each frame.
    func values(_ column: Substring) throws -> [Int] {
        try frames.map { try $0.required(column) }
    }

    /// The numbers of the frames that were made and have this fault.
    func numbers(withFault fault: String) -> [Int] {
        truth.filter { $0.value["fault"].split(separator: "+").contains(Substring(fault)) }
            .keys.sorted()
    }

    /// The first frame made from which on a field has a value.
    func firstNumber(_ column: Substring, is value: Int) throws -> Int {
        let numbers = try truth.keys.sorted().filter {
            try #require(truth[$0]).required(column) == value
        }
        return try #require(numbers.first, "no frame has \(column) = \(value)")
    }

    /// The time from the start of a frame to the start of the next one.
    func period(after number: Int) throws -> Int {
        let rows = try [number, number + 1].map { try #require(truth[$0]) }
        return try rows[1].required("start_ns") - rows[0].required("start_ns")
    }
}

/// A mode of a sensor, and the length of its frames as the data sheets count it.
struct CSIMode: CustomTestStringConvertible {
    let board: String
    let width: Int
    let height: Int
    let code: String
    /// Lines, pixels a line, and pixels a second as a fraction.
    let lines: Int
    let pixels: Int
    let rate: (Int, per: Int)

    var testDescription: String { "\(board) \(width)x\(height) \(code)" }

    /// The frame period in nanoseconds.
    var period: Double { Double(lines * pixels * rate.per) * 1e9 / Double(rate.0) }

    static let imx219 = CSIMode(
        board: "imx219", width: 1640, height: 1232, code: "SRGGB10",
        lines: 1763, pixels: 3448, rate: (182_400_000, 1))
    /// With analogue binning: two rows are read in the time of a line.
    static let imx219Fast = CSIMode(
        board: "imx219", width: 640, height: 480, code: "SRGGB8",
        lines: 1763, pixels: 3448, rate: (182_400_000, 1))
    static let imx219Full = CSIMode(
        board: "imx219", width: 3280, height: 2464, code: "SRGGB10",
        lines: 3526, pixels: 3448, rate: (182_400_000, 1))
    static let imx290 = CSIMode(
        board: "imx290", width: 1920, height: 1080, code: "SRGGB12",
        lines: 1125, pixels: 2200, rate: (148_500_000, 1))
    static let imx296 = CSIMode(
        board: "imx296", width: 1456, height: 1088, code: "SBGGR10",
        lines: 1118, pixels: 1760, rate: (118_800_000, 1))
    static let ov5647 = CSIMode(
        board: "ov5647", width: 640, height: 480, code: "SBGGR10",
        lines: 504, pixels: 1852, rate: (175_000_000, 3))
    static let ov9281 = CSIMode(
        board: "ov9281", width: 640, height: 400, code: "Y10",
        lines: 1422, pixels: 1530, rate: (160_000_000, 1))
    static let ov9281Bytes = CSIMode(
        board: "ov9281", width: 1280, height: 800, code: "Y8",
        lines: 1822, pixels: 1530, rate: (200_000_000, 1))

    static let all = [
        imx219, imx219Fast, imx219Full, imx290, imx296, ov5647, ov9281, ov9281Bytes,
    ]
}
