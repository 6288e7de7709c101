import BenchCameraModel
import Testing

@Suite struct StreamTests {
    @Test(arguments: [BusTiming.bus, .burst], [PixelLayout.yuyv, .grey])
    func `a hundred frames arrive whole and carry their counters`(
        timing: BusTiming, layout: PixelLayout
    ) throws {
        var options = try smallCamera(layout: layout)
        options.timing = timing
        var host = FakeHost(options)
        host.startStream()
        host.run(until: host.now + 101 * periodNanoseconds)
        let stride = layout == .yuyv ? 2 : 1
        #expect(host.frames.count >= 100)
        #expect(host.frames.allSatisfy { $0.bytes.count == 320 * 240 * stride })
        #expect(host.frames.map(\.sequence) == Array(0..<host.frames.count))
        let counters = host.frames.map { PictureReading.counter($0.bytes, stride: stride) }
        #expect(counters == Array(0..<host.frames.count))
    }

    @Test func `timestamps in the headers tell the true start on the device clock`() throws {
        var options = try smallCamera()
        options.clock = DeviceClock(errorPartsPerBillion: 100_000)
        var host = FakeHost(options)
        host.startStream()
        host.run(until: host.now + 31 * periodNanoseconds)
        let outcomes = host.machine.takeOutcomes()
        for (frame, outcome) in zip(host.frames, outcomes) {
            // 48 ticks a microsecond, 100 ppm fast; the counter has 32 bits.
            let device = Double(outcome.truth.readoutStartNanoseconds) * 1.0001
            let ticks = (device * 0.048).truncatingRemainder(dividingBy: 4_294_967_296)
            #expect(abs(Double(frame.presentationTicks) - ticks) < 2)
        }
        // A fast clock makes the frames come sooner: 30 periods shrink by 100 ppm.
        let first = try #require(outcomes.first).truth.readoutStartNanoseconds
        let last = outcomes[29].truth.readoutStartNanoseconds
        #expect(abs(last - first - 29 * periodNanoseconds * 10_000 / 10_001) <= 2)
    }

    @Test func `a bus carries one packet each microframe, a burst a frame at once`() throws {
        var options = try smallCamera()
        var host = FakeHost(options, packetBytes: 1024)
        host.startStream(alternate: 3)
        host.run(until: host.now + 10 * periodNanoseconds)
        // 153600 bytes at 1012 a packet are 152 packets, 19 ms; transfers of 4 ms round up.
        var truths = host.machine.takeOutcomes().map(\.truth.readoutStartNanoseconds)
        for (frame, start) in zip(host.frames, truths) {
            #expect(frame.arrivalNanoseconds - start <= 4_250_000)
        }
        #expect(host.frames.count == 9)

        options.timing = .burst
        host = FakeHost(options, packetBytes: 1024)
        host.startStream(alternate: 3)
        host.run(until: host.now + 10 * periodNanoseconds)
        truths = host.machine.takeOutcomes().map(\.truth.readoutStartNanoseconds)
        #expect(host.frames.map(\.arrivalNanoseconds) == truths)
    }

    /// What an application sees of each fault: steps of sequence and counter between good frames.
    @Test(arguments: [
        ("drop@20", 1, 2), ("lose@20", 1, 3), ("short@20", 2, 2), ("err@20", 2, 2),
    ])
    func `a fault leaves its own marks in sequence and counter`(
        fault: String, sequenceStep: Int, counterStep: Int
    ) throws {
        var options = try smallCamera()
        options.faults = try FaultSchedule(fault)
        var host = FakeHost(options)
        host.startStream()
        host.run(until: host.now + 40 * periodNanoseconds)
        let good = host.frames.filter { !$0.hasError && $0.bytes.count == 320 * 240 * 2 }
        let marks = good.map { ($0.sequence, PictureReading.counter($0.bytes)) }
        let steps = zip(marks, marks.dropFirst()).map { ($1.0 - $0.0, $1.1 - $0.1) }
        #expect(steps.filter { $0 != (1, 1) }.count == 1)
        #expect(steps.contains { $0 == (sequenceStep, counterStep) })
        let outcomes = host.machine.takeOutcomes()
        #expect(outcomes.filter { $0.fault != nil }.map(\.truth.counter) == [20])
        #expect(outcomes.map(\.truth.counter) == Array(0..<outcomes.count))
    }

    @Test func `a frozen camera sends nothing more until the stream starts again`() throws {
        var options = try smallCamera()
        options.faults = try FaultSchedule("freeze@5")
        var host = FakeHost(options)
        host.startStream()
        host.run(until: host.now + 20 * periodNanoseconds)
        #expect(host.frames.count == 5)
        host.startStream()
        host.run(until: host.now + 4 * periodNanoseconds)
        #expect(host.frames.count >= 2)
    }

    @Test func `unplugging happens once, at its frame, and comes back at the replug frame`() throws
    {
        var options = try smallCamera()
        options.faults = try FaultSchedule("unplug@8,replug@68")
        var replies = USBIPReplies()
        var host = FakeHost(options)
        host.startStream()
        let start = host.now
        var machine = host.machine
        machine.advance(to: start + 20 * periodNanoseconds, &replies)
        let taken = machine.takePlugChange()
        let change = try #require(taken)
        #expect(change.replugNanoseconds == start + 69 * periodNanoseconds)
        machine.powerCycle()
        host.machine = machine
        host.startStream()
        host.run(until: host.now + 20 * periodNanoseconds)
        #expect(host.frames.count > 15)
    }
}
