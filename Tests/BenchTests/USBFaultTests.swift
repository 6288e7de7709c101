import Testing

extension InTheBench {
    /// The bench's USB camera with everything that can go wrong: no crash, no hang, and the ledger tells what happened.
    @Suite(.serialized) struct USBFaults {
        private static let scenario = Scenario.play("usb-faults", .init(timeoutSeconds: 500))

        @Test(
            arguments: [
                ("unplug", "device-lost"), ("left", "device-lost"), ("freeze", "stream-stalled"),
            ])
        func `D8 a camera that goes away or falls silent leaves a finalised run`(
            name: String, reason: String
        ) throws {
            let run = try Self.scenario.get().run(name)
            run.expectWhole(exitCode: 84, "partial", slots: 150)
            #expect(run.summary.ending == reason)
            #expect(!run.frames.isEmpty)
            #expect(run.summary.holesByReason == [reason: 1])
            #expect(run.notReached?["reason"] == reason)
            #expect(run.rows.prefix(run.frames.count).allSatisfy { $0["status"] == "frame" })
            let counters = try run.truths().map(\.counter)
            let first = try #require(counters.first)
            #expect(counters == Array(first..<first + counters.count))
        }

        @Test func `a camera that comes back serves the next run`() throws {
            let run = try Self.scenario.get().run("returned")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 20)
        }

        @Test func `each frame that the camera lost is one hole where it would have been`() throws {
            let run = try Self.scenario.get().run("losses")
            run.expectWhole(exitCode: 80, "missing-frames", slots: 150)
            // The camera counts frames that it never sends, so its counter in the pixels tells.
            let counters = try run.truths().map(\.counter)
            let slots = try run.frames.map { try $0.required("slot") }
            #expect(slots == counters.map { $0 - counters[0] })
            let lost = Set(counters[0]..<counters[0] + 150).subtracting(counters)
            // `lose` takes the next frame along: the driver mistakes it for the rest of the lost one.
            #expect(lost == [30, 60, 61, 90, 120])
            #expect(
                run.summary.holesByReason == ["dropped-by-device": 3, "dropped-by-driver": 2])
            // What the driver withheld has the number that it skipped, what the camera lost never had one.
            for row in run.holes {
                let hasNumber = row.number("device_sequence") != nil
                #expect(hasNumber == (row["reason"] == "dropped-by-driver"))
            }
        }

        @Test(arguments: ["refuses", "hangs"])
        func `a camera that can't be locked is refused before anything is recorded`(
            name: String
        ) throws {
            let scenario = try Self.scenario.get()
            #expect(try scenario.exitCode(name) == 69)
            #expect(!scenario.has(name))
            let message = try scenario.text("\(name).stderr")
            #expect(message.contains("camera usb:framelock-bench-0001"))
            #expect(message.contains("gain"))
        }

        @Test func `a camera that forgets its settings at stream start gets them again`() throws {
            let run = try Self.scenario.get().run("forgets")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 30)
            for truth in try run.truths() {
                #expect(truth.exposureNanoseconds == 8_000_000)
                #expect(truth.gain == 32)
                #expect(truth.focus == 120)
                #expect(truth.temperature == 4600)
            }
        }

        @Test func `a camera that is slow to answer still gets every setting on its frame`() throws
        {
            let run = try Self.scenario.get().run("slow-answers")
            run.expectWhole(exitCode: 0, "trustworthy", slots: 15)
            let exposures = [Int](repeating: 80, count: 10) + [20, 40, 160, 80, 80]
            #expect(try run.truths().map { $0.exposureNanoseconds / 100_000 } == exposures)
        }

        @Test func `settings that are refused in mid-run are holes, and the lock is violated`()
            throws
        {
            let run = try Self.scenario.get().run("external")
            run.expectWhole(exitCode: 81, "lock-violated", slots: 15)
            #expect(run.summary.holesByReason == ["settings-refused": 5])
            #expect(run.rows.prefix(10).allSatisfy { $0["status"] == "frame" })
            #expect(try run.truths().allSatisfy { $0.exposureNanoseconds == 8_000_000 })
        }

        @Test("the watchdog is fed while capture goes on, and not while it hangs") func watchdog()
            throws
        {
            let messages = try Self.scenario.get().table("stopped.notified").rows
            #expect(messages.first?["message"] == "READY=1")
            let fed = try messages.filter { $0["message"] == "WATCHDOG=1" }.map {
                try $0.required("time_ns")
            }
            let gaps = zip(fed, fed.dropFirst()).map { ($1 - $0) / 1_000_000_000 }
            // A second at most while it waits for something, many while the driver waits for the camera.
            #expect(gaps.prefix(5).allSatisfy { $0 <= 1 })
            #expect(gaps.contains { $0 >= 4 })
        }

        @Test func `a control that is not answered in mid-run does not hang the run`() throws {
            let run = try Self.scenario.get().run("stopped")
            run.expectWhole(exitCode: 84, "partial", slots: 15)
            #expect(run.frames.count == 10)
            #expect(run.summary.holesByReason == ["stream-stalled": 1])
            #expect(run.notReached?["reason"] == "stream-stalled")
            #expect(run.summary.findings.map(\.id).contains("lock-violations"))
            #expect(try run.truths().allSatisfy { $0.exposureNanoseconds == 8_000_000 })
        }

        @Test func `a second request ends a run whose frame never comes`() throws {
            let run = try Self.scenario.get().run("impatient")
            run.expectWhole(exitCode: 130, "partial", slots: 150)
            #expect(run.summary.ending == "interrupted")
            #expect(run.summary.holesByReason == ["interrupted": 1])
            #expect(run.notReached?["reason"] == "interrupted")
        }
    }
}
