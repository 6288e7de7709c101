import Devices
import Recipes
import Testing
import Timebase

/// What brackets become, and what a person is told of those that can't be.
struct PlanBracketTests {
    private static let strobes =
        "{red: {chip: gpio, line: 1, direction: out}, blue: {chip: gpio, line: 2, direction: out}}"

    @Test func `a bias shifts the exposure in force`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - bracket: {bias: [-2 EV, 0 EV, 1/3 EV]}"))
        #expect(
            plan.settings.map(\.requested.exposure)
                == [2_000_000, 8_000_000, 10_079_368].map { .value(.nanoseconds($0)) })
        #expect(
            plan.listing == """
                capture 1 with 0 @sequence[0]
                capture 1 with 1 @sequence[0]
                capture 1 with 2 @sequence[0]
                restore 1 @sequence[0]
                """)
    }

    @Test func `a bias starts from what a sweep has put in force`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe(
                "  - for: {exposure: [1 ms, 4 ms]}\n    do:\n      - bracket: {bias: [1 EV]}"))
        #expect(
            plan.settings.map(\.requested.exposure)
                == [2, 1, 8, 4].map { .value(.milliseconds($0)) })
    }

    @Test func `a burst changes nothing, so nothing comes back`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - bracket: {burst: 5, atomic: {retries: 2}}"))
        #expect(
            plan.listing == """
                group of 5, 2 retries @sequence[0]
                capture 5 with 0 @sequence[0]
                """)
        #expect(plan.largestGroup == 5)
    }

    @Test func `a light bracket has exactly the lights it names`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe(
                "  - pulse: {line: blue, with: exposure}\n  - bracket: {light: [red, none]}\n  - capture: 1",
                lines: Self.strobes))
        #expect(
            plan.listing == """
                capture 1 with 0 lit by red @sequence[1]
                capture 1 with 0 @sequence[1]
                capture 1 with 0 lit by blue @sequence[2]
                """)
    }

    @Test func `an atomic bracket is a group`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe(
                "  - bracket: {exposure: [1 ms, 2 ms], atomic: {retries: 3}}\n  - wait: 1 s"))
        #expect(
            plan.listing == """
                group of 2, 3 retries @sequence[0]
                capture 1 with 0 @sequence[0]
                capture 1 with 1 @sequence[0]
                restore 2 @sequence[0]
                wait 1 s @sequence[1]
                restore 2 @sequence[0]
                """)
    }

    @Test func `what the lock leaves open comes back to where it was found`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - capture: 1\n  - bracket: {exposure: [1 ms]}", lock: ""))
        #expect(plan.settings.map(\.quantised.exposure) == [.current, .value(.milliseconds(1))])
    }

    @Test func `a bias without an exposure has nothing to start from`() {
        #expect(
            PlanFixtures.complaint(
                PlanFixtures.recipe("  - bracket: {bias: [1 EV]}", lock: "exposure: current"))
                    == """
                    recipe.yaml:8:22: error: a bias starts from an exposure duration that is known before the run [bias-without-exposure]
                        8 |   - bracket: {bias: [1 EV]}
                          |                      ^~~~
                    hint: lock one (`lock: {exposure: {duration: 8 ms}}`), or give durations with `exposure`
                    """)
    }

    @Test func `a shifted exposure that does not fit names the limit`() {
        let complaint = PlanFixtures.complaint(
            PlanFixtures.recipe("  - bracket: {bias: [3 EV]}"))
        #expect(complaint.contains("exposure 64 ms is longer than the 33.333333 ms"))
    }

    @Test func `an atomic bracket that memory can't hold says how many frames it can`() {
        let complaint = PlanFixtures.complaint(
            PlanFixtures.recipe("  - bracket: {burst: 5000, atomic: {retries: 1}}"))
        #expect(complaint.contains("an atomic bracket of 5000 frames is kept in memory"))
        #expect(complaint.contains("of 614400 bytes each (SRGGB12 640x480) at most 1747 are"))
        #expect(complaint.contains("[bracket-too-large]"))
        let whole = PlanFixtures.recipe("  - bracket: {burst: 1747, atomic: {retries: 1}}")
        #expect(PlanFixtures.complaint(whole) == "compiled")
    }

    @Test func `a plan reads back what brackets become`() throws {
        let plan = try PlanFixtures.compile(
            PlanFixtures.recipe("  - bracket: {exposure: [1 ms, 2 ms], atomic: {retries: 3}}"))
        RoundTrip.check(plan)
    }
}
