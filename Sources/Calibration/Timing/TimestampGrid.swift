internal import Timebase

/// The regular times at which a camera makes frames, as its timestamps show them.
///
/// A camera's own clock paces its frames, so how late each is timestamped is how far it lies from a straight line, but
/// for an amount that is the same for all.
struct TimestampGrid {
    /// How far each timestamp lies after the line in nanoseconds, in the order given.
    let offsets: [Int64]
    /// The difference between the largest and the least.
    let spread: Int64

    /// - Parameters:
    ///   - timestamps: in order of time, of any of the frames.
    ///   - period: from frame to frame, accurate enough to determine how many frames lie between two that follow here.
    init(_ timestamps: [Instant<Monotonic>], period: Interval) {
        guard let first = timestamps.first else { (offsets, spread) = ([], 0); return }
        var places: [(frame: Int64, time: Int64)] = []
        for timestamp in timestamps {
            let last = places.last ?? (0, 0)
            let time = (timestamp - first).nanoseconds
            let passed =
                (time - last.time + period.nanoseconds / 2) / max(1, period.nanoseconds)
            places.append((last.frame + passed, time))
        }
        let slope = Self.slope(places)
        let offsets = places.map { place in
            place.time - Int64((slope * Int128(place.frame) + 500_000) / 1_000_000)
        }
        self.offsets = offsets
        spread = (offsets.max() ?? 0) - (offsets.min() ?? 0)
    }

    /// The time from frame to frame by least squares, in millionths of nanoseconds.
    ///
    /// Sums are 128 bits wide, so that nanoseconds of hours times frames do not overflow.
    private static func slope(_ places: [(frame: Int64, time: Int64)]) -> Int128 {
        let count = Int128(places.count)
        let frames = places.reduce(Int128(0)) { $0 + Int128($1.frame) }
        let times = places.reduce(Int128(0)) { $0 + Int128($1.time) }
        var (above, below) = (Int128(0), Int128(0))
        for place in places {
            let frame = Int128(place.frame) * count - frames
            above += frame * (Int128(place.time) * count - times)
            below += frame * frame
        }
        return below == 0 ? 0 : above * 1_000_000 / below
    }
}
