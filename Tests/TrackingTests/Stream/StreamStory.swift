import Timebase

@testable import Devices
@testable import Tracking

/// Frames of a stream told one by one: 100 a second, taken 2 ms after their timestamps.
struct StreamStory {
    static let exact = TimestampModel(point: .startOfReadout, delay: .zero, readout: .zero)
    static let origin: Int64 = 1_000_000_000_000

    var clock: StreamClock
    private(set) var gaps: [FrameGap] = []
    private var emptyAt: Instant<Monotonic>?

    init(
        _ model: TimestampModel = exact, period: Interval? = .milliseconds(10),
        quirks: [CameraQuirk] = []
    ) {
        clock = StreamClock(model: model, nominalPeriod: period, quirks: quirks)
    }

    static func time(_ milliseconds: Double) -> Instant<Monotonic> {
        Instant(nanoseconds: origin + Int64(milliseconds * 1_000_000))
    }

    /// The frame whose readout began at a time, with the timestamp that the driver gave it.
    @discardableResult
    mutating func frame(_ sequence: UInt32, at time: Double, timestamp: Double? = nil) -> FrameGap {
        frame(sequence, at: time, raw: Self.time(timestamp ?? time))
    }

    @discardableResult
    mutating func frame(
        _ sequence: UInt32, at time: Double, raw: Instant<Monotonic>
    ) -> FrameGap {
        let taken = Self.time(time) + .milliseconds(2)
        let gap = clock.advance(
            to: FrameArrival(
                sequence: sequence, timestamp: raw, takenAt: taken, notBefore: emptyAt))
        emptyAt = taken
        gaps.append(gap)
        return gap
    }

    /// Frames without a fault, each at its place.
    mutating func frames(_ places: Range<Int>, from first: UInt32 = 0) {
        for place in places {
            frame(first &+ UInt32(place - places.lowerBound), at: Double(place) * 10)
        }
    }

    var missing: [Int64] { gaps.map(\.missing) }
    /// Every quirk that was reported.
    var quirks: [CameraQuirk] {
        gaps.flatMap { gap in
            var quirks = gap.quirks
            var all: [CameraQuirk] = []
            while let quirk = quirks.popFirst() { all.append(quirk) }
            return all
        }
    }
}
