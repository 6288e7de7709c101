import Notation
import TestSupport
import Testing

@Suite struct `Did you mean` {
    static let keys = [
        "framelock", "name", "description", "camera", "parameters", "lock", "lines", "sequence",
        "output", "require", "exposure", "white_balance", "focus", "temperature", "tint", "iso",
        "repeat", "every", "do",
    ]

    @Test(arguments: [
        ("exposre", "exposure"), ("expsoure", "exposure"), ("Exposure", "exposure"),
        ("exposures", "exposure"), ("white-balance", "white_balance"),
        ("whitebalance", "white_balance"), ("White Balance", "white_balance"),
        ("nmae", "name"), ("line", "lines"), ("ios", "iso"), ("temp", "temperature"),
        ("focs", "focus"), ("requires", "require"), ("d", "do"), ("repeat", "repeat"),
    ])
    func `a slip of the keyboard finds its key`(written: String, meant: String) {
        #expect(nearestWord(to: written, in: Self.keys) == meant)
    }

    @Test(arguments: [
        "", "x", "wh", "shutter", "fps", "zzzzzzzz", "re", String(repeating: "a", count: 99),
    ])
    func `nothing near means no suggestion`(written: String) {
        #expect(nearestWord(to: written, in: Self.keys) == nil)
    }

    @Test func `no candidates, no suggestion`() {
        #expect(nearestWord(to: "name", in: []) == nil)
    }

    @Test func `the answer does not depend on the order of the candidates`() {
        var generator = SeededGenerator(seed: 7)
        for word in ["bat", "cas", "lin", "exposrue", "timr"] {
            let candidates = ["cat", "bar", "car", "line", "lint", "exposure", "time", "tier"]
            let answer = nearestWord(to: word, in: candidates)
            for _ in 0..<20 {
                let shuffled = candidates.shuffled(using: &generator)
                #expect(nearestWord(to: word, in: shuffled) == answer)
            }
        }
    }

    @Test func `an abbreviation of two words is no answer`() {
        #expect(nearestWord(to: "temp", in: ["temperature", "template_folder"]) == nil)
    }
}
