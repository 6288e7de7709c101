import Imaging
import Testing
import Timebase

@testable import Devices
@testable import LiveControl

/// Automatic focus on scores alone: what it writes, in which order, from which side.
@Suite("Focus routine")
struct FocusRoutineTests {
    /// Lets a routine work on a curve of scores; returns the positions that it wrote, in millionths.
    private static func run(
        _ routine: inout FocusRoutine, from start: Int64 = 300_000, frames: Int = 300,
        score: (Int64, Int) -> Int64?
    ) throws -> [Int64] {
        var lens = LensPosition(millionths: start)
        var positions: [Int64] = []
        for number in 0..<frames {
            let score = score(lens?.millionths ?? 0, number)
            let measurement = MeterReading(
                sequence: Int64(number),
                settings: FrameSettings(lens: lens.map { .value($0) } ?? .free),
                reading: FrameReading(focus: score.map { FocusScore(millionths: $0) }))
            switch routine.handle(measurement) {
            case .wait: break
            case .write(let settings):
                let position = try #require(settings.lens.asked)
                positions.append(position.millionths)
                lens = position
            case .finish: return positions
            }
        }
        return positions
    }

    /// A peak of 1,000,000 at a place, half as high 60,000 millionths away.
    private static func peak(at place: Int64) -> (Int64, Int) -> Int64? {
        { position, _ in
            let away = (position - place) * 1_000 / 60_000
            return 1_000_000 * 1_000_000 / (1_000_000 + away * away)
        }
    }

    @Test(arguments: FocusSearch.Approach.allCases)
    func `every place is approached from the declared side`(approach: FocusSearch.Approach) throws {
        var routine = try #require(
            FocusRoutine(profile: testProfile(), search: FocusSearch(approach: approach)))
        let positions = try Self.run(&routine, score: Self.peak(at: 420_000))
        #expect(routine.outcome == .converged)
        let found = try #require(routine.found).millionths
        #expect(abs(found - 420_000) < 5_000)
        // Coarse from end to end, then back beyond and fine, then back beyond and to the place.
        let sign: Int64 = approach == .fromFar ? -1 : 1
        let steps = zip(positions, positions.dropFirst()).map { ($1 - $0) * sign }
        #expect(steps.filter { $0 < 0 }.count == 2, "over-travel twice")
        #expect(positions.last == found)
        #expect(steps.last ?? 0 >= FocusSearch.overTravelMillionths - 3_000)
        #expect(Set([positions.min(), positions.max()]) == [0, 1_000_000])
    }

    @Test func `near and far keep to their halves, but for the over-travel`() throws {
        for (range, limits) in [
            (FocusSearch.Range.near, Int64(0)...550_000), (.far, 500_000...1_000_000),
        ] {
            var routine = try #require(
                FocusRoutine(profile: testProfile(), search: FocusSearch(range: range)))
            let positions = try Self.run(&routine, score: Self.peak(at: 300_000))
            #expect(positions.allSatisfy { limits.contains($0) }, "\(range)")
            // What is sharpest at the end of the search may be sharper beyond.
            #expect(routine.outcome == (range == .near ? .converged : .limited(.endOfRange)))
        }
    }

    @Test func `smooth takes half the steps at twice the count`() throws {
        var plain = try #require(FocusRoutine(profile: testProfile()))
        var smooth = try #require(
            FocusRoutine(profile: testProfile(), search: FocusSearch(isSmooth: true)))
        let few = try Self.run(&plain, score: Self.peak(at: 420_000))
        let many = try Self.run(&smooth, score: Self.peak(at: 420_000))
        func largest(_ positions: [Int64]) -> Int64 {
            zip(positions, positions.dropFirst()).map { $0 - $1 }.max() ?? 0
        }
        #expect(many.count > few.count + 10)
        #expect(largest(few) > 80_000)
        #expect(largest(many) < 52_000)
    }

    @Test func `a flat scene is given up, and the lens goes back`() throws {
        var routine = try #require(FocusRoutine(profile: testProfile()))
        let positions = try Self.run(&routine) { _, number in 500_000 + Int64(number % 3) * 1_000 }
        #expect(routine.outcome == .diverged(.flat))
        #expect(routine.state == .diverged)
        let before = try #require(LensPosition(millionths: 300_000))
        #expect(positions.last == before.millionths)
    }

    @Test func `a black window is flat`() throws {
        var routine = try #require(FocusRoutine(profile: testProfile()))
        _ = try Self.run(&routine) { _, _ in nil }
        #expect(routine.outcome == .diverged(.flat))
    }

    @Test func `a lens that does not find its place again is tried twice, then told`() throws {
        let peak = Self.peak(at: 420_000)
        var good = try #require(FocusRoutine(profile: testProfile()))
        var frames = 0
        let normal = try Self.run(&good) { position, number in
            frames = number
            return peak(position, number)
        }
        // Sharp at the place only while the sweeps last: not in the last two frames, which verify.
        var routine = try #require(FocusRoutine(profile: testProfile()))
        let positions = try Self.run(&routine) { position, number in
            let score = peak(position, number) ?? 0
            return number > frames - 2 ? score / 2 : score
        }
        #expect(routine.outcome == .diverged(.notRepeated))
        // Over-travel and the place once more, then back to where the lens was.
        #expect(positions.count == normal.count + 3)
        #expect(positions.last == 300_000)
        #expect(routine.found == nil)
    }

    @Test func `frames elsewhere are not counted`() throws {
        var routine = try #require(FocusRoutine(profile: testProfile()))
        let lens = try #require(LensPosition(millionths: 300_000))
        let elsewhere = MeterReading(
            sequence: 1, settings: FrameSettings(lens: .value(lens)),
            reading: FrameReading(focus: FocusScore(millionths: 5)))
        guard case .write = routine.handle(elsewhere) else {
            Issue.record("a search starts at once")
            return
        }
        for _ in 0..<20 { #expect(routine.handle(elsewhere) == .wait) }
        #expect(routine.isAdjusting)
    }

    @Test func `continuous focus searches anew when the scene changes`() throws {
        var routine = try #require(FocusRoutine(profile: testProfile(), mode: .continuous))
        let (near, far) = (Self.peak(at: 300_000), Self.peak(at: 700_000))
        _ = try Self.run(&routine, frames: 90, score: near)
        #expect(routine.state == .converged && routine.outcome == nil)
        let first = try #require(routine.found)
        #expect(abs(first.millionths - 300_000) < 5_000)
        _ = try Self.run(&routine, from: first.millionths, frames: 4, score: far)
        #expect(routine.state == .metering)
        var again = routine
        #expect(again.isAdjusting)
        again.lock()
        #expect(again.state == .locked)
        let written = try #require(again.written)
        _ = try Self.run(&routine, from: written.millionths, frames: 120, score: far)
        #expect(routine.state == .converged)
        #expect(abs(try #require(routine.found).millionths - 700_000) < 5_000)
    }

    @Test func `a lens that goes less far than its profile says is searched where it goes`() throws
    {
        var profile = testProfile()
        profile.focus?.liveCodes = CodeRange(500, 800)
        var routine = try #require(FocusRoutine(profile: profile))
        let positions = try Self.run(&routine, score: Self.peak(at: 420_000))
        #expect(routine.outcome == .converged)
        #expect(positions.min() == 260_417 && positions.max() == 885_417)
    }

    @Test func `a camera whose lens does not move has no autofocus`() {
        var profile = testProfile()
        profile.focus = nil
        #expect(FocusRoutine(profile: profile) == nil)
    }
}
