import Devices
import Imaging
import LiveControl
import Testing
import Timebase

@Suite("Metering: frames and routines")
struct MeteringRowsTests {
    /// Dark with a bright box of a tenth of the frame around (0.25, 0.25).
    private static func box() throws -> PaintedFrame {
        try #require(
            PaintedFrame("Y12", 320, 240) { x, y in
                (64..<96).contains(x) && (48..<72).contains(y) ? 2_000 : 100
            })
    }

    private static func level(
        _ frame: PaintedFrame, _ mode: MeteringMode, at point: FramePoint?,
        _ orientation: Orientation = .identity
    ) throws -> Int64 {
        let region = MeteringRegion(
            mode, point: point ?? .centre, orientation: orientation)
        let light = try #require(frame.read(region, subjects: .light).light)
        return try #require(light.level(region.weights)).billionths
    }

    @Test(
        "M3 uniform, spot and weighted metering see a frame differently; the default is the centre")
    func modes() throws {
        let frame = try Self.box()
        let there = FramePoint(xMillionths: 250_000, yMillionths: 250_000)
        let uniform = try Self.level(frame, .uniform, at: there)
        let spot = try Self.level(frame, .spot, at: there)
        let weighted = try Self.level(frame, .weighted, at: there)
        #expect(spot > 5 * uniform && weighted > uniform && weighted < spot)
        // Without a point, spot looks at the dark centre.
        #expect(try Self.level(frame, .spot, at: nil) < uniform)
        #expect(MeteringRegion(.spot).point == .centre)
    }

    @Test("D10 points of interest map through rotation and mirroring; pixels stay as they are")
    func orientation() throws {
        let frame = try Self.box()
        // Upright, the sensor's (0.25, 0.25) is seen elsewhere.
        for (degrees, isMirrored, x, y) in [
            (0, true, 750_000, 250_000), (90, false, 750_000, 250_000),
            (180, false, 750_000, 750_000), (270, false, 250_000, 750_000),
            (90, true, 250_000, 250_000),
        ] as [(Int, Bool, Int64, Int64)] {
            let orientation = try #require(Orientation(degrees: degrees, isMirrored: isMirrored))
            let seen = try #require(FramePoint(xMillionths: x, yMillionths: y))
            let found = try Self.level(frame, .spot, at: seen, orientation)
            #expect(found == (try Self.level(frame, .spot, at: orientation.sensorPoint(of: seen))))
            #expect(found > 200_000_000, "\(degrees) degrees, mirrored \(isMirrored)")
        }
    }

    // MARK: Routines

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
        profile.focus = FocusModel(
            control: CameraControl(rawValue: 3), nearCode: 1_000, farCode: 0, latencyFrames: 1,
            settle: .zero)
        return profile
    }

    /// An even frame under settings, as a linear sensor gives it.
    private static func frame(
        _ number: Int64, _ settings: FrameSettings, light: Int64
    ) throws -> MeterReading {
        let exposure = (settings.exposure.asked ?? .zero).nanoseconds
        let gain = settings.gain.asked?.millionths ?? 1_000_000
        let code = Int(min(light * exposure / 1_000_000 * gain / 1_000_000, 4_095))
        let painted = try #require(PaintedFrame("Y12", 32, 24) { _, _ in code })
        return MeterReading(
            sequence: number, settings: settings, reading: painted.read(subjects: .light))
    }

    private static let start = FrameSettings(
        exposure: .value(.milliseconds(1)), gain: .value(.unity))

    @Test(
        "M4 a routine is metering, then locked; in continuous mode converged, and diverged when the light changes"
    )
    func states() throws {
        var once = ExposureRoutine(profile: Self.profile())
        #expect(once.state == .metering)
        var (settings, number) = (Self.start, Int64(0))
        while once.outcome == nil, number < 20 {
            number += 1
            let decision = once.handle(try Self.frame(number, settings, light: 200))
            if case .write(let wanted) = decision { settings = wanted }
        }
        #expect(once.outcome == .converged && once.state == .locked)

        var always = ExposureRoutine(profile: Self.profile(), mode: .continuous)
        var states: [RoutineState] = []
        for number: Int64 in 1...14 {
            let light: Int64 = number < 7 ? 200 : 800
            let decision = always.handle(try Self.frame(number, settings, light: light))
            if case .write(let wanted) = decision { settings = wanted }
            if states.last != always.state { states.append(always.state) }
        }
        #expect(states == [.metering, .converged, .diverged, .metering, .converged])
        always.lock()
        #expect(always.state == .locked)
        let bright = try Self.frame(15, settings, light: 3_000)
        #expect(always.handle(bright) == .wait, "locked writes nothing")
        always.unlock()
        #expect(always.state == .metering)
    }

    @Test("M5 the same measurements give the same decisions, one after the other")
    func deterministic() throws {
        var (settings, measurements) = (Self.start, [MeterReading]())
        var first = ExposureRoutine(profile: Self.profile())
        var decisions: [MeteringDecision] = []
        for number: Int64 in 1...12 {
            measurements.append(try Self.frame(number, settings, light: 37))
            let decision = first.handle(measurements[measurements.count - 1])
            decisions.append(decision)
            if case .write(let wanted) = decision { settings = wanted }
        }
        #expect(decisions.contains(.finish(.converged)))
        var second = ExposureRoutine(profile: Self.profile())
        #expect(measurements.map { second.handle($0) } == decisions)
        #expect(second == first)
    }

    // MARK: Focus

    @Test("F7 the focus score falls with blur and does not depend on the light")
    func focusScore() throws {
        func score(blur: Int, light: Int) throws -> FocusScore {
            let stripes = (0..<200).map { $0 / 8 % 2 == 0 ? light : light / 2 }
            let frame = try #require(
                PaintedFrame("Y12", 96, 72) { x, _ in
                    let near = stripes[x + 50 - blur...x + 50 + blur]
                    return near.reduce(0, +) / near.count
                })
            return try #require(frame.read(subjects: .focus).focus)
        }
        let scores = try [0, 1, 2, 3].map { try score(blur: $0, light: 1_000) }
        #expect(scores == scores.sorted(by: >) && scores[3] < scores[0])
        let brighter = try score(blur: 1, light: 3_000)
        #expect(abs(brighter.millionths - scores[1].millionths) * 100 < scores[1].millionths)
    }

    @Test(
        "F5 focus is measured around the point of interest, searched near, far or all over, in smaller steps if smooth"
    )
    func focusRegion() throws {
        let corner = try #require(
            PaintedFrame("Y12", 96, 72) { x, y in x > 72 && y < 20 && x % 2 == 0 ? 1_000 : 500 })
        let point = try #require(FramePoint(xMillionths: 900_000, yMillionths: 100_000))
        #expect(corner.read(subjects: .focus).focus == FocusScore(millionths: 0))
        let seen = corner.read(MeteringRegion(point: point), subjects: .focus).focus
        #expect((seen?.millionths ?? 0) > 0)
        for (range, limits) in [
            (FocusSearch.Range.near, Int64(0)...551_000), (.far, 500_000...1_000_000),
            (.all, 0...1_000_000),
        ] {
            for isSmooth in [false, true] {
                let positions = try Self.positions(FocusSearch(range: range, isSmooth: isSmooth))
                #expect(positions.allSatisfy { limits.contains($0) }, "\(range)")
                let largest = zip(positions, positions.dropFirst()).map { $0 - $1 }.max() ?? 0
                #expect(largest < (isSmooth ? 52_000 : 86_000))
            }
        }
    }

    @Test("F6 every place is approached from the declared side, with over-travel")
    func approach() throws {
        for (approach, sign) in [(FocusSearch.Approach.fromFar, Int64(-1)), (.fromNear, 1)] {
            let positions = try Self.positions(FocusSearch(approach: approach))
            let steps = zip(positions, positions.dropFirst()).map { ($1 - $0) * sign }
            #expect(steps.filter { $0 < 0 }.count == 2, "back twice, beyond the next place")
            #expect((steps.last ?? 0) >= FocusSearch.overTravelMillionths - 1_000)
        }
    }

    /// The positions that a search writes, in millionths, when the scene is sharp at 0.37.
    private static func positions(_ search: FocusSearch) throws -> [Int64] {
        var routine = try #require(FocusRoutine(profile: profile(), search: search))
        var lens = try #require(LensPosition(millionths: 300_000))
        var positions: [Int64] = []
        for number: Int64 in 1...400 where routine.outcome == nil {
            let away = (lens.millionths - 370_000) / 100
            let score = FocusScore(millionths: 1_000_000_000_000 / (1_000_000 + away * away))
            let decision = routine.handle(
                MeterReading(
                    sequence: number, settings: FrameSettings(lens: .value(lens)),
                    reading: FrameReading(focus: score)))
            if case .write(let wanted) = decision {
                lens = try #require(wanted.lens.asked)
                positions.append(lens.millionths)
            }
        }
        #expect(routine.outcome != nil)
        return positions
    }
}
