internal import Notation

/// Where the drawings of a page have their axes: numbers, and what they are, to the left and below.
///
/// Lengths are in units of the drawing, which the page scales to its width.
struct PlotArea {
    private static let width: Int64 = 640
    static let height: Int64 = 150
    /// Room above, for what the axis to the left is.
    static let top: Int64 = 24
    private static let right: Int64 = 8
    /// Room below, for the numbers of the axis and what they are.
    private static let below: Int64 = 38

    let left: Int64

    var box: String { "0 0 \(Self.width) \(Self.top + Self.height + Self.below)" }
    var room: Int64 { Self.width - left - Self.right }
    private var base: Int64 { Self.top + Self.height }

    /// Where a number is, from the left.
    func x(_ value: Int64, from start: Int64, to end: Int64) -> Int64 {
        left
            + Int64(
                (Int128(value) - Int128(start)) * Int128(room) / max(1, Int128(end) - Int128(start))
            )
    }

    /// Where a number is, from the top; `most` is at the top.
    func y(_ value: Int64, of most: Int64) -> Int64 {
        base - Int64(Int128(value) * Int128(Self.height) / Int128(max(1, most)))
    }

    /// The axis to the left: its title, and lines at about four round numbers.
    func levels(upTo most: Int64, title: String, _ text: (Int64) -> String) -> String {
        var parts = ["<text class=\"scale\" x=\"0\" y=\"11\">\(title.markup)</text>"]
        for value in Self.roundNumbers(from: 0, to: most, step: Self.roundStep(most / 3)) {
            let y = y(value, of: most)
            parts.append(
                "<path class=\"grid\" d=\"M\(left) \(y)h\(room)\"/><text class=\"scale\" x=\"\(left - 6)\""
                    + " y=\"\(y + 4)\" text-anchor=\"end\">\(value == 0 ? "0" : text(value).markup)</text>"
            )
        }
        return parts.joined(separator: "\n")
    }

    /// The axis below with round numbers, about eight of them, and its title.
    ///
    /// Numbers at the ends stand inside the drawing instead of around their tick.
    func places(
        from start: Int64, to end: Int64, title: String, _ text: (Int64) -> String
    ) -> String {
        var parts = ["<path class=\"axis\" d=\"M\(left) \(base)h\(room)\"/>"]
        let step = Self.roundStep(Int64(clamping: (Int128(end) - Int128(start)) / 8))
        for value in Self.roundNumbers(from: start, to: end, step: step) {
            let x = x(value, from: start, to: end)
            let anchor = x < left + 32 ? "start" : x > Self.width - 40 ? "end" : "middle"
            parts.append(
                "<path class=\"axis\" d=\"M\(x) \(base)v4\"/><text class=\"scale\" x=\"\(x)\""
                    + " y=\"\(base + 17)\" text-anchor=\"\(anchor)\">\(value == 0 ? "0" : text(value).markup)</text>"
            )
        }
        parts.append(
            "<text class=\"scale\" x=\"\(Self.width - Self.right)\" y=\"\(base + 33)\" text-anchor=\"end\">"
                + "\(title.markup)</text>")
        return parts.joined(separator: "\n")
    }

    /// The multiples of a step within a range; a damaged ledger has any numbers.
    private static func roundNumbers(from start: Int64, to end: Int64, step: Int64) -> [Int64] {
        var numbers: [Int64] = []
        var value = Int128(start) - Int128(remainder(start, step))
        if value < start { value += Int128(step) }
        while value <= end {
            numbers.append(Int64(value))
            value += Int128(step)
        }
        return numbers
    }

    /// What a number is above the next multiple below it, also below zero.
    private static func remainder(_ value: Int64, _ step: Int64) -> Int64 {
        let rest = value % step
        return rest < 0 ? rest + step : rest
    }

    /// The smallest of 1, 2 and 5 times a power of ten that is not below a number.
    static func roundStep(_ least: Int64) -> Int64 {
        var power: Int64 = 1
        while power < least, power <= Int64.max / 100 {
            for factor in [1, 2, 5] as [Int64] where power * factor >= least {
                return power * factor
            }
            power *= 10
        }
        return max(1, power)
    }
}
