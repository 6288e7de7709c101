import Simulation
import Testing
import Timebase

/// What simulated clocks show, against sums of small pieces.
@Suite struct SimulatedCourseTests {
    private static let origin = Instant<Monotonic>(nanoseconds: 1_000_000_000_000)

    private static func gained(_ course: SimulatedCourse, after span: Interval) -> Int64 {
        let now = origin + span
        return course.reading(at: now, since: origin) - now.nanoseconds
    }

    @Test func `a clock that is fast gains in proportion`() {
        let course = SimulatedCourse(offset: .seconds(7), fastPartsPerBillion: 100_000)
        #expect(Self.gained(course, after: .zero) == 7_000_000_000)
        #expect(Self.gained(course, after: .seconds(1)) == 7_000_100_000)
        #expect(Self.gained(course, after: .seconds(86_400)) == 7_000_000_000 + 8_640_000_000)
        let slow = SimulatedCourse(fastPartsPerBillion: -1)
        #expect(Self.gained(slow, after: .nanoseconds(1)) == -1)
    }

    @Test func `a step holds from its moment on`() {
        let course = SimulatedCourse(steps: [
            .init(at: .seconds(2), by: .milliseconds(-500)),
            .init(at: .seconds(3), by: .seconds(1)),
        ])
        #expect(Self.gained(course, after: .nanoseconds(1_999_999_999)) == 0)
        #expect(Self.gained(course, after: .seconds(2)) == -500_000_000)
        #expect(Self.gained(course, after: .seconds(4)) == 500_000_000)
    }

    /// The rate goes to and fro between both ends; what is gained is its sum over time.
    @Test func `a wandering clock gains what its rate adds up to`() {
        let course = SimulatedCourse(wanderPartsPerBillion: 1_000, wanderPeriod: .seconds(400))
        // The rate in parts per 10⁹ in the middle of each second.
        var sum = 0.0
        for second in 0..<1_000 {
            let place = (Double(second) + 0.5).truncatingRemainder(dividingBy: 400) / 100
            let rate = place < 1 ? place : place < 3 ? 2 - place : place - 4
            sum += rate * 1_000
            let gained = Self.gained(course, after: .seconds(Int64(second + 1)))
            #expect(abs(Double(gained) - sum) <= 2, "after \(second + 1) s")
        }
    }
}
