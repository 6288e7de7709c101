import Devices
import LiveControl
import Testing
import Timebase

/// Which frame manual controls call the first that surely shows a write.
struct SyncTimeTests {
    /// A camera with an exposure that shows two frames after its write, and nothing else.
    private static func profile(
        delay: Interval = .zero, point: TimestampModel.Point = .startOfReadout,
        readout: Interval? = .zero
    ) -> CameraProfile {
        var profile = CameraProfile(
            name: "test",
            timestamps: TimestampModel(point: point, delay: delay, readout: readout))
        profile.exposure = ExposureModel(
            control: exposure, unitPicoseconds: 1_000_000, codes: CodeRange(1, 30_000),
            latencyFrames: 2)
        return profile
    }

    private static let exposure = CameraControl(rawValue: 0x009a_0902)

    /// Drives a machine: every exchange is carried out at once, by a device that keeps what it is told.
    private final class Driver {
        var machine: ManualCamera
        var kept: Int64?
        var ended: [(RequestID, RequestOutcome)] = []

        init(_ profile: CameraProfile, rate: FrameRate? = FrameRate(frames: 10)) {
            machine = ManualCamera(
                profile: profile, options: ManualOptions(cameraID: "test", rate: rate))
        }

        func feed(_ event: ManualEvent, at milliseconds: Int64) {
            let now = Instant<Monotonic>(nanoseconds: milliseconds * 1_000_000)
            var next: ManualEvent? = event
            while let event = next {
                next = nil
                for action in machine.handle(event, at: now) {
                    switch action {
                    case .perform(let exchange): next = .performed(perform(exchange, now))
                    case .complete(let id, let outcome): ended.append((id, outcome))
                    }
                }
            }
        }

        private func perform(
            _ exchange: ControlExchange, _ now: Instant<Monotonic>
        ) -> ExchangeResult {
            var result = ExchangeResult(writtenAt: now)
            var code: Int64 = 5_000
            for step in exchange.steps {
                if case .write(let values, _) = step { code = values[0].code }
                if case .read(let control) = step {
                    result.found.append(ControlValue(control, kept ?? code))
                }
            }
            return result
        }

        func frame(_ sequence: UInt32, at milliseconds: Int64, isDamaged: Bool = false) {
            let timestamp = Instant<Monotonic>(nanoseconds: milliseconds * 1_000_000)
            feed(
                .frame(
                    MeteredFrame(sequence: sequence, timestamp: timestamp, isDamaged: isDamaged)),
                at: milliseconds)
        }

        func set(_ number: UInt64, milliseconds: Int64, at time: Int64) {
            let request = ManualRequest.exposure(
                .custom(duration: .value(.milliseconds(milliseconds)), sensitivity: .current))
            feed(.request(RequestID(number), request, ifSupported: false), at: time)
        }

        /// The sequence of the first request that was applied.
        var synced: UInt32? {
            for case (_, .applied(let sync, _)) in ended { return sync.sequence }
            return nil
        }
    }

    @Test func `a write shows from the frame that is being exposed, plus the latency`() {
        let driver = Driver(Self.profile())
        driver.frame(0, at: 100)
        driver.set(1, milliseconds: 8, at: 150)
        for number in 1...5 { driver.frame(UInt32(number), at: 100 + 100 * Int64(number)) }
        #expect(driver.synced == 3)
    }

    @Test func `a frame that may have been read out before the write does not count`() {
        let driver = Driver(Self.profile(delay: .milliseconds(20)))
        driver.set(1, milliseconds: 8, at: 150)
        // Timestamped after the write, but by less than timestamps may be late.
        for number in 0...5 { driver.frame(UInt32(number), at: 165 + 100 * Int64(number)) }
        #expect(driver.synced == 3)
    }

    @Test
    func `a timestamp of the end of readout lies a readout behind; without knowing it, a period`() {
        for (readout, rate, expected) in [
            (Interval.milliseconds(30) as Interval?, FrameRate(frames: 10), UInt32(2)),
            (nil, FrameRate(frames: 10), 3), (nil, nil, 3),
        ] {
            let driver = Driver(Self.profile(point: .endOfReadout, readout: readout), rate: rate)
            driver.set(1, milliseconds: 8, at: 135)
            for number in 0...6 { driver.frame(UInt32(number), at: 170 + 100 * Int64(number)) }
            #expect(driver.synced == expected)
        }
    }

    @Test func `a damaged frame counts, but is nobody's first`() {
        let driver = Driver(Self.profile())
        driver.set(1, milliseconds: 8, at: 50)
        driver.frame(0, at: 100)
        driver.frame(1, at: 200, isDamaged: true)
        driver.frame(2, at: 300, isDamaged: true)
        driver.frame(3, at: 400)
        #expect(driver.synced == 3)
    }

    @Test func `lost frames count by the sequence, across its end`() {
        let driver = Driver(Self.profile())
        driver.set(1, milliseconds: 8, at: 50)
        driver.frame(.max, at: 100)
        driver.frame(2, at: 400)
        #expect(driver.synced == 2)
    }

    @Test func `a sequence that jumps proves nothing: counting begins anew`() {
        let driver = Driver(Self.profile())
        driver.set(1, milliseconds: 8, at: 50)
        driver.frame(100, at: 100)
        // Neither one period nor two.
        driver.frame(5, at: 250)
        driver.frame(6, at: 350)
        #expect(driver.synced == nil)
        driver.frame(7, at: 450)
        #expect(driver.synced == 7)
    }

    @Test
    func `a sequence that jumps costs nothing where timestamps show that no frame is missing`() {
        let driver = Driver(Self.profile())
        driver.set(1, milliseconds: 8, at: 50)
        driver.frame(100, at: 100)
        driver.frame(5, at: 200)
        driver.frame(6, at: 300)
        #expect(driver.synced == 6)
    }

    @Test func `a sequence that stands still is no reason to wait for ever`() {
        let driver = Driver(Self.profile())
        driver.set(1, milliseconds: 8, at: 50)
        for place in 1...3 { driver.frame(0, at: Int64(place) * 100) }
        #expect(driver.synced == 0)
    }

    @Test func `a device that says it has something else fails the request`() {
        let driver = Driver(Self.profile())
        driver.kept = 7_000
        driver.set(1, milliseconds: 8, at: 50)
        guard case (_, .failed(let error))? = driver.ended.first else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.kind == .refused)
        #expect(error.message.contains("exposure_time_absolute = 8000 and reads back 7000"))
        // What it has is what is known.
        #expect(driver.machine.state.duration == .milliseconds(7))
    }

    @Test func `a lost device ends everything that was asked, in order, and refuses what comes`() {
        let driver = Driver(Self.profile())
        driver.set(1, milliseconds: 8, at: 50)
        driver.feed(.request(RequestID(2), .exposure(.auto), ifSupported: false), at: 51)
        driver.feed(.request(RequestID(3), .nextFrame, ifSupported: false), at: 52)
        let gone = DeviceError(.notFound, "gone")
        driver.feed(.lost(gone), at: 60)
        driver.set(4, milliseconds: 8, at: 70)
        let failed = driver.ended.filter { $0.1 == .failed(gone) }.map(\.0.number)
        #expect(failed == [1, 2, 3, 4])
    }
}
