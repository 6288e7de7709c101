import Devices
import Engine
import Foundation
import Notation
import Recipes
import Records
import Simulation
import Testing
import Timebase

/// Runs on a simulated rig whose clocks drift, step and are mistaken for each other: what the record says of time holds
/// the truth, which the simulation knows.
@Suite struct ClockRunTests {
    private static let ppm: Int64 = 1_000
    private static let seconds = 20

    /// A run, its files and the rig that it took place on.
    private struct Played {
        let world: SimulatedWorld
        let folder: String
        let plan: Plan
        let manifest: JSONValue
        let judgement: Judgement

        init(
            _ timekeeping: SimulatedTimekeeping, clocks: String = "",
            camera: CameraClockModel? = nil, seconds: Int = ClockRunTests.seconds
        ) throws {
            var options = SimulationOptions(seed: 5, hasNoise: false)
            options.timekeeping = timekeeping
            options.disk = .simulatedWithoutPixels
            world = SimulatedWorld(options)
            var profile = CameraProfile.simulated
            profile.timestamps.delay = .milliseconds(2)
            profile.timestamps.cameraClock = camera
            let source = SourceFile(
                name: "recipe.yaml",
                text: """
                    framelock: 1
                    name: clocks
                    camera:
                      use: simulated
                      format: {pixels: GREY, size: 320x240, rate: 30 fps}
                    lock: {exposure: {duration: 8 ms, gain: 1.0x}}
                    \(clocks)
                    sequence:
                      - capture: \(30 * seconds)
                    """)
            let recipe = try RecipeDecoder.decode(source)
            let choice = try CameraChoice(recipe.camera, rig: nil, in: source.name)
            plan = try PlanCompiler.compile(recipe, camera: choice, profile: profile, rig: nil).plan
            let prepared = try PreparedRun(plan, in: world)
            folder =
                FileManager.default.temporaryDirectory
                .appendingPathComponent("framelock-clocks-\(UUID().uuidString)").path
            var description = RunDescription(
                version: "0.0.0", recipe: source.bytes, parameters: [], plan: plan,
                camera: world.camera.identity, accepted: prepared.accepted,
                epoch: prepared.epoch, realtime: world.realtime(), host: [:])
            description.clockResolution = world.clockResolution
            let record = try RunRecord(
                in: RunFolder.create(at: folder), description, isDurable: false,
                keepsPixels: false)
            judgement = try Runner(prepared, record: record, progress: RunProgress()).run()
            let bytes = try Data(contentsOf: URL(filePath: folder + "/run.json"))
            manifest = try JSONReader.read(Array(bytes), name: "run.json")
        }

        var epoch: Int64 { manifest["session"]?["epoch_ns"]?.integerValue ?? 0 }

        func rows(of file: String = "ledger.csv") throws -> [[String: String]] {
            let lines = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
                .split(separator: "\n").map {
                    $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                }
            return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
        }

        func events(_ name: String) throws -> [JSONValue] {
            let text = try String(contentsOfFile: folder + "/events.jsonl", encoding: .utf8)
            return try text.split(separator: "\n").map {
                try JSONReader.read(Array($0.utf8), name: "events.jsonl")
            }.filter { $0["event"]?.stringValue == name }
        }

