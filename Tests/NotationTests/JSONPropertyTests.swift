import Notation
import TestSupport
import Testing

/// JSON values of every kind, never deeper than asked.
struct JSONGenerator {
    var random: SeededGenerator

    private static let letters = Array(
        "ab\"\\/\0\u{1}\u{8}\t\n\r\u{1F}\u{7F}\u{80}\u{9F}äé測\u{2028}\u{2029}\u{FFFF}😀\u{10FFFF}"
            .unicodeScalars)

    mutating func value(depth: Int) -> JSONValue {
        switch random.below(depth > 0 ? 8 : 6) {
        case 0: return .null
        case 1: return .bool(random.below(2) == 0)
        case 2: return .integer(Int64(bitPattern: random.next() >> UInt64(random.below(64))))
        case 3: return .decimal(decimal())
        case 4, 5: return .string(text())
        case 6: return .array((0..<random.below(5)).map { _ in value(depth: depth - 1) })
        default: return object(depth: depth)
        }
    }

    private mutating func object(depth: Int) -> JSONValue {
        var object = JSONObject()
        for _ in 0..<random.below(20) { object[text()] = value(depth: depth - 1) }
        return .object(object)
    }

    private mutating func text() -> String {
        var text = ""
        for _ in 0..<random.below(9) {
            text.unicodeScalars.append(random.element(of: Self.letters))
        }
        return text
    }

    /// A number that is not an `Int64`: with a fraction, an exponent or too many digits.
    private mutating func decimal() -> String {
        let sign = random.below(2) == 0 ? "-" : ""
        let whole = String(random.below(1_000))
        switch random.below(3) {
        case 0: return "\(sign)\(whole).\(random.below(1_000))"
        case 1:
            return
                "\(sign)\(whole)\(random.element(of: ["e", "E", "e-", "e+"]))\(random.below(400))"
        default: return "\(sign)1\(String(repeating: "0", count: 20))\(whole)"
        }
    }
}

@Suite struct `JSON keeps what it is given` {
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `what is written is read back, in every style`(seed: UInt64) throws {
        var generator = JSONGenerator(random: SeededGenerator(seed: seed))
        for _ in 0..<150 {
            let value = generator.value(depth: 4)
            #expect(try JSONReader.read(value.text(), name: "compact") == value)
            #expect(try JSONReader.read(value.text(.pretty), name: "pretty") == value)
            let canonical = value.text(.canonical)
            let read = try JSONReader.read(canonical, name: "canonical")
            #expect(read.text() == canonical)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `no bytes stop the reader, and what it accepts it can write`(seed: UInt64) throws {
        var generator = JSONGenerator(random: SeededGenerator(seed: seed))
        var mutator = Mutator(seed: seed, words: Self.words)
        var accepted = 0
        for _ in 0..<2_500 {
            let bytes = mutator.mutated(generator.value(depth: 3).utf8())
            guard let value = try? JSONReader.read(bytes, name: "mutated") else { continue }
            accepted += 1
            #expect(try JSONReader.read(value.text(), name: "again") == value)
        }
        #expect(accepted > 100)
    }

    static let words = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "-", "0", "1e", ".",
        "null", "tru", " ", "\n", "\0", "\u{FEFF}", "ä",
    ]
}
