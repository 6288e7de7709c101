import Testing
import Timebase

@testable import Tracking

/// What is known of a period of 10 ms by the spans between frames.
struct PeriodEstimatorTests {
    private static func estimator(fitting: Int, others: Int = 0) -> PeriodEstimator {
        var estimator = PeriodEstimator(promised: .milliseconds(10))
        for place in 0..<fitting + others {
            _ = estimator.learn(
                .milliseconds(place < fitting ? 10 : 15), frames: 1, delay: .milliseconds(1))
        }
        return estimator
    }

    @Test func `a promise is kept by three spans of four`() {
        #expect(Self.estimator(fitting: 6, others: 2).isConfirmed)
        #expect(!Self.estimator(fitting: 5, others: 3).isConfirmed)
        #expect(Self.estimator(fitting: 5, others: 3).isInQuestion)
    }

    /// Either timestamp may be the one that is late, by 1 ms.
    @Test(arguments: [(0, 5_001), (1, 5_000), (0, 5_000), (1, 5_001)] as [(Int64, Int64)])
    func `the truth stays within its bounds, whichever timestamp was late`(
        first: Int64, last: Int64
    ) throws {
        var estimator = Self.estimator(fitting: 8)
        for (place, time) in [(0, first), (500, last)] as [(Int64, Int64)] {
            estimator.mark(
                place, Instant(nanoseconds: time * 1_000_000), delay: .milliseconds(1))
        }
        let bounds = try #require(estimator.bounds)
        #expect(bounds.least <= 10_000_000 && bounds.most >= 10_000_000)
        // Better known than by the promise, which is good for 20 us.
        #expect(bounds.most - bounds.least < 10_000)
    }
}