        /// How far the end of each exposure lies from the truth, and how far the record says that it may.
        ///
        /// Frame k of the simulated camera is read out k + 1 periods after the start of the stream.
        func errors(
            in file: String = "ledger.csv"
        ) throws -> [(error: Int64, halfWidth: Int64)] {
            let sequences = try rows().map { try #require(Int64($0["device_sequence"] ?? "")) }
            let periods = FrameRate(frames: 30)
            // The stream starts when everything else is ready; the first timestamp of a good clock tells when.
            let start = try start()
            return try zip(rows(of: file), sequences).map { row, sequence in
                let end = try #require(Int64(row["session_end_ns"] ?? ""))
                let truth = start + (periods?.duration(ofFrames: sequence + 1).nanoseconds ?? 0)
                return (
                    epoch + end - truth, try #require(Int64(row["session_half_width_ns"] ?? ""))
                )
            }
        }

        /// The same of a fit of the run; its bounds are never wider than the ledger's.
        func refittedErrors() throws -> [(error: Int64, halfWidth: Int64)] {
            let ledger = try Data(contentsOf: URL(filePath: folder + "/ledger.csv"))
            try RunRefit(folder).write()
            #expect(try Data(contentsOf: URL(filePath: folder + "/ledger.csv")) == ledger)
            let fitted = try errors(in: "refit.csv")
            for (slot, (after, before)) in try zip(fitted, errors()).enumerated() {
                #expect(after.halfWidth <= before.halfWidth, "slot \(slot)")
            }
            return fitted
        }

        /// In virtual time nothing happens between the last reading at the start and the start of the stream.
        private func start() throws -> Int64 {
            let events = try events("stream-started")
            return epoch + (try #require(events.first?["at_ns"]?.integerValue))
        }

        func verify() throws {
            let report = try RunVerifier.verify(folder)
            #expect(report.problems.isEmpty, "\(report.problems)")
        }
    }

    private static var drifting: SimulatedTimekeeping {
        var keeping = SimulatedTimekeeping()
        keeping.realtime = SimulatedCourse(offset: .seconds(1_790_000_000))
        keeping.suspended = .seconds(4_000)
        keeping.monotonicRaw = SimulatedCourse(
            fastPartsPerBillion: 40 * ppm, wanderPartsPerBillion: ppm)
        keeping.hardware = SimulatedCourse(
            offset: .seconds(1_790_000_037), fastPartsPerBillion: -15 * ppm,
            wanderPartsPerBillion: 500)
        return keeping
    }

    @Test func `every clock is read at the start, every second and at the end`() throws {
        let run = try Played(Self.drifting, clocks: "clocks: [grandmaster]")
        let names = try run.events("clock-sample").compactMap { $0["clock"]?.stringValue }
        let host = ["CLOCK_REALTIME", "CLOCK_TAI", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC_RAW"]
        for name in host + ["ptp:grandmaster"] {
            #expect(
                (Self.seconds + 1...Self.seconds + 3).contains(names.count { $0 == name }),
                "\(name)")
        }
        #expect(run.judgement.exitCode == 0)
        try run.verify()
    }

    @Test func `a session time is known on every clock within its bound`() throws {
        let run = try Played(Self.drifting, clocks: "clocks: [grandmaster]")
        let sources: [(String, ClockSource)] = [
            ("CLOCK_REALTIME", .realtime), ("CLOCK_TAI", .tai), ("CLOCK_BOOTTIME", .boottime),
            ("CLOCK_MONOTONIC_RAW", .monotonicRaw), ("ptp:grandmaster", .planned(0)),
        ]
        for slot in [0, 299, 599] as [Int64] {
            let times = try SlotTimes(run.folder, slot: slot, rows: []).json
            let line = try #require(times["lines"]?[0])
            let mid = try #require(line["session_mid_ns"]?.integerValue)
            let own = try #require(line["half_width_ns"]?.integerValue)
            for (name, source) in sources {
                let reading = try #require(
                    line["mid"]?[name]?["reading_ns"]?.integerValue, "\(name)")
                let width = try #require(line["mid"]?[name]?["half_width_ns"]?.integerValue)
                let truth = run.world.truth(
                    of: source, at: Instant(nanoseconds: run.epoch + mid))
                #expect(abs(reading - truth) <= width, "\(name) of slot \(slot)")
                #expect(width - own <= 10_000, "\(name) is known to ±\(width - own) ns")
            }
        }
    }

