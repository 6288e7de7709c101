import Devices
import Engine
import Notation
import ProvingGround
import Recipes
import Records
import Testing
import Timebase

/// Whole runs on devices that fail in ways that no frame shows.
struct FailingDeviceTests {
    /// A run of six slots with a light.
    private struct Story {
        let plan: Plan
        let world: TestWorld

        init(_ program: [Instruction]) throws {
            plan = try SamplePlan(program).plan()
            let time = TestTime()
            world = TestWorld(
                time: time,
                camera: TestCamera(
                    time: time, period: SamplePlan.period, delay: .zero,
                    latencies: (exposure: 0, lens: 0), settle: .zero, transfer: .zero,
                    writeDuration: .zero, firstSequence: 0, frameBytes: 32, seed: 1),
                lines: TestLines(time: time))
        }

        func run(in folder: String, then look: (Runner) -> Void = { _ in }) throws -> Judgement {
            let prepared = try PreparedRun(plan, in: world)
            let record = try RunRecord(
                in: RunFolder.create(at: folder),
                RunDescription(
                    version: "0.0.0", recipe: Array("framelock: 1\n".utf8), parameters: [],
                    plan: plan, camera: world.camera.identity, accepted: prepared.accepted,
                    epoch: prepared.epoch, realtime: world.realtime(), host: [:]),
                isDurable: false)
            let runner = Runner(prepared, record: record, progress: RunProgress())
            let judgement = try runner.run()
            look(runner)
            return judgement
        }
    }

    @Test(arguments: [true, false])
    func `a light that never came on is no trustworthy run`(works: Bool) throws {
        let folder = try TemporaryFolder()
        let story = try Story([.capture(6, lights: 1 << 1)])
        story.world.testLines.outputsWork = works
        let judgement = try story.run(in: folder.path + "/run")
        #expect(judgement.exitCode == (works ? 0 : 82))
        #expect(judgement.verdict == (works ? .trustworthy : .triggerMismatch))
        #expect(judgement.findings.map(\.id) == (works ? [] : ["failed-outputs"]))
        #expect(try RunVerifier.verify(folder.path + "/run", scope: .engine).isConsistent)
    }

    @Test func `a pulse that never came is no trustworthy run either`() throws {
        let folder = try TemporaryFolder()
        let story = try Story([
            .capture(1), .pulse(line: 1, duration: .milliseconds(5), step: 0), .capture(1),
        ])
        story.world.testLines.outputsWork = false
        #expect(try story.run(in: folder.path + "/run").exitCode == 82)
    }

    @Test func `rounds that can't keep their time are told`() throws {
        let folder = try TemporaryFolder()
        let story = try Story([
            .loop(count: 4, every: .milliseconds(15), end: 2, step: 0), .capture(3),
            .endLoop(start: 0),
        ])
        let judgement = try story.run(in: folder.path + "/run")
        #expect(judgement.exitCode == 0)
        #expect(judgement.findings.map(\.id) == ["late-rounds"])
    }

    @Test(arguments: [(1, []), (2, ["refused-buffers"])] as [(Int, [String])])
    func `a buffer that the driver does not take back is offered once more, and then told of`(
        refusals: Int, findings: [String]
    ) throws {
        let folder = try TemporaryFolder()
        let story = try Story([.capture(6)])
        story.world.testCamera.bufferRefusals = refusals
        let judgement = try story.run(in: folder.path + "/run")
        #expect(judgement.exitCode == 0)
        #expect(judgement.findings.map(\.id) == findings)
        let table = try RecordedTable(folder.path + "/run")
        #expect(table.events("buffer-refused").count == findings.count)
        #expect(try RunVerifier.verify(folder.path + "/run", scope: .engine).isConsistent)
    }

    @Test func `a stream that does not start leaves a record that is finalised and whole`() throws {
        let folder = try TemporaryFolder()
        let story = try Story([.capture(6), .wait(.seconds(1), step: 0), .capture(2)])
        let failure = DeviceError(.failed, "no bandwidth")
        story.world.testCamera.startFailure = failure
        var reasons: [String] = []
        let judgement = try story.run(in: folder.path + "/run") { reasons = $0.whyNoFrames }
        #expect(judgement.exitCode == 84)
        #expect(reasons == ["no bandwidth"])
        #expect(!story.world.testLines.isOpen)
        let table = try RecordedTable(folder.path + "/run")
        #expect(table.manifest["state"] as? String == "finalised")
        #expect(table.manifest["ending"] as? String == "device-lost")
        #expect(
            table.manifest["exit_code"] as? Int == 84, "one code, in the manifest as in the shell")
        #expect(table.rows.map { $0["reason"] } == ["device-lost"])
        #expect(table.rows.map { $0["status"] } == ["not-reached"])
        #expect(table.rows.map { $0["last_slot"] } == ["7"])
        #expect(table.events("stream-failed").count == 1)
        #expect(try RunVerifier.verify(folder.path + "/run", scope: .engine).isConsistent)
    }
}
