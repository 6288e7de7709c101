import BenchCameraModel
import Testing

@Suite struct ControlTests {
    /// Unit, selector, bytes, and where value B shows in the pattern: word and shift.
    @Test(arguments: [
        (1, 0x04, [100, 0, 0, 0], 2, 0, UInt32(10_000_000), 2),
        (2, 0x04, [64, 0], 3, 16, UInt32(64), 1),
        (1, 0x06, [77, 0], 3, 0, UInt32(77), 1),
        (2, 0x0A, [0xB8, 0x0B], 4, 16, UInt32(3000), 1),
    ])
    func `a value written during an exposure shows after the control's latency`(
        unit: Int, selector: Int, bytes: [UInt8], word: Int, shift: Int, value: UInt32, latency: Int
    ) throws {
        for phase in [1, 12, 20, 32] as [Int64] {
            var host = FakeHost(try smallCamera())
            host.goManual()
            host.startStream()
            let start = host.now
            // Frame k is read out at start + (k + 1) periods; this write falls into the exposure of frame 10.
            host.run(until: start + 10 * periodNanoseconds + phase * 1_000_000)
            let written = host.write(unit: UInt8(unit), selector: UInt8(selector), bytes)
            #expect(written)
            host.run(until: start + 20 * periodNanoseconds)
            let width = word == 2 ? UInt32.max : 0xFFFF
            let first = host.frames.firstIndex {
                PictureReading.words($0.bytes, width: 320, stride: 2)[word] >> UInt32(shift) & width
                    == value
            }
            #expect(first == 10 + latency, "phase \(phase) ms")
        }
    }

    @Test func `values written before the stream starts hold from its first frame`() throws {
        var host = FakeHost(try smallCamera())
        host.goManual()
        let written = host.write(unit: 2, selector: 0x04, [128, 0])
        #expect(written)
        host.startStream()
        host.run(until: host.now + 3 * periodNanoseconds)
        let words = PictureReading.words(host.frames[0].bytes, width: 320, stride: 2)
        #expect(words[3] >> 16 == 128)
    }

    @Test(
        arguments: [
            (1, 0x04, [100, 0, 0, 0]), (1, 0x06, [9, 0]), (2, 0x0A, [0xB8, 0x0B]),
            (2, 0x0C, [0, 4, 0, 4]),
        ] as [(Int, Int, [UInt8])])
    func `a value is refused as wrong state while its automatic is on`(
        unit: Int, selector: Int, bytes: [UInt8]
    ) throws {
        var host = FakeHost(try smallCamera())
        let refused = host.write(unit: UInt8(unit), selector: UInt8(selector), bytes)
        #expect(!refused)
        let code = host.errorCode()
        #expect(code == 2)
        host.goManual()
        let accepted = host.write(unit: UInt8(unit), selector: UInt8(selector), bytes)
        #expect(accepted)
        let readBack = host.read(
            0x81, unit: UInt8(unit), selector: UInt8(selector), length: bytes.count)
        #expect(readBack == bytes)
    }

    @Test func `values outside the range are refused, signed ones keep their sign`() throws {
        var host = FakeHost(try smallCamera())
        let tooBright = host.write(unit: 2, selector: 2, [65, 0])
        let code = host.errorCode()
        #expect(!tooBright && code == 4)
        let darker = host.write(unit: 2, selector: 2, [0xC0, 0xFF])
        let minimum = host.read(0x82, unit: 2, selector: 2, length: 2)
        #expect(darker && minimum == [0xC0, 0xFF])
        let modes = host.read(0x84, unit: 1, selector: 2, length: 1)
        #expect(modes == [9], "manual and aperture priority")
    }

    @Test func `an unknown control is refused by name, and an unknown unit too`() throws {
        var host = FakeHost(try smallCamera())
        let answer = host.read(0x81, unit: 2, selector: 0x10, length: 2)
        let code = host.errorCode()
        #expect(answer == nil && code == 6)
        let nowhere = host.read(0x81, unit: 9, selector: 1, length: 2)
        #expect(nowhere == nil)
    }

