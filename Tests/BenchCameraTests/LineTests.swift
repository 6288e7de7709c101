import BenchCameraModel
import Testing

@Suite struct LineTests {
    @Test func `the strobe is on during each exposure and off at its readout`() throws {
        var host = FakeHost(try smallCamera())
        host.goManual()
        host.startStream()
        host.run(until: host.now + 20 * periodNanoseconds)
        let changes = host.machine.takeStrobeChanges()
        let truths = host.machine.takeOutcomes().map(\.truth)
        #expect(truths.count >= 18)
        for (index, truth) in truths.enumerated() {
            let pulse = changes[(2 * index)...(2 * index + 1)]
            #expect(pulse.map(\.isOn) == [true, false])
            #expect(
                pulse.map(\.time) == [
                    truth.readoutStartNanoseconds - truth.exposureNanoseconds,
                    truth.readoutStartNanoseconds,
                ])
        }
    }

    @Test func `a triggered camera makes one frame for each pulse it is ready for`() throws {
        var options = try smallCamera()
        options.isTriggered = true
        var host = FakeHost(options)
        host.goManual()
        let early = host.machine.trigger(at: host.now)
        #expect(!early, "no stream, no frame")
        host.startStream()
        let start = host.now
        host.run(until: start + 3 * periodNanoseconds)
        #expect(host.frames.isEmpty)
        var expected: [Int64] = []
        // The pulse 10 ms after each other one comes while the sensor is busy.
        for pulse in 0..<10 {
            let time = start + Int64(4 + 2 * pulse) * periodNanoseconds
            host.run(until: time)
            let taken = host.machine.trigger(at: time)
            #expect(taken)
            expected.append(time + 15_600_000)
            host.run(until: time + 10_000_000)
            let tooSoon = host.machine.trigger(at: time + 10_000_000)
            #expect(!tooSoon)
        }
        host.run(until: host.now + 4 * periodNanoseconds)
        let truths = host.machine.takeOutcomes().map(\.truth)
        #expect(truths.map(\.readoutStartNanoseconds) == expected)
        #expect(host.frames.map { PictureReading.counter($0.bytes) } == Array(0..<10))
    }

    @Test func `exposures longer than a period need the dynamic frame rate`() throws {
        for isDynamic in [false, true] {
            var host = FakeHost(try smallCamera())
            host.goManual()
            let dynamic = host.write(unit: 1, selector: 3, [isDynamic ? 1 : 0])
            let exposure = host.write(unit: 1, selector: 4, [0xE8, 3, 0, 0])
            #expect(dynamic && exposure)
            host.startStream()
            host.run(until: host.now + 31 * periodNanoseconds)
            let truths = host.machine.takeOutcomes().map(\.truth)
            let wanted: Int64 = isDynamic ? 100_000_000 : periodNanoseconds
            #expect(truths.allSatisfy { $0.exposureNanoseconds == wanted })
            let steps = zip(truths, truths.dropFirst()).map {
                $1.readoutStartNanoseconds - $0.readoutStartNanoseconds
            }
            #expect(steps.allSatisfy { $0 == wanted })
        }
    }
}
