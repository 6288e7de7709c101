import Devices
import Imaging
import LiveControl
import Testing
import Timebase

@Suite("Exposure: bias, offset and light")
struct ExposureMeteringRowsTests {
    private static func profile() -> CameraProfile {
        var profile = CameraProfile(
            name: "test",
            timestamps: TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero))
        profile.exposure = ExposureModel(
            control: CameraControl(rawValue: 1), unitPicoseconds: 10_000_000,
            codes: CodeRange(2, 3_000), latencyFrames: 1)
        profile.gain = GainModel(
            control: CameraControl(rawValue: 2), law: .linear(unity: 64),
            codes: CodeRange(64, 1_024),
            isoAtUnity: 100, latencyFrames: 1)
        return profile
    }

    /// A frame, dark on the left and bright on the right, under settings.
    private static func frame(
        _ number: Int64, _ settings: FrameSettings, region: MeteringRegion = MeteringRegion()
    ) throws -> MeterReading {
        let exposure = (settings.exposure.asked ?? .zero).nanoseconds
        let gain = settings.gain.asked?.millionths ?? 1_000_000
        let code = Int(150 * exposure / 1_000_000 * gain / 1_000_000)
        let painted = try #require(
            PaintedFrame("Y12") { x, _ in x < 32 ? code / 2 : code * 3 / 2 })
        return MeterReading(
            sequence: number, settings: settings, reading: painted.read(region, subjects: .light))
    }

    /// Meters until it is done; returns what the camera has then.
    private static func meter(_ routine: inout ExposureRoutine) throws -> FrameSettings {
        var settings = FrameSettings(
            exposure: .value(.milliseconds(1)), gain: .value(.unity))
        for number: Int64 in 1...20 {
            let measurement = try frame(number, settings, region: routine.region)
            if case .write(let wanted) = routine.handle(measurement) { settings = wanted }
        }
        return settings
    }

    private static func milliseconds(_ settings: FrameSettings) -> Double {
        Double(settings.exposure.asked?.nanoseconds ?? 0) / 1e6
            * Double(settings.gain.asked?.millionths ?? 0) / 1e6
    }

    @Test("E5 the bias moves what is metered, in locked mode it alone moves the exposure")
    func bias() throws {
        var plain = ExposureRoutine(profile: Self.profile())
        let normal = Self.milliseconds(try Self.meter(&plain))
        var biased = ExposureRoutine(profile: Self.profile(), biasThousandths: 1_000)
        let brighter = Self.milliseconds(try Self.meter(&biased))
        #expect(plain.outcome == .converged && biased.outcome == .converged)
        #expect(abs(brighter / normal - 2) < 0.05)
        // Locked: the light may change, only the bias moves the exposure.
        #expect(plain.state == .locked)
        let decision = try plain.setBias(thousandths: -1_000)
        guard case .write(let darker) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(abs(Self.milliseconds(darker) / normal - 0.5) < 0.02)
        #expect(plain.handle(try Self.frame(40, darker)) == .wait)
        #expect(plain.state == .locked)
        // Back at 0 it is where it was.
        guard case .write(let back) = try plain.setBias(thousandths: 0) else {
            Issue.record("the bias went back without effect")
            return
        }
        #expect(abs(Self.milliseconds(back) / normal - 1) < 0.02)
    }

    @Test("E5 a bias outside -8 to +8 EV is an error that names the range")
    func biasRange() throws {
        var routine = ExposureRoutine(profile: Self.profile())
        for bias: Int64 in [-8_001, 8_001, .max] {
            let problem = try #require(throws: SettingProblem.self) {
                try routine.setBias(thousandths: bias)
            }
            #expect(problem.id == "bias-out-of-range")
            #expect(problem.message.contains("-8 EV to 8 EV"))
        }
        #expect(routine.biasThousandths == 0)
        #expect(try routine.setBias(thousandths: 8_000) == .wait)
    }

    @Test("E6 the offset from the target is live in every state, also when locked")
    func offset() throws {
        var routine = ExposureRoutine(profile: Self.profile())
        #expect(routine.offsetThousandths == nil)
        // 0.18 of 4095 codes takes 4.914 ms.
        for (exposure, expected) in [(4_914, 0), (9_828, 1_000), (1_228, -2_000)]
            as [(Int64, Int64)]
        {
            routine.lock()
            let settings = FrameSettings(
                exposure: .value(.microseconds(exposure)), gain: .value(.unity))
            #expect(routine.handle(try Self.frame(1, settings)) == .wait)
            #expect(abs(try #require(routine.offsetThousandths) - expected) < 25)
        }
        // The bias counts as part of the target.
        _ = try routine.setBias(thousandths: -2_000)
        #expect(abs(try #require(routine.offsetThousandths)) < 25)
    }

    @Test("E8 exposure is metered at the point of interest")
    func pointOfInterest() throws {
        let left = try #require(FramePoint(xMillionths: 200_000, yMillionths: 500_000))
        let right = try #require(FramePoint(xMillionths: 800_000, yMillionths: 500_000))
        var dark = ExposureRoutine(
            profile: Self.profile(), region: MeteringRegion(.spot, point: left))
        var bright = ExposureRoutine(
            profile: Self.profile(), region: MeteringRegion(.spot, point: right))
        let long = Self.milliseconds(try Self.meter(&dark))
        let short = Self.milliseconds(try Self.meter(&bright))
        // The right half is three times as bright.
        #expect(abs(long / short - 3) < 0.2)
    }

    @Test("E9 EV100 and equivalent exposures follow from aperture, duration and ISO")
    func lightMeter() throws {
        let reading = try #require(
            LightReading(
                apertureThousandths: 8_000, exposure: .milliseconds(8), isoThousandths: 100_000))
        #expect(reading.ev100Thousandths == 12_966)
        #expect(reading.sceneEV100Thousandths(offsetThousandths: -500) == 12_466)
        #expect(
            reading.equivalent(apertureThousandths: 4_000, isoThousandths: 100_000)?.exposure
                == .milliseconds(2))
        #expect(
            reading.equivalent(apertureThousandths: 4_000, exposure: .milliseconds(8))?
                .isoThousandths == 25_000)
        #expect(
            reading.equivalent(exposure: .milliseconds(32), isoThousandths: 100_000)?
                .apertureThousandths == 16_000)
    }
}
