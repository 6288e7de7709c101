import Devices
import Simulation
import TestSupport
import Timebase
internal import Tracking

/// A stream from a seed, whose driver driverFaults, with what is true of it.
struct FaultyStream {
    /// Two frames that were handed out one after the other, and what was lost between them.
    struct Truth {
        var lostByDriver: Int64 = 0
        var lostInside: Int64 = 0
        var readout: Instant<Monotonic>
        var isRepeated = false
    }

    let model: TimestampModel
    let promised: Interval?
    /// Whether all that is needed for its frames to be counted is known before the first of them.
    let isKnown: Bool
    let quirks: [CameraQuirk]
    let driverFaults: SimulatedDriverFaults
    private(set) var arrivals: [FrameArrival] = []
    private(set) var truths: [Truth] = []

    private let streamStart = Instant<Monotonic>(nanoseconds: 1_000_000_000_000)
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
            point: .startOfReadout, delay: Interval(nanoseconds: late), readout: .zero)
        transfer = Interval(nanoseconds: period.nanoseconds * random.number(1...120) / 100)
        let count = random.number(40...240)
        let driverFaults = Self.driverFaults(
            &random, count: count, period: period, transfer: transfer)
        // Two numbers for each frame, and nothing that says how many frames there should be: unless it is known, every
        // second frame is missing.
        let isHopeless =
            driverFaults.stride == 2
            && (driverFaults.timestamps == .zero || driverFaults.timestamps == .stuck
                || promised == nil
                || perMillion > 1_100_000)
        self.driverFaults = driverFaults
        quirks = isHopeless || random.chance(30) ? Self.quirks(of: driverFaults) : []
        isKnown =
            promised != nil && abs(perMillion - 1_000_000) <= 1_500
            && (driverFaults.stride == 1 || !quirks.isEmpty)
        play(count, &random)
    }

    private static func driverFaults(
        _ random: inout SeededGenerator, count: Int64, period: Interval, transfer: Interval
    ) -> SimulatedDriverFaults {
        var driverFaults = SimulatedDriverFaults()
        if random.chance(50) {
            driverFaults.firstSequence = UInt32(truncatingIfNeeded: random.next())
        }
        if random.chance(30) { driverFaults.firstSequence = .max - UInt32(random.number(0...100)) }
        switch random.number(0...5) {
        case 0: driverFaults.stuckSequence = random.number(0...count)..<(count + 1)
        case 1:
            driverFaults.reset = SimulatedDriverFaults.Reset(
                frame: random.number(1...count), sequence: UInt32(random.number(0...9_000)))
        case 2: driverFaults.stride = 2
        default: break
        }
        // A count that begins anew a few numbers further on is a gap.
        if let reset = driverFaults.reset,
            reset.sequence &- driverFaults.firstSequence < UInt32(count) + 100
        {
            driverFaults.reset?.sequence = reset.sequence &+ 20_000
        }
        let start = random.number(0...count)
        let length = random.chance(50) ? 1 : count
        driverFaults.wrongTimestamps = start..<(start + length)
        // Further than a frame is on its way: otherwise it is a frame that was lost, as far as anybody can tell.
        let far = period * random.number(3...20) + transfer + .nanoseconds(random.number(0...9_999))
        switch random.number(0...7) {
        case 0: driverFaults.timestamps = .zero
        case 1: driverFaults.timestamps = .stuck
        case 2: driverFaults.timestamps = .back(far)
        // The host may add to that.
        case 3: driverFaults.timestamps = .ahead(far + period * 5)
        default: driverFaults.wrongTimestamps = 0..<0
        }
        if random.chance(15) {
            driverFaults.repeated = [random.number(0...count), random.number(0...count)]
        }
        return driverFaults
    }

    private static func quirks(of driverFaults: SimulatedDriverFaults) -> [CameraQuirk] {
        var quirks: [CameraQuirk] = []
        if !driverFaults.stuckSequence.isEmpty { quirks.append(.sequenceIsStuck) }
        if driverFaults.reset != nil { quirks.append(.sequenceResets) }
        if driverFaults.stride == 2 { quirks.append(.sequenceCountsFields) }
        switch driverFaults.timestamps {
        case .zero: quirks.append(.timestampsAreZero)
        case .stuck: quirks.append(.timestampsAreStuck)
        case .back: quirks.append(.timestampsGoBack)
        case .ahead: quirks.append(.timestampsAreAhead)
        case nil: break
        }
        return quirks
    }

    /// A frame that waits for the host.
    private struct Waiting {
        var sequence: UInt32
        var timestamp: Instant<Monotonic>
        var ready: Instant<Monotonic>
        var truth: Truth
    }

    /// Lets the sensor make its frames, and the host take them.
    private mutating func play(_ count: Int64, _ random: inout SeededGenerator) {
        var waiting: [Waiting] = []
        var counted: Int64 = 0
        var countAtReset: Int64 = 0
        var truth = Truth(readout: Instant(nanoseconds: 0))
        let origin = streamStart + period
        let losses = (driver: random.number(0...8), inside: random.number(0...4))
        var holdUp: Int64 = 0
        var firstWrong: Instant<Monotonic>?
        for frame in 0..<count {
            let readout = origin + period * frame
            if frame == driverFaults.reset?.frame { countAtReset = counted }
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
            let late = Interval(nanoseconds: random.number(0...model.delay.nanoseconds))
            // Timestamps stick at one that a frame had: a time at which none came is nobody's.
            if firstWrong == nil, driverFaults.wrongTimestamps.contains(frame) {
                firstWrong = readout + late
            }
            // There is nothing yet that the first timestamp could be held against.
            let isUntold = waiting.isEmpty && quirks.isEmpty && driverFaults.timestamps != .zero
            let timestamp =
                isUntold
                ? readout + late
                : driverFaults.timestamp(
                    frame: frame, truth: readout + late, first: firstWrong ?? readout + late)
            let delivered = Waiting(
                sequence: driverFaults.sequence(
                    frame: frame, count: counted - 1, countAtReset: max(0, countAtReset)),
                timestamp: Instant(nanoseconds: timestamp.nanoseconds / 1_000 * 1_000),
                ready: readout + late + transfer, truth: truth)
            waiting.append(delivered)
            if driverFaults.repeated.contains(frame) {
                var again = delivered
                again.truth = Truth(readout: readout, isRepeated: true)
                waiting.append(again)
            }
            truth = Truth(readout: readout)
        }
        take(waiting, &random)
    }

    private mutating func take(_ waiting: [Waiting], _ random: inout SeededGenerator) {
        var emptyAt: Instant<Monotonic>? = streamStart
        var next = 0
        while next < waiting.count {
            // As a rule the host is there at once; now and then it is busy for some periods.
            let busy = random.number(0...49) == 0 ? period * random.number(1...4) : .zero
            let now = waiting[next].ready + busy + .nanoseconds(random.number(0...50_000))
            while next < waiting.count, waiting[next].ready <= now {
                arrivals.append(
                    FrameArrival(
                        sequence: waiting[next].sequence, timestamp: waiting[next].timestamp,
                        takenAt: now,
                        notBefore: emptyAt))
                truths.append(waiting[next].truth)
                next += 1
            }
            emptyAt = now
        }
    }

    /// Whether nobody can know better what is missing before a frame, nor when it was taken.
    ///
    /// The host did not look while frames were lost, and number and timestamp tell the same story, another than the
    /// truth; or it is one of the first frames of a camera that promised no rate, of which there is no story yet.
    func hasAlibi(_ index: Int) -> Bool {
        guard index > 0, arrivals[index].notBefore == arrivals[index - 1].takenAt else {
            return false
        }
        if promised == nil, index < 4 { return true }
        let told = Int64(
            (arrivals[index].sequence &- arrivals[index - 1].sequence) / driverFaults.stride)
        let lost = truths[index].lostByDriver + truths[index].lostInside
        guard told <= lost, lost > 2 else { return false }
        let off = (arrivals[index].timestamp - arrivals[index - 1].timestamp) - period * told
        let room = model.delay + Interval(nanoseconds: period.nanoseconds * 3 / 10)
        return off <= room && .zero - off <= room
    }
}
