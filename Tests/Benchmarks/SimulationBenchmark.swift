internal import Devices
internal import Engine
internal import Notation
internal import Recipes
internal import Records
internal import Simulation
internal import Timebase

/// A day of 30 frames a second on the simulated rig, with ledger, events and verdict, and without pixels.
struct SimulationBenchmark {
    let folder: String
    /// How much of the day.
    let duration: Interval

    private var frames: Int64 { duration.nanoseconds * 30 / 1_000_000_000 }

    func figures() throws -> [Figure] {
        let plan = try PlanBenchmark.compile(
            """
            framelock: 1
            name: day
            camera: {use: simulated, format: {pixels: GREY, size: 640x480, rate: 30 fps}}
            lock: {exposure: {duration: 8 ms, gain: 2.0x}, focus: {lens: 0.5}}
            sequence:
              - capture: \(frames)

            """)
        let elapsed = try record(plan).seconds
        return [
            Figure(
                name: "simulation: a day of 30 fps with ledger", value: elapsed, unit: "s",
                wish: .atMost(60), note: "\(frames) frames, no pixels, one thread"),
            Figure(
                name: "simulation: frames in a second", value: Double(frames) / elapsed,
                unit: "frames/s"),
        ]
    }

    private func record(_ plan: Plan) throws -> Duration {
        let path = "\(folder)/day"
        defer { ScratchFolder.remove(path) }
        var options = SimulationOptions()
        options.disk = .simulatedWithoutPixels
        let world = SimulatedWorld(options)
        let clock = ContinuousClock()
        let start = clock.now
        let prepared = try PreparedRun(plan, in: world)
        let record = try RunRecord(
            in: RunFolder.create(at: path),
            RunDescription(
                version: "benchmark", recipe: [], parameters: [], plan: plan,
                camera: world.camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
                realtime: world.realtime(), host: [:]),
            isDurable: false, keepsPixels: false)
        let judgement = try Runner(prepared, record: record, progress: RunProgress()).run()
        let elapsed = clock.now - start
        guard judgement.exitCode == 0, record.tally.frames == frames else {
            throw BenchmarkProblem("the day did not end well: \(judgement)")
        }
        return elapsed
    }
}
