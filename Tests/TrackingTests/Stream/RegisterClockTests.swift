import TestSupport
import Testing
import Timebase

@testable import Devices
@testable import Tracking

/// A raw sensor whose frames begin when its registers say, whatever becomes of their timestamps.
struct RegisterClockTests {
    private static let delay = Interval.microseconds(150)
    private static let origin: Int64 = 1_000_000_000_000

    /// A sensor: the true beginning of each frame, and what a clock makes of it.
    private struct Sensor {
        var clock: StreamClock
        /// The period as registers say it, and as it is.
        let said: Interval
        let period: Double
        private(set) var place: Int64 = 0
        private(set) var sequence: UInt32 = 0
        private(set) var gaps: [FrameGap] = []
        private var emptyAt: Instant<Monotonic>?

        init(
            _ said: Interval, partsPerMillion: Double = 0, ratio: Double = 1,
            transfer: Interval? = nil
        ) {
            self.said = said
            period = Double(said.nanoseconds) * ratio * (1 + partsPerMillion / 1_000_000)
            var model = TimestampModel(
                point: .startOfReadout, delay: RegisterClockTests.delay, readout: .zero)
            model.transfer = transfer
            clock = StreamClock(model: model, nominalPeriod: nil, registerPeriod: said)
        }

        func truth(_ place: Int64) -> Instant<Monotonic> {
            Instant(nanoseconds: origin + Int64(Double(place) * period))
        }

        /// The next frame is delivered, with its timestamp late by so much.
        ///
        /// - Parameters:
        ///   - timestamped: the place whose beginning it is timestamped with, where that is another one.
        ///   - losesEnd: it is there only once the next frame begins, and that one's timestamp is made.
        ///   - share: what it takes of the period until it is there.
        /// - Returns: whether its true time lies within its bounds; nil while the phase is not known.
        mutating func frame(
            late: Interval = .zero, timestampedBy: Int64 = 0, losesEnd: Bool = false,
            lasts share: Double = 0.9
        ) -> Bool? {
            let truth = truth(place)
            let timestamp = self.truth(place + timestampedBy) + late
            let micro = Instant<Monotonic>(nanoseconds: timestamp.nanoseconds / 1_000 * 1_000)
            let taken =
                losesEnd
                ? self.truth(place + 1) + late
                : self.truth(place + timestampedBy) + Interval(nanoseconds: Int64(period * share))
            let isSettling = clock.framesToSettle > 0
            let gap = clock.advance(
                to: FrameArrival(
                    sequence: sequence, timestamp: micro, takenAt: max(taken, micro),
                    notBefore: emptyAt))
            emptyAt = taken
            gaps.append(gap)
            place += 1 + timestampedBy
            sequence += 1
            guard !isSettling, let frame = clock.last,
                let readout = clock.readoutStart(of: frame)
            else { return nil }
            return readout.earliest <= truth && truth <= readout.latest
        }

        mutating func lose(_ frames: Int64, numbered: Bool) {
            place += frames
            if numbered { sequence += UInt32(frames) }
        }

        /// How wide the bounds of the last frame are.
        var width: Interval? {
            clock.last.flatMap { clock.readoutStart(of: $0) }.map { $0.latest - $0.earliest }
        }
    }

    @Test func `ten interrupts that are 5 ms late leave no frame outside its bounds`() throws {
        var sensor = Sensor(.microseconds(33_327))
        for number in 0..<200 {
            let isLate = (60..<70).contains(number)
            let isRight = sensor.frame(late: isLate ? .milliseconds(5) : .zero)
            #expect(isRight ?? true, "frame \(number)")
            #expect(sensor.gaps[number].doubt == (isLate ? .late : nil))
            #expect(sensor.gaps[number].missing == 0 && !sensor.gaps[number].isDisputed)
            let width = try #require(sensor.width)
            if number >= 10 { #expect(width < .milliseconds(1), "frame \(number): \(width)") }
        }
    }

    @Test func `timestamps that are late from the first frame on move nothing`() {
        for seed in 0..<400 {
            var random = SeededGenerator(seed: UInt64(seed))
            let share: Int64 = [10, 30, 50][seed % 3]
            var sensor = Sensor(.microseconds(random.number(4_000...40_000)))
            for number in 0..<60 {
                let late = Interval.microseconds(
                    random.chance(share) ? random.number(200...3_500) : random.number(0...149))
                let isRight = sensor.frame(late: late)
                #expect(isRight ?? true, "seed \(seed), frame \(number)")
            }
        }
    }

    /// A late interrupt is handled at the end of its frame at the latest, which is just before the next one begins.
    @Test func `an interrupt that is late by nearly a period is not taken for the next frame's`() {
        for seed in 0..<2_000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let period = random.number(4_000...40_000)
            // With half of the seeds nobody knows how long frames are on their way. Then two such frames in a row with
            // a numbered one lost between them can't be told from others.
            let isTransferKnown = seed % 2 == 0
            var sensor = Sensor(
                .microseconds(period),
                transfer: isTransferKnown ? .microseconds(period * 85 / 100) : nil)
            for number in 0..<60 {
                var late = random.number(0...149)
                if random.chance(8) { late = period - random.number(0...period / 20) }
                let isRight = sensor.frame(late: .microseconds(late))
                #expect(isRight ?? true, "seed \(seed), frame \(number)")
                // Its successor begins while the interrupt is handled, and is neither started nor counted.
                if late > 149 || random.chance(4) {
                    sensor.lose(1, numbered: isTransferKnown && random.chance(30))
                }
            }
        }
    }

