internal import Timebase

/// Holds timestamps against the delay that the profile promises.
///
/// A timestamp is late by 0…delay. So from one frame to another, n places on, it is no less than n of the shortest
/// period, less the delay; where it is, the earlier timestamp was later than promised by the difference at least, and
/// times that rest on the delay are wrong.
///
/// A value of fixed size; nothing in it allocates.
struct DelayCheck: Sendable {
    /// Frames over which the distance is looked at: a period that is off by 100 ppm adds up to little over so many.
    private static let window = 16

    private struct Mark: BitwiseCopyable {
        var place: Int64 = 0
        var timestamp: Int64 = 0
    }

    private var marks = InlineArray<16, Mark>(repeating: Mark())
    private var count = 0
    /// The most that was reported.
    private var reported = Interval.zero

    /// Takes the timestamp of a frame.
    ///
    /// - Parameters:
    ///   - place: of the frame in the stream, counted without a doubt since ``forget()``.
    ///   - shortest: the shortest that a period can be.
    ///   - allowed: how late a timestamp can be by the profile, with what is cut off of it.
    /// - Returns: by how much an earlier timestamp was late at least, where that is more than is allowed and than was
    ///   returned before.
    mutating func observe(
        _ timestamp: Instant<Monotonic>, place: Int64, shortest: Interval?, allowed: Interval
    ) -> Interval? {
        defer {
            marks[count % Self.window] = Mark(place: place, timestamp: timestamp.nanoseconds)
            count += 1
        }
        guard let shortest else { return nil }
        var most = max(allowed, reported)
        for index in 0..<min(count, Self.window) {
            let least = shortest * (place - marks[index].place)
            let span = Interval(nanoseconds: timestamp.nanoseconds - marks[index].timestamp)
            most = max(most, least - span)
        }
        guard most > max(allowed, reported) else { return nil }
        reported = most
        return most
    }

    /// Places so far can't be carried on.
    mutating func forget() { count = 0 }
}
