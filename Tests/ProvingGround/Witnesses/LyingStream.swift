import Cameras
import Simulation
import TestSupport
import Timebase

/// A stream from a seed, whose driver lies, with what is true of it.
struct LyingStream {
    /// Two frames that were handed out one after the other, and what was lost between them.
    struct Truth {
        var lostByDriver: Int64 = 0
        var lostInside: Int64 = 0
        var readout: Instant<Monotonic>
        var isRepeated = false
    }

    let model: TimestampModel
    let promised: Interval?
    let quirks: [CameraQuirk]
    let lies: SimulatedLies
    private(set) var arrivals: [FrameArrival] = []
    private(set) var truths: [Truth] = []

    private let period: Interval
    private let transfer: Interval

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let nominal = random.number(4_000_000...50_000_000)
        promised = random.chance(80) ? Interval(nanoseconds: nominal) : nil
        // Some ppm beside the promise, or nowhere near it.
        let perMillion =
            random.chance(90)
            ? 1_000_000 + random.number(-1_500...1_500)
            : [500_000, 1_500_000, 2_000_000, 3_000_000][Int(random.number(0...3))]
        period = Interval(nanoseconds: nominal * perMillion / 1_000_000)
        let late = random.chance(60) ? period.nanoseconds * random.number(1...25) / 100 : 0
        model = TimestampModel(
            point: .startOfReadout, lateness: Interval(nanoseconds: late), readout: .zero)
        transfer = Interval(nanoseconds: period.nanoseconds * random.number(1...120) / 100)
        let count = random.number(40...240)
        let lies = Self.lies(&random, count: count, period: period, transfer: transfer)
        // Two numbers for each frame, and nothing that says how many frames there should be: unless it is known, every
        // second frame is missing.
        let isHopeless =
            lies.stride == 2
            && (lies.stamps == .zero || lies.stamps == .stuck || promised == nil
                || perMillion > 1_100_000)
        self.lies = lies
        quirks = isHopeless || random.chance(30) ? Self.quirks(of: lies) : []
        play(count, &random)
    }

    private static func lies(
        _ random: inout SeededGenerator, count: Int64, period: Interval, transfer: Interval
    ) -> SimulatedLies {
        var lies = SimulatedLies()
        if random.chance(50) { lies.firstSequence = UInt32(truncatingIfNeeded: random.next()) }
        if random.chance(30) { lies.firstSequence = .max - UInt32(random.number(0...100)) }
        switch random.number(0...5) {
        case 0: lies.stuckSequence = random.number(0...count)..<(count + 1)
        case 1:
            lies.reset = SimulatedLies.Reset(
                frame: random.number(1...count), sequence: UInt32(random.number(0...9_000)))
        case 2: lies.stride = 2
        default: break
        }
        let start = random.number(0...count)
        let length = random.chance(50) ? 1 : count
        lies.wrongStamps = start..<(start + length)
        // Further than a frame is on its way: otherwise it is a frame that was lost, as far as anybody can tell.
        let far = period * random.number(3...20) + transfer + .nanoseconds(random.number(0...9_999))
        switch random.number(0...7) {
        case 0: lies.stamps = .zero
        case 1: lies.stamps = .stuck
        case 2: lies.stamps = .back(far)
        case 3: lies.stamps = .ahead(far)
        default: lies.wrongStamps = 0..<0
        }
        if random.chance(15) {
            lies.repeated = [random.number(0...count), random.number(0...count)]
        }
        return lies
    }

    private static func quirks(of lies: SimulatedLies) -> [CameraQuirk] {
        var quirks: [CameraQuirk] = []
        if !lies.stuckSequence.isEmpty { quirks.append(.sequenceIsStuck) }
        if lies.reset != nil { quirks.append(.sequenceResets) }
        if lies.stride == 2 { quirks.append(.sequenceCountsFields) }
        switch lies.stamps {
        case .zero: quirks.append(.stampsAreZero)
        case .stuck: quirks.append(.stampsAreStuck)
        case .back: quirks.append(.stampsGoBack)
        case .ahead: quirks.append(.stampsLieAhead)
        case nil: break
        }
        return quirks
    }

    /// A frame that waits for the host.
    private struct Waiting {
        var sequence: UInt32
        var stamp: Instant<Monotonic>
        var ready: Instant<Monotonic>
        var truth: Truth
    }

    /// Lets the sensor make its frames, and the host take them.
    private mutating func play(_ count: Int64, _ random: inout SeededGenerator) {
        var waiting: [Waiting] = []
        var counted: Int64 = 0
        var countAtReset: Int64 = 0
        var truth = Truth(readout: Instant(nanoseconds: 0))
        let origin = Instant<Monotonic>(nanoseconds: 1_000_000_000_000)
        let losses = (driver: random.number(0...8), inside: random.number(0...4))
        var holdUp: Int64 = 0
        for frame in 0..<count {
            let readout = origin + period * frame
            if frame == lies.reset?.frame { countAtReset = counted }
            if holdUp == 0, random.number(0...299) == 0 { holdUp = random.number(2...60) }
            if frame > 0, random.number(1...100) <= losses.inside {
                truth.lostInside += 1
                continue
            }
            counted += 1
            if holdUp > 0 || (frame > 0 && random.number(1...100) <= losses.driver) {
                holdUp = max(0, holdUp - 1)
                truth.lostByDriver += 1
                continue
            }
            truth.readout = readout
            let late = Interval(nanoseconds: random.number(0...model.lateness.nanoseconds))
            let first = origin + period * lies.wrongStamps.lowerBound
            let stamp = lies.stamp(frame: frame, truth: readout + late, first: first)
            let delivered = Waiting(
                sequence: lies.sequence(
                    frame: frame, count: counted - 1, countAtReset: max(0, countAtReset)),
                stamp: Instant(nanoseconds: stamp.nanoseconds / 1_000 * 1_000),
                ready: readout + late + transfer, truth: truth)
            waiting.append(delivered)
            if lies.repeated.contains(frame) {
                var again = delivered
                again.truth = Truth(readout: readout, isRepeated: true)
                waiting.append(again)
            }
            truth = Truth(readout: readout)
        }
        take(waiting, &random)
    }

    private mutating func take(_ waiting: [Waiting], _ random: inout SeededGenerator) {
        var emptyAt: Instant<Monotonic>?
        var next = 0
        while next < waiting.count {
            // As a rule the host is there at once; now and then it is busy for some periods.
            let busy = random.number(0...49) == 0 ? period * random.number(1...4) : .zero
            let now = waiting[next].ready + busy + .nanoseconds(random.number(0...50_000))
            while next < waiting.count, waiting[next].ready <= now {
                arrivals.append(
                    FrameArrival(
                        sequence: waiting[next].sequence, stamp: waiting[next].stamp, takenAt: now,
                        notBefore: emptyAt))
                truths.append(waiting[next].truth)
                next += 1
            }
            emptyAt = now
        }
    }
}