    @Test func `delay of every interrupt shows, since frames are there too soon`() {
        for late in [Int64(400), 1_000, 5_000] {
            var sensor = Sensor(.microseconds(33_327), transfer: .microseconds(29_900))
            for number in 0..<200 {
                let isRight = sensor.frame(late: .microseconds(late))
                #expect(isRight ?? true, "\(late) us, frame \(number)")
            }
        }
    }

    @Test func `frames there too soon tell the delay of those whose ends are lost after them`() {
        for seed in 0..<2_000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let period = random.number(4_000...90_000)
            let late = 500 + random.number(period / 10...period / 2)
            let jitter = random.number(0...100)
            let first = Int(random.number(1...9))
            let last = first + Int(random.number(4...50))
            var sensor = Sensor(
                .microseconds(period), partsPerMillion: Double(random.number(-300...300)),
                transfer: .microseconds(period * 85 / 100))
            for number in 0..<last + 20 {
                let isLate = number < last + 5
                let isRight = sensor.frame(
                    late: .microseconds((isLate ? late : 0) + random.number(0...jitter)),
                    losesEnd: (first..<last).contains(number))
                #expect(isRight ?? true, "seed \(seed), frame \(number)")
            }
        }
    }

    @Test func `a frame that is lost when timestamps begin to be late is missing all the same`() {
        for seed in 0..<500 {
            var random = SeededGenerator(seed: UInt64(seed))
            let period = random.number(6_000...90_000)
            let late = 500 + random.number(period / 20...period / 2)
            let start = Int(random.number(15...40))
            let lost = random.number(1...3)
            var sensor = Sensor(
                .microseconds(period), transfer: .microseconds(period * 85 / 100))
            for number in 0..<start + 30 {
                if number == start { sensor.lose(lost, numbered: false) }
                let isLate = number >= start
                let isRight = sensor.frame(
                    late: .microseconds((isLate ? late : 0) + random.number(0...90)))
                #expect(isRight ?? true, "seed \(seed), frame \(number)")
            }
            let missing = sensor.gaps.reduce(0) { $0 + $1.missing }
            #expect(missing == lost, "seed \(seed)")
        }
    }

    @Test func `frames that are lost while all timestamps are late are missing all the same`() {
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            let period = random.number(6_000...90_000)
            let late = 500 + random.number(period / 20...period / 2)
            var sensor = Sensor(
                .microseconds(period), transfer: .microseconds(period * 85 / 100))
            var lost: Int64 = 0
            for number in 0..<120 {
                if number > 1, random.chance(12) {
                    lost += number > 70 ? 1 : 0
                    sensor.lose(1, numbered: false)
                }
                let isRight = sensor.frame(late: .microseconds(late + random.number(0...90)))
                #expect(isRight ?? true, "seed \(seed), frame \(number)")
                #expect(sensor.gaps[number].doubt == .late)
            }
            let found = sensor.gaps.dropFirst(71).reduce(0) { $0 + $1.missing }
            #expect(found == lost, "seed \(seed)")
        }
    }

    @Test func `where the ends of all frames are lost, no phase is believed`() {
        for late in [Int64(0), 2_000, 6_000] {
            var sensor = Sensor(.microseconds(33_327), transfer: .microseconds(9_000))
            for number in 0..<100 {
                let isRight = sensor.frame(late: .microseconds(late), losesEnd: true)
                #expect(isRight ?? true, "late by \(late) us, frame \(number)")
            }
            for _ in 0..<10 { _ = sensor.frame(lasts: 0.3) }
            #expect(sensor.frame(lasts: 0.3) ?? false)
            #expect(sensor.width.map { $0 < .milliseconds(1) } ?? false, "late by \(late) us")
        }
    }

    @Test
    func
        `a lost end of a frame puts the next timestamp on the older picture, and the bounds hold it`()
    {
        var sensor = Sensor(.microseconds(33_327))
        for number in 0..<80 {
            let isLost = number == 40
            let isRight = sensor.frame(timestampedBy: isLost ? 1 : 0)
            #expect(isRight ?? true, "frame \(number)")
            #expect(sensor.gaps[number].mayBeEarlier == (isLost ? 1 : 0))
            #expect(sensor.gaps[number].missing == (isLost ? 1 : 0))
        }
    }

    @Test(arguments: [-100.0, -40, 60, 100]) func `a crystal that is off is no contradiction`(
        partsPerMillion: Double
    ) {
        var sensor = Sensor(.microseconds(16_666), partsPerMillion: partsPerMillion)
        var random = SeededGenerator(seed: 3)
        for number in 0..<3_000 {
            if random.chance(3) { sensor.lose(random.number(1...3), numbered: random.chance(50)) }
            let late =
                random.chance(5) ? random.number(1_000...8_000) : random.number(0...149)
            let isRight = sensor.frame(late: .microseconds(late))
            #expect(isRight ?? true, "frame \(number)")
        }
        #expect(sensor.gaps.allSatisfy { $0.foundPeriod == nil && $0.lateBefore == nil })
    }

    @Test(arguments: [-600.0, -300, 300, 600], [4_000, 16_666, 33_327, 150_000])
    func `a sensor as far off as crystal and slewing can put it stays within its bounds`(
        partsPerMillion: Double, period: Int64
    ) {
        for seed in 0..<8 {
            var sensor = Sensor(.microseconds(period), partsPerMillion: partsPerMillion)
            var random = SeededGenerator(seed: UInt64(seed))
            for number in 0..<600 {
                if random.chance(3) {
                    sensor.lose(random.number(1...3), numbered: random.chance(50))
                }
                let late = random.chance(5) ? random.number(200...3_500) : random.number(0...149)
                let isRight = sensor.frame(late: .microseconds(late))
                #expect(isRight ?? true, "seed \(seed), frame \(number)")
            }
            #expect(sensor.gaps.allSatisfy { $0.foundPeriod == nil }, "seed \(seed)")
        }
    }

    @Test(
        arguments: [-3_000.0, -1_500, -1_000, 1_000, 1_500, 3_000],
        [4_000, 16_666, 33_327, 150_000])
    func `a sensor that is further off is found out before a frame leaves its bounds`(
        partsPerMillion: Double, period: Int64
    ) {
        for seed in 0..<8 {
            var sensor = Sensor(.microseconds(period), partsPerMillion: partsPerMillion)
            var random = SeededGenerator(seed: UInt64(seed))
            for number in 0..<600 {
                let isRight = sensor.frame(late: .microseconds(random.number(0...149)))
                #expect(isRight ?? true, "seed \(seed), frame \(number)")
            }
            let told = sensor.gaps.firstIndex { $0.foundPeriod != nil }
            let most = Int(max(80, 1_100_000 / period))
            #expect(told.map { $0 < most } ?? false, "seed \(seed): \(String(describing: told))")
        }
    }

    @Test(
        arguments: [-10_000.0, -4_000, -2_000, 2_000, 4_000, 10_000], [200_000, 500_000, 900_000])
    func `a slow sensor that is off is found out within eight frames, late interrupts or not`(
        partsPerMillion: Double, period: Int64
    ) {
        for lateFrames in [[], [2], [3], [5]] as [[Int]] {
            var sensor = Sensor(.microseconds(period), partsPerMillion: partsPerMillion)
            for number in 0..<8 {
                _ = sensor.frame(late: .microseconds(lateFrames.contains(number) ? 8_000 : 20))
            }
            let told = sensor.gaps.contains { $0.foundPeriod != nil }
            #expect(told, "late: \(lateFrames)")
        }
    }

    @Test(arguments: [0.5, 0.25, 2, 1.3, 0.97])
    func `another period than registers say is told at once`(
        ratio: Double
    ) throws {
        var sensor = Sensor(.microseconds(10_070), ratio: ratio)
        var told: Int?
        for number in 0..<40 {
            let isRight = sensor.frame()
            if told == nil, sensor.gaps[number].foundPeriod != nil { told = number }
            if told == nil { #expect(isRight == nil, "frame \(number) has no time yet") }
            #expect(!sensor.gaps[number].isDisputed)
        }
        let number = try #require(told)
        let found = try #require(sensor.gaps[number].foundPeriod)
        #expect(number <= 8)
        #expect(abs(Double(found.nanoseconds) - sensor.period) < 2_000)
        #expect(!sensor.clock.keepsRegisterPeriod)
        #expect(sensor.gaps.allSatisfy { $0.missing == 0 })
    }

    @Test func `timestamps in time that come less and less late are no other period`() {
        var sensor = Sensor(.milliseconds(10))
        for late in [149, 118, 87, 56, 25] as [Int64] {
            _ = sensor.frame(late: .microseconds(late))
        }
        for _ in 0..<60 { _ = sensor.frame() }
        #expect(sensor.gaps.allSatisfy { $0.foundPeriod == nil })
    }

    @Test func `delay that nothing showed is told as soon as it shows`() {
        var sensor = Sensor(.microseconds(20_000))
        for _ in 0..<30 { _ = sensor.frame(late: .milliseconds(4)) }
        for _ in 0..<10 { _ = sensor.frame() }
        let told = sensor.gaps.compactMap(\.lateBefore)
        #expect(told.count == 1)
        #expect(told.allSatisfy { $0 > .microseconds(3_000) && $0 <= .milliseconds(4) })
        #expect(sensor.gaps.allSatisfy { $0.missing == 0 && !$0.isDisputed })
    }

    @Test func `a blanking that changes is followed`() {
        var sensor = Sensor(.microseconds(20_000))
        for _ in 0..<30 { #expect(sensor.frame() ?? true) }
        sensor.clock.follow(registerPeriod: nil)
        for _ in 0..<30 { #expect(sensor.frame() ?? true) }
        sensor.clock.follow(registerPeriod: .microseconds(20_000))
        for _ in 0..<30 { #expect(sensor.frame(late: .zero) ?? true) }
        #expect(sensor.clock.keepsRegisterPeriod)
        #expect(sensor.gaps.allSatisfy { $0.foundPeriod == nil })
    }

    @Test func `where timestamps were late, a few that agree show nothing at the next rate`() {
        var sensor = Sensor(.milliseconds(100))
        for place in 0..<40 { _ = sensor.frame(late: .milliseconds(place % 3 == 0 ? 0 : 2)) }
        sensor.clock.follow(registerPeriod: nil)
        _ = sensor.frame()
        sensor.clock.follow(registerPeriod: .milliseconds(100))
        for _ in 0..<7 { #expect(sensor.frame(late: .milliseconds(1)) ?? true) }
        for _ in 0..<20 { #expect(sensor.frame() ?? true) }
    }

    @Test(arguments: [260, 376, 1_000, 4_500], [1, 3] as [Int64])
    func `frames too slow to wait for are counted from the first one on`(
        milliseconds: Int64, lost: Int64
    ) {
        for place in 1...6 {
            var sensor = Sensor(.milliseconds(milliseconds), partsPerMillion: 500)
            #expect(sensor.clock.framesToSettle == 0)
            for _ in 0..<place { #expect(sensor.frame(late: .microseconds(90)) ?? false) }
            sensor.lose(lost, numbered: false)
            for _ in 0..<8 { #expect(sensor.frame() ?? false) }
            #expect(sensor.gaps[place].unnumbered == lost)
            #expect(sensor.gaps.count { $0.missing != 0 } == 1, "after \(place)")
        }
    }

    @Test func `where somebody else writes the blanking, timestamps tell the period`() {
        var sensor = Sensor(.microseconds(20_000), ratio: 1.7)
        for _ in 0..<3 { _ = sensor.frame() }
        sensor.clock.forgetRegisterPeriod()
        for _ in 0..<20 { #expect(sensor.frame() ?? false) }
        sensor.lose(1, numbered: false)
        #expect(sensor.frame() ?? false)
        #expect(sensor.gaps.dropFirst(4).map(\.missing) == Array(repeating: 0, count: 19) + [1])
        #expect(sensor.gaps.allSatisfy { $0.foundPeriod == nil })
    }
}
