internal import Records
internal import Timebase

/// Finds out which clock a driver timestamps frames with, by holding timestamps against readings of all the host's
/// clocks.
///
/// A driver's claim is believed until its timestamps contradict it: uvcvideo claims `CLOCK_MONOTONIC` whatever its
/// module parameter `clock` is. A timestamp lies between the last moment at which the frame was surely not there,
/// less the time that a frame may be under way, and the moment at which it was taken. Where timestamps are of a clock
/// that is stepped, those between the step and the next reading of that clock are off by the step.
///
/// Once a clock is found it stays.
struct TimestampClockCheck {
    /// A timestamp on the monotonic clock.
    struct Reading {
        /// The latest moment that the timestamp can mean.
        ///
        /// With ``doubt`` a range: from `time − doubt` to `time`.
        var time: Instant<Monotonic>
        /// It may mean a moment so much earlier.
        var doubt = Interval.zero
        /// The clock that it is of.
        var clock = TimestampClock.monotonic
        /// Whether that was found out with this timestamp.
        var isNews = false
    }

    /// A clock that is nearer to the monotonic one can't be distinguished from it by late or early timestamps: they may
    /// be just that.
    private static let leastDistance = Interval.milliseconds(100)
    /// A contradiction of less than this must be seen in ``mostContradictions`` timestamps in a row.
    private static let plain = Interval.seconds(1)
    private static let mostContradictions = 3
    /// How fast NTP slews the monotonic clock away from its oscillator, in parts per million (the kernel's limit).
    private static let slewPartsPerMillion: Int64 = 500

    /// Of the host's clocks; each reading is cut off to a step of it.
    private let resolution: ClockResolution
    /// The last reading of each of ``ClockSource/host``, by place.
    private var samples = InlineArray<4, ClockSample?>(repeating: nil)
    /// Timestamps in a row that can't be of the clock that is claimed.
    private var contradictions = 0
    /// Places in ``ClockSource/host`` of clocks that explain every contradiction so far.
    private var explaining = InlineArray<4, Bool>(repeating: true)
    /// The place of the clock that timestamps are of; nil while the claim is believed.
    private var found: Int?
    /// Whether timestamps were seen that are of no clock that is read.
    private var isUnexplained = false

    /// - Parameter resolution: of the host's clocks.
    init(resolution: ClockResolution = .nanosecond) { self.resolution = resolution }

    /// A clock was read.
    ///
    /// Clocks that are not the host's own are passed over.
    mutating func note(_ sample: ClockSample) {
        guard let place = Self.place(sample.clock) else { return }
        samples[place] = sample
    }

    /// Judges the timestamp of a frame.
    ///
    /// - Parameters:
    ///   - timestamp: the driver's.
    ///   - earliest: the earliest moment that it can mean.
    ///   - taken: when the frame was taken: the latest one.
    mutating func judge(
        _ timestamp: Instant<Monotonic>, earliest: Instant<Monotonic>, taken: Instant<Monotonic>
    ) -> Reading {
        // No timestamp at all is not one of another clock.
        guard timestamp.nanoseconds > 0 else { return Reading(time: timestamp) }
        if let found { return converted(timestamp, found, at: taken) }
        let isContradiction = timestamp < earliest || timestamp > taken
        if isUnexplained, isContradiction { return Reading(time: timestamp, clock: .unknown) }
        guard isContradiction else {
            contradictions = 0
            explaining = InlineArray(repeating: true)
            return Reading(time: timestamp)
        }
        contradictions += 1
        var place = 0
        while place < 4 {
            explaining[place] = explaining[place] && explains(place, timestamp, earliest, taken)
            place += 1
        }
        let isPlain = timestamp < earliest - Self.plain || timestamp > taken + Self.plain
        if isPlain || contradictions >= Self.mostContradictions,
            let reading = decide(timestamp, isPlain: isPlain, at: taken)
        {
            return reading
        }
        // Late or early timestamps are the stream's business.
        return Reading(time: timestamp)
    }

    /// A time of the clock that timestamps are of, on the monotonic one.
    ///
    /// For times that a driver takes from the same clock as its timestamps.
    func monotonic(_ time: Instant<Monotonic>, at now: Instant<Monotonic>) -> Reading {
        found.map { converted(time, $0, at: now) } ?? Reading(time: time)
    }

    /// Takes the first clock that explains all contradictions so far; nil to go on believing the driver.
    private mutating func decide(
        _ timestamp: Instant<Monotonic>, isPlain: Bool, at taken: Instant<Monotonic>
    ) -> Reading? {
        var place = 0
        while place < 4 {
            if explaining[place] {
                found = place
                var reading = converted(timestamp, place, at: taken)
                reading.isNews = true
                return reading
            }
            place += 1
        }
        // One that is years away is of an unknown clock.
        guard isPlain else { return nil }
        isUnexplained = true
        return Reading(time: timestamp, clock: .unknown, isNews: true)
    }

    /// Whether a timestamp of this clock would lie where the frame can have been.
    private func explains(
        _ place: Int, _ timestamp: Instant<Monotonic>, _ earliest: Instant<Monotonic>,
        _ taken: Instant<Monotonic>
    ) -> Bool {
        guard let sample = samples[place],
            abs(sample.time.count - sample.after.nanoseconds) >= Self.leastDistance.nanoseconds
        else { return false }
        let reading = converted(timestamp, place, at: taken)
        return reading.time - reading.doubt <= taken && reading.time >= earliest
    }

    /// A time of a clock on the monotonic one, by the last reading of both.
    ///
    /// - Parameters:
    ///   - timestamp: of the clock at that place, whatever its type is.
    ///   - place: in ``ClockSource/host``.
    private func converted(
        _ timestamp: Instant<Monotonic>, _ place: Int, at now: Instant<Monotonic>
    ) -> Reading {
        guard let sample = samples[place] else { return Reading(time: timestamp) }
        // Beyond what can be counted only where the timestamp is nonsense.
        let (distance, overflow) = timestamp.nanoseconds.subtractingReportingOverflow(
            sample.time.count)
        guard !overflow, abs(distance) < Instant<Monotonic>.distantFuture.nanoseconds / 2 else {
            return Reading(time: timestamp, clock: .unknown)
        }
        // Each of the three readings is cut off, and the timestamp is as well: the truth may be later by a step of two
        // of them, or earlier by a step of the third.
        var doubt = sample.width + .nanoseconds(1) + resolution.excess * 3
        var time = sample.after + .nanoseconds(distance) + resolution.excess * 2
        if ClockSource.host[place] == .monotonicRaw {
            let slew = Interval(
                nanoseconds: Int64(distance.magnitude) / 1_000_000 * Self.slewPartsPerMillion
                    + Self.slewPartsPerMillion)
            time = time + slew
            doubt = doubt + slew * 2
        }
        return Reading(time: time, doubt: doubt, clock: .host(ClockSource.host[place]))
    }

    /// The place in ``ClockSource/host``; nil for other clocks.
    private static func place(_ clock: ClockSource) -> Int? {
        switch clock {
        case .realtime: 0
        case .tai: 1
        case .boottime: 2
        case .monotonicRaw: 3
        case .planned, .camera: nil
        }
    }
}