    @Test(
        arguments: [54_000_000, 24_000_000, 19_200_000, 1_000_000] as [Int64],
        SimulatedTimekeeping.TimestampClock.allCases)
    func `clocks that advance in steps, as boards' do, are known within their bounds`(
        countsPerSecond: Int64, clock: SimulatedTimekeeping.TimestampClock
    ) throws {
        var keeping = Self.drifting
        keeping.countsPerSecond = countsPerSecond
        keeping.timestampClock = clock
        keeping.monotonicRaw.offset = .seconds(-90)
        let run = try Played(keeping, clocks: "clocks: [grandmaster]", seconds: 6)
        let step = ClockResolution(countsPerSecond: countsPerSecond).step.nanoseconds
        #expect(run.manifest["session"]?["resolution_ns"]?.integerValue == step)
        for (error, halfWidth) in try run.errors() { #expect(abs(error) <= halfWidth) }
        for (error, halfWidth) in try run.refittedErrors() { #expect(abs(error) <= halfWidth) }
        for slot in [0, 90, 179] as [Int64] {
            let times = try SlotTimes(run.folder, slot: slot, rows: []).json
            let line = try #require(times["lines"]?[0])
            let mid = try #require(line["session_mid_ns"]?.integerValue)
            for (name, source) in [
                ("CLOCK_REALTIME", ClockSource.realtime), ("CLOCK_MONOTONIC_RAW", .monotonicRaw),
                ("ptp:grandmaster", .planned(0)),
            ] {
                let reading = try #require(
                    line["mid"]?[name]?["reading_ns"]?.integerValue, "\(name)")
                let width = try #require(line["mid"]?[name]?["half_width_ns"]?.integerValue)
                let truth = run.world.truth(
                    of: source, at: Instant(nanoseconds: run.epoch + mid))
                #expect(abs(reading - truth) <= width, "\(name) of slot \(slot)")
            }
        }
        try run.verify()
    }

    @Test func `a run says how fine its clocks are, and bounds grow by a step`() throws {
        var coarse = Self.drifting
        coarse.countsPerSecond = 19_200_000
        let (fine, board) = (try Played(Self.drifting, seconds: 4), try Played(coarse, seconds: 4))
        #expect(fine.manifest["session"]?["resolution_ns"]?.integerValue == 1)
        #expect(board.manifest["session"]?["resolution_ns"]?.integerValue == 54)
        let before = try fine.errors().map(\.halfWidth).max() ?? 0
        let after = try board.errors().map(\.halfWidth).max() ?? 0
        #expect(after - before == 26)
    }

    @Test func `a step of realtime is a break of its relation and of no other`() throws {
        var keeping = Self.drifting
        keeping.realtime?.steps = [.init(at: .seconds(8), by: .milliseconds(-300))]
        let run = try Played(keeping)
        func kinds(_ clock: String) -> [String] {
            (run.manifest["clocks"]?[clock]?["segments"]?.arrayValue ?? []).compactMap {
                $0["kind"]?.stringValue
            }
        }
        #expect(kinds("CLOCK_REALTIME") == ["steady", "break", "steady"])
        #expect(kinds("CLOCK_TAI") == ["steady", "break", "steady"])
        #expect(kinds("CLOCK_BOOTTIME") == ["steady"])
        for slot in [30, 570] as [Int64] {
            let line = try #require(
                try SlotTimes(run.folder, slot: slot, rows: []).json["lines"]?[0])
            let mid = try #require(line["session_mid_ns"]?.integerValue)
            let reading = line["mid"]?["CLOCK_REALTIME"]
            let truth = run.world.truth(of: .realtime, at: Instant(nanoseconds: run.epoch + mid))
            let found = try #require(reading?["reading_ns"]?.integerValue)
            let width = try #require(reading?["half_width_ns"]?.integerValue)
            #expect(abs(found - truth) <= width)
        }
    }

    @Test(arguments: SimulatedTimekeeping.TimestampClock.allCases)
    func `frames that are timestamped with another clock than claimed are put right`(
        clock: SimulatedTimekeeping.TimestampClock
    ) throws {
        var keeping = Self.drifting
        keeping.timestampClock = clock
        // Far enough from the monotonic clock to be told from it.
        keeping.monotonicRaw.offset = .seconds(-90)
        let run = try Played(keeping)
        for (error, halfWidth) in try run.errors() { #expect(abs(error) <= halfWidth) }
        let names: [SimulatedTimekeeping.TimestampClock: String] = [
            .monotonic: "CLOCK_MONOTONIC", .realtime: "CLOCK_REALTIME",
            .boottime: "CLOCK_BOOTTIME", .monotonicRaw: "CLOCK_MONOTONIC_RAW",
        ]
        #expect(Set(try run.rows().compactMap { $0["clock"] }) == [names[clock] ?? ""])
        let found = try run.events("timestamp-clock").compactMap { $0["found"]?.stringValue }
        #expect(found == (clock == .monotonic ? [] : [names[clock] ?? ""]))
        #expect(
            run.judgement.findings.contains { $0.id == "timestamp-clock" } == (clock != .monotonic))
        #expect(run.judgement.exitCode == 0)
        // Afterwards timestamps of another clock are as good as those of the monotonic one.
        let fitted = try run.refittedErrors()
        for (error, halfWidth) in fitted { #expect(abs(error) <= halfWidth) }
        #expect(
            fitted.allSatisfy { $0.halfWidth < 1_005_000 }, "\(fitted.map(\.halfWidth).max() ?? 0)")
        try run.verify()
    }