    @Test func `a stalled control keeps its value, an ignored one only pretends`() throws {
        var options = try smallCamera()
        options.controls.refusals = [(.gain, .invalidRequest)]
        options.controls.ignored = [.brightness]
        var host = FakeHost(options)
        let gain = host.write(unit: 2, selector: 4, [32, 0])
        let code = host.errorCode()
        #expect(!gain && code == 7)
        let brightness = host.write(unit: 2, selector: 2, [10, 0])
        let shown = host.read(0x81, unit: 2, selector: 2, length: 2)
        #expect(brightness && shown == [10, 0])
        host.startStream()
        host.run(until: host.now + 3 * periodNanoseconds)
        let words = PictureReading.words(host.frames[0].bytes, width: 320, stride: 2)
        #expect(words[8] >> 16 == 0)
    }

    @Test func `a hanging control is answered late, and can be taken back`() throws {
        var options = try smallCamera()
        options.controls.hangs = [(.gain, 2_000_000_000), (.brightness, nil)]
        var host = FakeHost(options)
        let started = host.now
        let gain = host.write(unit: 2, selector: 4, [32, 0])
        #expect(!gain)
        #expect(host.machine.nextEventNanoseconds == started + 2_000_000_000)
        let brightness = host.write(unit: 2, selector: 2, [1, 0])
        #expect(!brightness)
        var replies = USBIPReplies()
        // Numbers count up: the brightness write was the second transfer.
        host.machine.handle(.unlink(number: 99, target: 2), now: started, &replies)
        host.machine.handle(.unlink(number: 100, target: 2), now: started, &replies)
        #expect(Reply.all(in: replies.bytes).map(\.status) == [-104, 0])
    }

    @Test func `automatics settle, and tell the host what they changed`() throws {
        var options = try smallCamera()
        options.scene.lumaPerUnit = 3
        options.scene.illuminantKelvin = 3400
        var host = FakeHost(options)
        host.submitStatus()
        host.startStream()
        host.run(until: host.now + 120 * periodNanoseconds)
        let settled = host.frames.suffix(10).map(\.bytes)
        for picture in settled {
            let luma = PictureReading.meanLuma(
                picture, width: 320, stride: 2, columns: 0..<160, rows: 80..<240)
            #expect(abs(luma - 118) <= 8)
            let words = PictureReading.words(picture, width: 320, stride: 2)
            #expect(words[3] & 0xFFFF == 120)
            #expect(words[4] >> 16 == 3400)
        }
        let origins = Set(host.statusPackets.map { [$0[1], $0[3]] })
        #expect(origins == [[1, 4], [1, 6], [2, 0x0A]])
        let answer = host.read(0x81, unit: 1, selector: 4, length: 4)
        let exposure = try #require(answer)
        let last = try #require(host.statusPackets.last { $0[1] == 1 && $0[3] == 4 })
        #expect(Array(last[5...]) == exposure)
    }

    @Test func `a forgetful camera starts its stream with defaults and automatics`() throws {
        var options = try smallCamera()
        options.faults = try FaultSchedule("forget")
        var host = FakeHost(options)
        host.goManual()
        _ = host.write(unit: 2, selector: 4, [99, 0])
        host.startStream()
        let mode = host.read(0x81, unit: 1, selector: 2, length: 1)
        let gain = host.read(0x81, unit: 2, selector: 4, length: 2)
        #expect(mode == [8] && gain == [16, 0])
    }

    @Test(arguments: [ControlBehaviour.WhileAutomatic.ignore, .accept])
    func `a lenient camera acknowledges a value while its automatic is on`(
        mode: ControlBehaviour.WhileAutomatic
    ) throws {
        var options = try smallCamera()
        options.controls.whileAutomatic = mode
        var host = FakeHost(options)
        let accepted = host.write(unit: 1, selector: 6, [9, 0])
        #expect(accepted)
        let focus = host.read(0x81, unit: 1, selector: 6, length: 2)
        #expect(focus == (mode == .accept ? [9, 0] : [0, 0]))
        host.startStream()
        host.run(until: host.now + 60 * periodNanoseconds)
        let words = PictureReading.words(
            try #require(host.frames.last).bytes, width: 320, stride: 2)
        #expect(words[3] & 0xFFFF == 120, "the automatic has the last word")
    }
}
