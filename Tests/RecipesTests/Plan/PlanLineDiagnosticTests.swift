import Testing

/// What a person is told about lines that this machine does not have.
struct PlanLineDiagnosticTests {
    private typealias Case = PlanComplaint

    @Test(arguments: cases)
    private func `the complaint names the place, the limit and a way out`(_ example: PlanComplaint)
    {
        #expect(example.found == example.says)
    }

    private static let definitions = (0..<33).map {
        "l\($0): {chip: c, line: \($0), direction: out}"
    }

    private static let cases = [
        Case(
            "more lines than fit into a mask",
            PlanFixtures.recipe(
                "  - capture: 1",
                lines: "{\(definitions.joined(separator: ", "))}"),
            says: """
                recipe.yaml:7:1333: error: a recipe can use 32 lines, this one names 33 [too-many-lines]
                    7 | …1: {chip: c, line: 31, direction: out}, l32: {chip: c, line: 32, direction: out}}
                      |                                          ^~~
                """),
        Case(
            "a need without a rig",
            PlanFixtures.recipe(
                "  - pulse: {line: strobe, for: 1 ms}\n  - capture: 1", use: "usb:1",
                lines: "[strobe]"),
            says: """
                recipe.yaml:7:9: error: line `strobe` names no chip and line, and no rig is given [line-without-rig]
                    7 | lines: [strobe]
                      |         ^~~~~~
                hint: name a rig with --rig FILE, or give the line's `chip` and `line`
                """),
        Case(
            "two names for one line",
            PlanFixtures.recipe(
                "  - capture: 1",
                lines:
                    "{a: {chip: c, line: 1, direction: in}, b: {chip: c, line: 1, direction: in}}"),
            says: """
                recipe.yaml:7:47: error: `b` and `a` are the same line of c [line-named-twice]
                    7 | lines: {a: {chip: c, line: 1, direction: in}, b: {chip: c, line: 1, direction: in}}
                      |                                               ^
                hint: use one name for it, or correct the line of the other
                """),
        Case(
            "a misspelt line",
            PlanFixtures.recipe(
                "  - pulse: {line: strob, for: 1 ms}\n  - capture: 1", lines: "[strob]"),
            rig: PlanFixtures.rig,
            says: """
                recipe.yaml:7:9: error: rig `bench` (rig.yaml) has no line `strob` [unknown-line]
                    7 | lines: [strob]
                      |         ^~~~~
                hint: did you mean `strobe`?
                """),
        Case(
            "a line that the rig does not have",
            PlanFixtures.recipe(
                "  - pulse: {line: heater, for: 1 ms}\n  - capture: 1", lines: "[heater]"),
            rig: PlanFixtures.rig,
            says: """
                recipe.yaml:7:9: error: rig `bench` (rig.yaml) has no line `heater` [unknown-line]
                    7 | lines: [heater]
                      |         ^~~~~~
                hint: its lines are part_present, strobe, reject
                """),
        Case(
            "a rig without lines",
            PlanFixtures.recipe(
                "  - pulse: {line: heater, for: 1 ms}\n  - capture: 1", lines: "[heater]"),
            rig: "framelock_rig: 1\nname: empty\n",
            says: """
                recipe.yaml:7:9: error: rig `empty` (rig.yaml) has no line `heater` [unknown-line]
                    7 | lines: [heater]
                      |         ^~~~~~
                hint: it has no lines: add this one under `lines`
                """),
        Case(
            "another direction and level than the rig has",
            PlanFixtures.recipe(
                "  - capture: 1",
                lines: "{part_present: {direction: out}, strobe: {active_low: true}}"),
            rig: PlanFixtures.rig,
            says: """
                recipe.yaml:7:35: error: line `part_present` needs `direction: out`, but rig `bench` (rig.yaml) wires it as `in` [line-differs-from-rig]
                    7 | lines: {part_present: {direction: out}, strobe: {active_low: true}}
                      |                                   ^~~
                hint: change the recipe, or the rig if its wiring is different
                recipe.yaml:7:62: error: line `strobe` needs `active_low: true`, but rig `bench` (rig.yaml) wires it as `false` [line-differs-from-rig]
                    7 | … {direction: out}, strobe: {active_low: true}}
                      |                                          ^~~~
                hint: change the recipe, or the rig if its wiring is different
                """),
        Case(
            "another bias and debounce time than the rig has",
            PlanFixtures.recipe(
                "  - capture: 1", lines: "{part_present: {bias: pull_up, debounce: 2 ms}}"),
            rig: PlanFixtures.rig,
            says: """
                recipe.yaml:7:30: error: line `part_present` needs `bias: pull_up`, but rig `bench` (rig.yaml) wires it as `pull_down` [line-differs-from-rig]
                    7 | lines: {part_present: {bias: pull_up, debounce: 2 ms}}
                      |                              ^~~~~~~
                hint: change the recipe, or the rig if its wiring is different
                recipe.yaml:7:49: error: line `part_present` needs `debounce: 2 ms`, but rig `bench` (rig.yaml) wires it as `0 s` [line-differs-from-rig]
                    7 | lines: {part_present: {bias: pull_up, debounce: 2 ms}}
                      |                                                 ^~~~
                hint: change the recipe, or the rig if its wiring is different
                """),
        Case(
            "steps that use lines against their direction",
            PlanFixtures.recipe(
                "  - pulse: {line: part_present, for: 1 ms}\n  - pulse: {line: part_present, with: exposure}\n  - wait: {edge: strobe}\n  - capture: 1",
                lines: "[part_present, strobe]"), rig: PlanFixtures.rig,
            says: """
                recipe.yaml:9:19: error: `pulse` needs an output, and line `part_present` is wired as `in` [line-direction]
                    9 |   - pulse: {line: part_present, for: 1 ms}
                      |                   ^~~~~~~~~~~~
                hint: use another line, or correct the rig if its wiring is different
                recipe.yaml:10:19: error: `pulse` needs an output, and line `part_present` is wired as `in` [line-direction]
                   10 |   - pulse: {line: part_present, with: exposure}
                      |                   ^~~~~~~~~~~~
                hint: use another line, or correct the rig if its wiring is different
                recipe.yaml:11:18: error: `wait` needs an input, and line `strobe` is wired as `out` [line-direction]
                   11 |   - wait: {edge: strobe}
                      |                  ^~~~~~
                hint: use another line, or correct the rig if its wiring is different
                """),
        Case(
            "a light during an exposure that nobody knows",
            PlanFixtures.recipe(
                "  - pulse: {line: strobe, with: exposure}\n  - capture: 1",
                lock: "exposure: current", lines: "[strobe]"), rig: PlanFixtures.rig,
            says: """
                recipe.yaml:9:5: error: `with: exposure` needs an exposure duration that is known before the run [light-without-exposure]
                    9 |   - pulse: {line: strobe, with: exposure}
                      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                hint: lock the exposure (`lock: {exposure: {duration: 8 ms}}`), or pulse `for` a time
                """),
    ]
}
