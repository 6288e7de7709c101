internal import Devices
internal import Imaging
internal import Recipes
internal import TestSupport
internal import Timebase

/// Faults of host, disk, lines and controls; they have random numbers of their own.
extension SeededRun {
    mutating func addLaterFaults(from start: Instant<Monotonic>) {
        var random = SeededGenerator(seed: seed ^ 0x5DEE_CE66_D1CE_4E5B)
        addHostFaults(from: start, &random)
        addControlFaults(from: start, &random)
        addDiskFaults(from: start, &random)
        addExternalWrites(from: start, &random)
        addDriverFaults(&random)
        addBounces(&random)
    }

    /// Wake-ups that come some frames late, and a host that is away for long.
    private func addHostFaults(
        from start: Instant<Monotonic>, _ random: inout SeededGenerator
    ) {
        world.testCamera.faults.hasFewBuffers = true
        if random.chance(40) { world.testLines.capacity = Int(random.number(1...16)) }
        guard random.chance(40) else { return }
        for _ in 0..<random.number(1...6) {
            let begin = start + .microseconds(random.number(0...900_000))
            let longest: Int64 = random.chance(70) ? 30_000 : 400_000
            world.starvation.append(begin..<begin + .microseconds(random.number(1...longest)))
        }
    }

    /// A raw sensor whose registers say its period, and what goes wrong with its interrupts and its driver.
    ///
    /// A receiver that waits for its frames' ends gives no numbers to what it never saw.
    mutating func becomeRaw() {
        var random = SeededGenerator(seed: seed ^ 0x1C64_E6D3_A5B2_7F09)
        guard random.chance(70) else { return }
        var profile = plan.camera.profile
        profile.timestamps.delay = .microseconds(random.number(0...900))
        profile.timing = Self.timing()
        plan.camera.profile = profile
        plan.camera.configuration.rate = nil
        let camera = world.testCamera
        camera.delay = profile.timestamps.delay
        camera.faults.badTimestamps = []
        camera.faults.resets = []
        let (late, ends) = (random.number(1...30), random.number(1...6))
        let (isLate, losesEnds) = (random.chance(60), random.chance(40))
        if random.chance(10) { camera.lineRatio = random.chance(50) ? 0.5 : 2 }
        // Where timestamps can't be believed, a frame is taken to be no longer on its way than two periods.
        let period = Double(Self.period.nanoseconds) * min(1, camera.lineRatio)
        guard Double(camera.transfer.nanoseconds) <= period * 2 else { return }
        if isLate { camera.faults.lateInterrupts = late }
        if losesEnds { camera.faults.lostFrameEnds = ends }
    }

    /// Frames of 1,000 lines of 10 us.
    private static func timing() -> SensorTiming? {
        guard let size = FrameSize(width: 8, height: 4), let pixels = PixelFormat.named("GREY")
        else { return nil }
        let mode = SensorMode(
            size: size, pixelFormats: [pixels], pixelRateHertz: 100_000_000, linePixels: 1_000,
            blankingLines: CodeRange(1, 10_000))
        let sensor = SensorModel(
            modes: [mode],
            exposure: .init(
                control: TestCamera.exposure, codes: CodeRange(1, 1_000_000), latencyFrames: 2),
            vertical: .init(control: .verticalBlanking, latencyFrames: 2), marginLines: 4)
        return SensorTiming(sensor, mode, frameLines: 1_000)
    }

    private func addControlFaults(
        from start: Instant<Monotonic>, _ random: inout SeededGenerator
    ) {
        if random.chance(25) { world.testCamera.faults.lateWrites = random.number(1...20) }
        if random.chance(25) { world.testCamera.faults.lostWrites = random.number(1...20) }
    }

    /// Somebody else changes the exposure.
    private func addExternalWrites(from start: Instant<Monotonic>, _ random: inout SeededGenerator)
    {
        guard random.chance(15) else { return }
        var time = start
        for _ in 0..<random.number(1...3) {
            time = time + .microseconds(random.number(1_000...300_000))
            world.testCamera.faults.externalWrites.append((time, random.number(500...9_000)))
        }
    }

