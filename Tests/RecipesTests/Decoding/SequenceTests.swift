import Devices
import Notation
import Recipes
import TestSupport
import Testing
import Timebase

/// What steps say, as shots and paths.
@Suite struct SequenceTests {
    private func steps(_ sequence: String, _ rest: String = "") throws -> [Step] {
        try RecipeText.decode("sequence:\n\(sequence)\(rest)").steps
    }

    private func shots(_ step: Step) -> [[SweepValue]] {
        switch step.kind {
        case .bracket(let bracket):
            if case .changes(let shots) = bracket.shots {
                shots.map { $0.map(\.value) }
            } else {
                []
            }
        case .sweep(let shots, _): shots.map { $0.map(\.value) }
        default: []
        }
    }

    @Test func `paths name every step of a nested sequence`() throws {
        let steps = try steps(
            """
              - capture: 5
              - repeat: 2
                do:
                  - wait: 1 s
                  - for: {lens: [0.2, 0.4]}
                    do:
                      - capture: 1
            """)
        var paths: [String] = []
        func collect(_ steps: [Step]) {
            for step in steps {
                paths.append(step.path)
                switch step.kind {
                case .sweep(_, let steps), .repeat(_, _, let steps): collect(steps)
                default: break
                }
            }
        }
        collect(steps)
        #expect(
            paths == [
                "sequence[0]", "sequence[1]", "sequence[1].do[0]", "sequence[1].do[1]",
                "sequence[1].do[1].do[0]",
            ])
    }

    @Test func `several lists of a bracket go side by side`() throws {
        let steps = try steps("  - bracket: {exposure: [2 ms, 8 ms], gain: [4.0x, 1.0x]}\n")
        #expect(
            shots(steps[0]) == [
                [.exposure(.milliseconds(2)), .gain(.gain(Gain(millionths: 4_000_000)))],
                [.exposure(.milliseconds(8)), .gain(.gain(.unity))],
            ])
    }

    @Test func `axes of a sweep are multiplied in the order written, the last fastest`() throws {
        let body = "\n    do:\n      - capture: 1\n"
        let first = try steps("  - for: {iso: [100, 200], exposure: [1 ms, 2 ms]}" + body)
        #expect(
            shots(first[0]) == [
                [.gain(.iso(100)), .exposure(.milliseconds(1))],
                [.gain(.iso(100)), .exposure(.milliseconds(2))],
                [.gain(.iso(200)), .exposure(.milliseconds(1))],
                [.gain(.iso(200)), .exposure(.milliseconds(2))],
            ])
        let second = try steps("  - for: {exposure: [1 ms, 2 ms], iso: [100, 200]}" + body)
        #expect(
            shots(second[0])[1] == [.exposure(.milliseconds(1)), .gain(.iso(200))])
    }

    @Test func `a range has both ends and steps rounded half away from zero`() throws {
        let up = try steps("  - bracket: {lens: {from: 0, to: 1, steps: 4}}\n")
        let positions = [0, 333_333, 666_667, 1_000_000].compactMap(LensPosition.init(millionths:))
        #expect(shots(up[0]) == positions.map { [.lens($0)] })
        // The middle is 2.5 ns, on the way up and on the way down.
        let fine = try steps("  - bracket: {exposure: {from: 1 ns, to: 4 ns, steps: 3}}\n")
        #expect(shots(fine[0]) == [1, 3, 4].map { [.exposure(.nanoseconds($0))] })
        let down = try steps("  - bracket: {exposure: {from: 4 ns, to: 1 ns, steps: 3}}\n")
        #expect(shots(down[0]) == [4, 3, 1].map { [.exposure(.nanoseconds($0))] })
    }

    @Test func `every range is monotone, ends at its ends, and is nowhere off by more than half`()
        throws
    {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<300 {
            let (a, b) = (random.number(1...1_000_000), random.number(1...1_000_000))
            let count = random.number(2...51)
            guard a != b else { continue }
            let text = "  - bracket: {exposure: {from: \(a) ns, to: \(b) ns, steps: \(count)}}\n"
            let values = shots(try steps(text)[0]).compactMap { shot -> Int64? in
                if case .exposure(let interval)? = shot.first { interval.nanoseconds } else { nil }
            }
            #expect(values.count == Int(count) && values.first == a && values.last == b)
            for (index, value) in values.enumerated() {
                let exact = a * (count - 1) + (b - a) * Int64(index)
                #expect(abs(2 * (value * (count - 1) - exact)) <= count - 1, "\(text) at \(index)")
            }
        }
    }

    @Test func `octaves double or halve`() throws {
        let up = "  - bracket: {exposure: {from: 1 ms, to: 8 ms, steps: 4, spacing: octaves}}\n"
        #expect(shots(try steps(up)[0]) == [1, 2, 4, 8].map { [.exposure(.milliseconds($0))] })
        let down = "  - bracket: {iso: {from: 400, to: 100, steps: 3, spacing: octaves}}\n"
        #expect(shots(try steps(down)[0]) == [400, 200, 100].map { [.gain(.iso($0))] })
    }

    @Test func `a million shots are read, and one more is refused`() throws {
        let body = "    do:\n      - capture: 1\n"
        func sweep(_ exposures: Int) -> String {
            "  - for:\n      exposure: {from: 1 ms, to: 2 ms, steps: \(exposures)}\n"
                + "      lens: {from: 0, to: 1, steps: 500}\n" + body
        }
        #expect(shots(try steps(sweep(100))[0]).count == 50_000)
        let list = #expect(throws: DiagnosticList.self) { try self.steps(sweep(2_001)) }
        #expect(list?.diagnostics.map(\.id) == ["sequence-too-large"])
        // Small steps add up: each of these alone would be allowed.
        let list2 = #expect(throws: DiagnosticList.self) {
            try self.steps(sweep(1_200) + sweep(1_200))
        }
        #expect(list2?.diagnostics.map(\.id) == ["sequence-too-large"])
    }

    @Test func `sixteen loops inside each other are read`() throws {
        var text = ""
        for level in 0..<16 {
            let indent = String(repeating: "    ", count: level)
            text += "\(indent)  - repeat: 1\n\(indent)    do:\n"
        }
        text += String(repeating: "    ", count: 16) + "  - capture: 1\n"
        #expect(try steps(text).count == 1)
    }

    @Test func `an endless loop may be last, and a light belongs to the frames after it`() throws {
        let steps = try steps(
            """
              - repeat: forever
                every: 1 s
                do:
                  - pulse: {line: strobe, with: exposure}
                  - repeat: 2
                    do:
                      - capture: 1
            """, "\nlines: [strobe]\n")
        guard case .repeat(nil, let every, let body) = steps[0].kind else {
            Issue.record("an endless loop")
            return
        }
        #expect(every?.value == .seconds(1))
        guard case .pulseWithExposure(let line) = body[0].kind else {
            Issue.record("a pulse with exposure")
            return
        }
        #expect(line.value == "strobe")
    }
}

/// Recipes for tests: a head that is always right, and what the test is about.
enum RecipeText {
    static let head = """
        framelock: 1
        name: test
        camera: {use: simulated, format: {pixels: Y12, size: 640x480, rate: 30 fps}}

        """

    static func decode(_ body: String, set: [ParameterOverride] = []) throws -> Recipe {
        try RecipeDecoder.decode(
            SourceFile(name: "test.yaml", text: head + body), overrides: set)
    }
}
