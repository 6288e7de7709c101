import Notation
import Recipes
import Testing

/// Files that are too much, in every direction in which a file can be too much.
@Suite struct LimitTests {
    private static let head = "framelock: 1\nname: test\n"

    private func ids(_ text: String) -> [String] {
        do throws(DiagnosticList) {
            _ = try RecipeDecoder.decode(SourceFile(name: "large.yaml", text: text))
            return []
        } catch {
            return error.shown.map(\.id)
        }
    }

    /// A line for each number below `count`.
    private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
        var text = ""
        for number in 0..<count { text += line(number) + "\n" }
        return text
    }

    private static let cases: [(what: String, text: String)] = [
        ("unknown keys", lines(5_000) { "key\($0): 1" }),
        ("parameters", "parameters:\n" + lines(5_000) { "  p\($0): {default: 1}" }),
        ("references", "sequence:\n" + lines(5_000) { "  - capture: $p\($0)" }),
        ("lines", "lines:\n" + lines(5_000) { "  l\($0): {direction: in}" }),
        ("line names", "lines:\n" + lines(5_000) { "- l\($0)" }),
        ("lights", "sequence:\n" + lines(5_000) { _ in "  - pulse: {line: a, with: exposure}" }),
        ("steps", "sequence:\n" + lines(10_001) { _ in "  - capture: 1" }),
        (
            "values",
            "sequence:\n  - bracket:\n      lens:\n" + lines(20_000) { "      - \($0 + 2)" }
        ),
    ]

    /// Thousands of anything end in an error, and soon: nothing is sought once for each pair of them.
    @Test(arguments: cases)
    func `thousands of anything are an error`(what: String, text: String) {
        #expect(!ids(Self.head + text).isEmpty, "\(what)")
    }

    @Test func `frames are counted without overflow`() {
        let camera = "camera: {use: simulated, format: {pixels: Y12, size: 640x480}}\n"
        var text = Self.head + camera + "sequence:\n"
        for level in 0..<8 {
            let indent = String(repeating: "    ", count: level)
            text += "\(indent)  - repeat: 1000000000000\n\(indent)    do:\n"
        }
        text += String(repeating: "    ", count: 8) + "  - capture: 1000000000000\n"
        #expect(ids(text) == ["sequence-too-large"])
    }

    @Test(arguments: [(500_000, []), (500_001, ["sequence-too-large"])] as [(Int, [String])])
    func `a sequence has a million shots at most`(shots: Int, found: [String]) {
        let camera = "camera: {use: simulated, format: {pixels: Y12, size: 640x480}}\n"
        let steps = [500_000, shots].map { "  - bracket: {burst: \($0)}\n" }.joined()
        #expect(ids(Self.head + camera + "sequence:\n" + steps) == found)
    }

    @Test func `a sweep over too many combinations is an error, with or without steps`() {
        let camera = "camera: {use: simulated, format: {pixels: Y12, size: 640x480}}\n"
        let axes = """
            exposure: {from: 1 ms, to: 2 ms, steps: 1000000}
                      gain: {from: 1, to: 2, steps: 1000000}
                      lens: {from: 0, to: 1, steps: 1000000}
                      white_balance:
                        - {temperature: 3000 K}
                        - {temperature: 4000 K}
                        - {temperature: 5000 K}
                        - {temperature: 6000 K}
                        - {temperature: 7000 K}
                        - {temperature: 3100 K}
                        - {temperature: 3200 K}
                        - {temperature: 3300 K}
                        - {temperature: 3400 K}
                        - {temperature: 3500 K}
            """
        for steps in ["[]", "[{capture: 1}]"] {
            let text =
                Self.head + camera + "sequence:\n  - for:\n          \(axes)\n    do: \(steps)\n"
            #expect(!ids(text).isEmpty)
        }
    }
}
