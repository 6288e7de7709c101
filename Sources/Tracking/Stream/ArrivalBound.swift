internal import Devices

/// The latest moment at which a raw sensor's frame can have begun, by earlier frames that were there too soon for their
/// timestamps.
///
/// Such a frame shows when those after it begin as well, at the latest: so many periods later. That is worth keeping
/// where the ends of frames are missed from then on, so that nothing shows any more how late timestamps are. It gets
/// later by what crystals and slewing can make of the time since, and by a period wherever one frame more than counted
/// may have been lost: it may be too late, never too early.
///
/// A value of fixed size; nothing in it allocates.
struct ArrivalBound: Sendable {
    private let period: Int64
    /// How late a timestamp in time can be, with what is cut off of it.
    private let allowed: Int64
    /// The bound of the last frame; nil while no timestamp was surely late.
    private var latest: Int64?
    private var timestamp: Int64 = 0

    /// - Parameters:
    ///   - period: the period that the registers give, in nanoseconds.
    ///   - allowed: how late a timestamp in time can be, with what is cut off of it.
    init(period: Int64, allowed: Int64) {
        (self.period, self.allowed) = (period, allowed)
    }

    /// Takes the next timestamp.
    ///
    /// - Parameters:
    ///   - frames: frames since the one before by the driver's sequence; nil if it does not count them.
    ///   - startedBy: the latest moment at which the frame can have begun, since it was complete when it was; nil if
    ///     it is not known how long frames take.
    /// - Returns: the same, or an earlier moment that frames before it show.
    mutating func observe(_ timestamp: Int64, frames: Int64?, startedBy: Int64?) -> Int64? {
        let carried = latest.flatMap { advance($0, to: timestamp, frames: frames) }
        self.timestamp = timestamp
        latest = carried
        if let startedBy, timestamp - startedBy > allowed {
            latest = min(startedBy, carried ?? startedBy)
        }
        guard let latest else { return startedBy }
        return min(latest, startedBy ?? latest)
    }

    /// Forgets it: the phase is known, and is more exact.
    mutating func forget() { latest = nil }

    /// The bound of the next frame; nil if it bounds nothing any more.
    ///
    /// An interrupt is late by less than a period. So where it was not late by nearly one, and the next timestamp is
    /// whole periods away, these are the periods; else there may be one more.
    private func advance(_ bound: Int64, to next: Int64, frames: Int64?) -> Int64? {
        let (whole, rest) = (next - timestamp).quotientAndRemainder(dividingBy: period)
        let isWhole = min(rest, period - rest) * 10 < period
        let isPlain = isWhole && (timestamp - bound) * 10 < period * 7
        let places = max(frames ?? 0, isPlain && rest * 2 < period ? whole : whole + 1)
        let span = period * places
        let moved = bound + span + SensorClock.doubt(of: span)
        // A timestamp later than that by nearly a period may as well be that of the next frame.
        return (next - moved) * 10 < period * 7 ? moved : nil
    }
}