    @Test(arguments: [-300, 0, 45, 300] as [Int64])
    func `the camera's own clock tells exposures better than the driver's timestamps`(
        partsPerMillion: Int64
    ) throws {
        var keeping = Self.drifting
        keeping.camera = SimulatedCameraClock(
            course: SimulatedCourse(
                offset: .seconds(-400), fastPartsPerBillion: partsPerMillion * Self.ppm,
                wanderPartsPerBillion: 2 * Self.ppm))
        let model = CameraClockModel(
            source: .packetHeaders, point: .startOfReadout, delay: .microseconds(1_002))
        let run = try Played(keeping, camera: model)
        let errors = try run.errors()
        for (error, halfWidth) in errors { #expect(abs(error) <= halfWidth) }
        // The driver's timestamps alone: 2 ms late at most, so ±1 ms.
        let plain = try Played(Self.drifting).errors()
        for (error, halfWidth) in plain { #expect(abs(error) <= halfWidth) }
        #expect(plain.allSatisfy { $0.halfWidth > 1_000_000 })
        #expect(errors.allSatisfy { $0.halfWidth < 700_000 })
        #expect(errors.suffix(100).allSatisfy { $0.halfWidth < 150_000 })
        // Afterwards the first are known as well as the last.
        let fitted = try run.refittedErrors()
        for (error, halfWidth) in fitted { #expect(abs(error) <= halfWidth) }
        #expect(fitted[0].halfWidth < errors[0].halfWidth)
        #expect(
            fitted.allSatisfy { $0.halfWidth < 150_000 }, "\(fitted.map(\.halfWidth).max() ?? 0)")
        #expect(try run.rows().allSatisfy { $0["camera_timestamp_ticks"]?.isEmpty == false })
        #expect(run.manifest["clocks"]?["camera"]?["ticks_per_second"]?.integerValue == 48_000_000)
        try run.verify()
    }

    @Test func `a camera's clock that steps is related anew, and its frames stay within bounds`()
        throws
    {
        var keeping = Self.drifting
        keeping.camera = SimulatedCameraClock(
            course: SimulatedCourse(steps: [.init(at: .seconds(9), by: .milliseconds(700))]))
        let model = CameraClockModel(
            source: .packetHeaders, point: .startOfReadout, delay: .microseconds(1_002))
        let run = try Played(keeping, camera: model)
        for (error, halfWidth) in try run.errors() { #expect(abs(error) <= halfWidth) }
        #expect(try run.events("camera-clock-stepped").count == 1)
        #expect(run.judgement.findings.contains { $0.id == "camera-clock-steps" })
        for (error, halfWidth) in try run.refittedErrors() { #expect(abs(error) <= halfWidth) }
    }

    @Test func `frames timestamped with a clock that was just stepped are put right afterwards`()
        throws
    {
        var keeping = Self.drifting
        keeping.timestampClock = .realtime
        keeping.realtime?.steps = [.init(at: .milliseconds(4_400), by: .microseconds(-1_500))]
        let run = try Played(keeping, seconds: 8)
        // The run goes by the last reading of the clock.
        let wrong = try run.errors().filter { abs($0.error) > $0.halfWidth }
        #expect((1...30).contains(wrong.count), "\(wrong.count)")
        try RunRefit(run.folder).write()
        for (error, halfWidth) in try run.errors(in: "refit.csv") {
            #expect(abs(error) <= halfWidth)
            #expect(halfWidth < 1_100_000)
        }
    }

    @Test func `rows of a slot are told from its centre`() throws {
        let run = try Played(Self.drifting)
        let times = try SlotTimes(run.folder, slot: 3, rows: [0, 239]).json
        let starts = (0..<3).map { times["lines"]?[$0]?["session_start_ns"]?.integerValue }
        // A global shutter.
        #expect(Set(starts).count == 1)
        #expect(throws: UnreadableRun.self) {
            try SlotTimes(run.folder, slot: 3, rows: [240])
        }
        #expect(throws: UnreadableRun.self) { try SlotTimes(run.folder, slot: 600, rows: []) }
    }
}
