import Devices
import Engine
import Foundation
import Notation
import Recipes
import Records
import Simulation
import TestSupport
import Timebase

/// A simulated rig whose clocks drift, wander and step, whose driver may timestamp with another clock than it claims,
/// and whose camera may tell time of its own: all from a seed.
struct TimekeepingRig {
    static let frames = 60
    static let rate: Int64 = 5
    /// What the profile says of the driver's timestamps; they are exact, so that this alone is in doubt.
    private static let delay = Interval.milliseconds(2)

    let options: SimulationOptions
    let world: SimulatedWorld
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        var random = SeededGenerator(seed: seed)
        var options = SimulationOptions(seed: seed, hasNoise: false)
        options.timekeeping = Self.timekeeping(&random)
        options.disk = .simulatedWithoutPixels
        self.options = options
        world = SimulatedWorld(options)
    }

    /// Runs it into a folder, and says how it was judged.
    func run(in folder: String) throws -> Judgement {
        let source = SourceFile(
            name: "recipe.yaml",
            text: """
                framelock: 1
                name: timekeeping
                camera:
                  use: simulated
                  format: {pixels: GREY, size: 320x240, rate: \(Self.rate) fps}
                lock: {exposure: {duration: 8 ms, gain: 1.0x}}
                clocks: [network]
                sequence:
                  - capture: \(Self.frames)
                """)
        let recipe = try RecipeDecoder.decode(source)
        let choice = try CameraChoice(recipe.camera, rig: nil, in: source.name)
        let plan = try PlanCompiler.compile(recipe, camera: choice, profile: profile, rig: nil).plan
        let prepared = try PreparedRun(plan, in: world)
        var description = RunDescription(
            version: "0.0.0", recipe: source.bytes, parameters: [], plan: plan,
            camera: world.camera.identity, accepted: prepared.accepted, epoch: prepared.epoch,
            realtime: world.realtime(), host: [:])
        description.clockResolution = world.clockResolution
        let record = try RunRecord(
            in: RunFolder.create(at: folder), description, isDurable: false, keepsPixels: false)
        return try Runner(prepared, record: record, progress: RunProgress()).run()
    }

    private var profile: CameraProfile {
        var profile = CameraProfile.simulated
        profile.timestamps.delay = Self.delay
        profile.timestamps.cameraClock = options.timekeeping.camera.map {
            CameraClockModel(
                source: .packetHeaders, point: .startOfReadout,
                // The driver's timestamps are cut off to microseconds.
                delay: $0.longestDelay + .microseconds(2))
        }
        return profile
    }

    private static func timekeeping(_ random: inout SeededGenerator) -> SimulatedTimekeeping {
        var keeping = SimulatedTimekeeping()
        keeping.timestampClock = random.element(of: SimulatedTimekeeping.TimestampClock.allCases)
        keeping.realtime = SimulatedCourse(offset: .seconds(random.number(1...2_000_000_000)))
        // Timestamps of a clock that is stepped are off until it is read again: that is not claimed.
        if keeping.timestampClock != .realtime, random.chance(50) {
            keeping.realtime?.steps = [
                .init(
                    at: .milliseconds(random.number(1...11_000)),
                    by: .microseconds(random.number(-3_000_000...3_000_000)))
            ]
        }
        keeping.taiOffset = .seconds(random.chance(50) ? 37 : 0)
        keeping.suspended = .milliseconds(random.number(1_500...100_000_000))
        let sign: Int64 = random.chance(50) ? 1 : -1
        keeping.monotonicRaw = course(
            &random, offset: .milliseconds(sign * random.number(5_000...90_000)))
        keeping.hardware = course(&random, offset: .seconds(random.number(0...1_000_000)))
        keeping.readJitter = .nanoseconds(random.number(0...5_000))
        if random.chance(60) {
            let shortest = random.number(0...500)
            keeping.camera = SimulatedCameraClock(
                ticksPerSecond: random.element(of: [1_000_000, 15_000_000, 48_000_000]),
                course: course(&random, offset: .seconds(random.number(-900...900_000))),
                shortestDelay: .microseconds(shortest),
                longestDelay: .microseconds(shortest + random.number(100...3_000)))
        }
        // Every nanosecond, as a PC; as boards; and as a PC that distrusts its processor's counter.
        let rates: [Int64?] = [nil, nil, 54_000_000, 24_000_000, 19_200_000, 3_579_545]
        keeping.countsPerSecond = random.element(of: rates)
        return keeping
    }

    private static func course(
        _ random: inout SeededGenerator, offset: Interval
    ) -> SimulatedCourse {
        SimulatedCourse(
            offset: offset, fastPartsPerBillion: random.number(-200_000...200_000),
            wanderPartsPerBillion: random.number(0...1_000),
            wanderPeriod: .seconds(random.number(300...3_000)))
    }
}
