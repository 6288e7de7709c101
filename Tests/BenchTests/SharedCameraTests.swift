import Testing

extension InTheBench {
    /// A camera that framelock has locked, and that another program changes in mid-run.
    @Suite(.serialized) struct SharedCamera {
        private static let scenario = Scenario.play(
            "shared", .init(timeoutSeconds: 400, vivid: 1))

        @Test("D5 a locked control that another program changes is recorded on its frame: exit 81")
        func lockedControl() throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("exposure") == 81)
            let run = try scenario.run("exposure")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 60)
            let changes = try scenario.changes("exposure")
            #expect(changes.map(\.control) == ["exposure_time_absolute"])
            let change = try #require(changes.first)
            #expect(change.found == 40)

            // The camera's own log tells: what is written while frame k is exposed shows two frames later.
            let log = try scenario.table("exposure.truth").rows
            let exposed = try #require(
                log.first { ($0.number("readout_start_ns") ?? 0) > change.time })
            let shown = try #require(log.first { $0.number("exposure_ns") == 4_000_000 })
            #expect(try shown.required("counter") == exposed.required("counter") + 2)
            // The timestamp of the frame before came up to 4.1 ms late, so it may be taken for that one.
            let sequence = try #require(change.sequence)
            let offset = try Self.counterOffset(run)
            let difference = try exposed.required("counter") - offset - sequence
            #expect((0...1).contains(difference))
            let before = try Self.readout(before: exposed, log)
            #expect(difference == 0 || change.time - before < 5_000_000)
        }

        @Test("D5 no row says more of a changed exposure than is known, and none says wrong")
        func rowsOfLockedControl() throws {
            let scenario = try Self.scenario.get()
            let run = try scenario.run("exposure")
            let sequence = try #require(scenario.changes("exposure").first?.sequence)
            for (row, truth) in zip(run.frames, try run.truths()) {
                let applied = row.number("applied_exposure_ns")
                #expect(applied == nil || applied == truth.exposureNanoseconds)
                let isBefore = try row.required("device_sequence") < sequence
                if isBefore { #expect(applied == 8_000_000) }
            }
            let unknown = run.frames.filter { $0.number("applied_exposure_ns") == nil }
            // Two frames of latency, and one for the timestamp.
            #expect((2...3).contains(unknown.count))
            #expect(run.frames.last?.number("applied_exposure_ns") == 4_000_000)
        }

        @Test("D5 a second framelock is told which process has the camera") func secondRun() throws
        {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode("second") == 75)
            #expect(!scenario.has("second"))
            let process = try scenario.text("exposure.process").dropLast()
            #expect(
                try scenario.text("second.stderr").contains(
                    "camera usb:framelock-bench-0001 is in use by process \(process)"))
        }

        @Test("D5 a pinned control counts like a locked one") func pinnedControl() throws {
            let scenario = try Self.scenario.get()
            let run = try scenario.run("pinned")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 60)
            #expect(try scenario.changes("pinned").map(\.control) == ["sharpness"])
            #expect(run.frames.allSatisfy { $0.number("applied_exposure_ns") == 8_000_000 })
        }

        @Test("D5 what the camera changes by itself is told by its status endpoint")
        func automatic() throws {
            let scenario = try Self.scenario.get()
            let run = try scenario.run("automatic")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 60)
            let changes = try scenario.changes("automatic")
            #expect(changes.first?.control == "auto_exposure")
            #expect(changes.first?.found == 3)
            #expect(changes.contains { $0.control == "exposure_time_absolute" })
            for (row, truth) in zip(run.frames, try run.truths()) {
                let applied = row.number("applied_exposure_ns")
                #expect(applied == nil || applied == truth.exposureNanoseconds)
            }
        }

        @Test("the same value once more is no change") func sameValue() throws {
            let scenario = try Self.scenario.get()
            try scenario.run("same").expectWhole(exitCode: 0, "trustworthy", slots: 60)
            #expect(try scenario.exitCode("same") == 0)
            #expect(try scenario.text("same.refused") == "0\n")
            #expect(try scenario.changes("same").isEmpty)
        }

        @Test("D5 a run that has the camera to itself makes others' writes fail") func exclusive()
            throws
        {
            let scenario = try Self.scenario.get()
            try scenario.run("exclusive").expectWhole(exitCode: 0, "trustworthy", slots: 60)
            #expect(try scenario.text("exclusive.refused") == "1\n")
            #expect(try scenario.text("exclusive.set").contains("Errno 16"))
        }

        @Test("the kernel tells nobody of their own writes") func ownWrites() throws {
            let scenario = try Self.scenario.get()
            try scenario.run("own").expectWhole(exitCode: 0, "trustworthy", slots: 31)
            #expect(try scenario.changes("own").isEmpty)
        }

        @Test("D5 on a camera without locks a change of what is pinned is recorded on its frame")
        func vivid() throws {
            let scenario = try Self.scenario.get()
            let run = try scenario.run("vivid")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 60)
            let changes = try scenario.changes("vivid")
            #expect(changes.map(\.control) == ["brightness"])
            #expect(changes.map(\.found) == [200])
            let sequence = try #require(changes.first?.sequence)
            let luma = run.frames.map { Double($0["luma_mean"]) ?? 0 }
            let brighter = try #require(luma.firstIndex { $0 > luma[0] + 30 })
            // vivid paints at its tick: a change shows in the next picture.
            let shown = try run.frames[brighter].required("device_sequence")
            #expect((0...1).contains(shown - sequence))
        }

        /// The camera's counter minus the driver's sequence, the same for all frames of a run without losses.
        private static func counterOffset(_ run: RunReport) throws -> Int {
            let truth = try #require(try run.truths().first)
            return try truth.counter - run.frames[0].required("device_sequence")
        }

        private static func readout(before row: Table.Row, _ log: [Table.Row]) throws -> Int {
            let counter = try row.required("counter")
            let before = try #require(log.first { $0.number("counter") == counter - 1 })
            return try before.required("readout_start_ns")
        }
    }
}
