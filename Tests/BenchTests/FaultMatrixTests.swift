import Testing

extension InTheBench {
    /// Every fault that can be injected, and what must come of it: exit code, verdict, rows and evidence.
    @Suite(.serialized) struct FaultMatrix {
        /// What a run with a fault must leave.
        struct Expected: CustomStringConvertible, Sendable {
            var name: String
            var exitCode: Int
            var verdict: String
            var slots: Int
            /// Reasons of holes; there is at least one of each.
            var holes: Set<String> = []
            /// Who must say that a frame is missing; nil where that is not asked.
            var gapEvidence: String?
            /// What the event log must hold.
            var events: [String] = []
            /// What it must not.
            var absent: [String] = []

            var description: String { name }
        }

        private static let vivid = Scenario.play(
            "vivid-faults", .init(timeoutSeconds: 400, vivid: 1))
        private static let camera = Scenario.play("usb-stalls", .init(timeoutSeconds: 400))

        @Test(arguments: [
            Expected(
                name: "wrapped-sequence", exitCode: 80, verdict: "missing-frames", slots: 200,
                holes: ["dropped-by-driver"], gapEvidence: "sequence+spacing",
                absent: ["sequence-jumped", "sequence-timestamp-mismatch"]),
            Expected(
                name: "wrapped-timestamp", exitCode: 0, verdict: "trustworthy", slots: 520,
                events: [
                    #""why":"ahead""#,
                    #""event":"timestamp-clock","claimed":"CLOCK_MONOTONIC","found":null"#,
                ]),
            Expected(
                name: "start-timestamps", exitCode: 0, verdict: "trustworthy", slots: 60,
                absent: ["sequence-timestamp-mismatch"]),
            Expected(
                name: "damaged", exitCode: 80, verdict: "missing-frames", slots: 90,
                holes: ["damaged"], events: [#""event":"frame-damaged""#]),
            Expected(
                name: "refused-buffer", exitCode: 0, verdict: "trustworthy", slots: 90,
                absent: ["buffer-refused"]),
            Expected(name: "after", exitCode: 0, verdict: "trustworthy", slots: 10),
        ])
        func `a fault of vivid ends in its rows and its exit code`(_ expected: Expected) throws {
            try Self.check(expected, in: Self.vivid.get())
        }

        @Test(arguments: [("no-buffers", "frame buffers", 69), ("no-signal", "no signal", 75)])
        func `what vivid refuses before the first frame leaves no run`(
            name: String, word: String, exitCode: Int
        ) throws {
            let scenario = try Self.vivid.get()
            #expect(try scenario.exitCode(name) == exitCode)
            #expect(!scenario.has(name))
            #expect(try scenario.text("\(name).stderr").contains(word))
        }

        @Test func `a stream that does not start leaves a finalised run that reached nothing`()
            throws
        {
            let scenario = try Self.vivid.get()
            let run = try scenario.run("no-start")
            #expect(run.exitCode == 84)
            #expect(run.verified.exitCode == 0)
            #expect(run.summary.verdict == "partial")
            #expect(run.rows.count == 1 && run.notReached?["reason"] == "device-lost")
            #expect(run.notReached?.number("slot") == 0 && run.notReached?.number("last_slot") == 9)
            #expect(try scenario.text("no-start.stderr").contains("start the stream"))
            // Programs get on standard output what `show --json` says of it.
            #expect(try scenario.text("no-start.stdout") == scenario.text("no-start.json"))
        }

        @Test(arguments: [
            Expected(
                name: "starved", exitCode: 80, verdict: "missing-frames", slots: 150,
                holes: ["host-stalled"], gapEvidence: "sequence+spacing"),
            Expected(
                name: "hanging", exitCode: 0, verdict: "trustworthy", slots: 14,
                events: [#""reason":"host-stalled""#], absent: ["sequence-timestamp-mismatch"]),
            Expected(
                name: "forgets-unknown", exitCode: 81, verdict: "lock-violated", slots: 30,
                events: [#""event":"control-changed""#]),
            Expected(
                name: "half-rate", exitCode: 80, verdict: "missing-frames", slots: 40,
                holes: ["uncertain"],
                events: [#""quirk":"rate_is_another""#, "sequence-timestamp-mismatch"]),
        ])
        func `a fault of the USB camera ends in its rows and its exit code`(
            _ expected: Expected
        ) throws {
            try Self.check(expected, in: Self.camera.get())
        }

        @Test func `what a starved host lost is what the camera sent in that time`() throws {
            let run = try Self.camera.get().run("starved")
            // The counter in the pixels says which frames came.
            let counters = try run.truths().map(\.counter)
            let slots = try run.frames.map { try $0.required("slot") }
            #expect(slots == counters.map { $0 - counters[0] })
            #expect(run.holes.count >= 20)
        }

        private static func check(_ expected: Expected, in scenario: Scenario) throws {
            let run = try scenario.run(expected.name)
            run.expectWhole(
                exitCode: expected.exitCode, expected.verdict, slots: expected.slots,
                isOrdered: expected.name != "wrapped-timestamp"
                    && expected.name != "wrapped-sequence")
            #expect(Set(run.summary.holesByReason.keys) == expected.holes)
            if let gapEvidence = expected.gapEvidence {
                // vivid drops at random: right behind the first frame there is no interval to be held against.
                let odd = run.holes.filter { $0["gap_evidence"] != gapEvidence }
                #expect(odd.allSatisfy { $0["gap_evidence"] == "sequence" })
                #expect(odd.map { $0.number("slot") } == odd.indices.map { $0 + 1 })
                #expect(odd.count < run.holes.count)
            }
            let events = try scenario.text("\(expected.name)/events.jsonl")
            for text in expected.events { #expect(events.contains(text), "no \(text)") }
            for text in expected.absent { #expect(!events.contains(text), "\(text)") }
        }
    }
}