    /// A driver that begins to count anew, or loses its clock for a while.
    private func addDriverFaults(_ random: inout SeededGenerator) {
        // Just before its numbers end a counter that begins anew can't be told from one that goes on.
        if random.chance(10), world.testCamera.firstSequence == 0 {
            for _ in 0..<random.number(1...3) {
                world.testCamera.faults.resets.append(Int(random.number(1...120)))
            }
        }
        // Without timestamps, a frame is taken to be no longer on its way than two periods.
        guard random.chance(10), world.testCamera.transfer <= Self.period * 2 else { return }
        for _ in 0..<random.number(1...3) {
            let first = Int(random.number(1...120))
            let fault: TestCamera.TimestampFault =
                switch random.number(0...2) {
                case 0: .zero
                case 1: .stuck
                default:
                    .stepped(
                        .microseconds(random.number(60_000...2_000_000))
                            * (random.chance(50) ? 1 : -1))
                }
            world.testCamera.faults.badTimestamps.append(
                (first..<first + Int(random.number(1...30)), fault))
        }
    }

    /// Contacts that close more than once: to a camera that runs freely each is an edge like any other.
    private func addBounces(_ random: inout SeededGenerator) {
        guard random.chance(15) else { return }
        var edges: [LineEdge] = []
        var added: [Int32: UInt32] = [:]
        for var edge in world.testLines.edges {
            edge.lineSequence += added[edge.line, default: 0]
            edges.append(edge)
            guard random.chance(20) else { continue }
            added[edge.line, default: 0] += 1
            edge.lineSequence += 1
            edge.timestamp = edge.timestamp + .microseconds(random.number(1...1_000))
            edges.append(edge)
        }
        world.testLines.edges = edges
    }

    /// A slow disk, stalls that may fill the pool, and one that refuses from some time on.
    private mutating func addDiskFaults(
        from start: Instant<Monotonic>, _ random: inout SeededGenerator
    ) {
        guard let disk = world.testDisk, random.chance(40) else { return }
        plan.output.bufferCount = Int(random.number(2...8))
        plan.output.whenFull = random.chance(70) ? .hole : .stop
        if random.chance(50) { disk.duration = .microseconds(random.number(1...12_000)) }
        for _ in 0..<random.number(0...3) {
            let begin = start + .microseconds(random.number(0...900_000))
            disk.stalls.append(begin..<begin + .microseconds(random.number(1...400_000)))
        }
        guard random.chance(20) else { return }
        disk.refusal = (
            start + .microseconds(random.number(0...900_000)), random.chance(50) ? 28 : 5
        )
    }

    /// How often each fault came about.
    var faults: [String: Int] {
        let (camera, lines) = (world.testCamera, world.testLines)
        var counts = [
            "late interrupt": camera.lateTimestamps, "lost frame end": camera.lostEnds,
            "misstated pixel rate": camera.lineRatio == 1 ? 0 : 1,
            "refused write": camera.refusals, "late write": camera.lateWrites,
            "lost write": camera.lostWrites, "external write": camera.externalChanges,
            "starved host": world.starved, "lost edge": lines.lost.count,
            "edge without room": lines.overflowed.count,
            "unplugged": unplugged == nil ? 0 : 1, "stop": world.stops.count,
            "slow write of the disk": world.testDisk?.writes.count { $0.done > $0.begun } ?? 0,
            "write refused by the disk": world.testDisk?.writes.count { $0.errno != 0 } ?? 0,
        ]
        counts["sequence reset"] = camera.faults.resets.count { $0 < camera.truth.count }
        counts["bad timestamp"] = camera.truth.count { $0.said != nil }
        for frame in camera.truth where frame.fate != .delivered {
            counts["frame \(frame.fate.rawValue)", default: 0] += 1
        }
        return counts.filter { $0.value > 0 }
    }
}
