/// Counts whole numbers in bounded memory; what is beyond ±2^60 (36 years in nanoseconds) counts as that.
///
/// Numbers below 1024 have a bucket each; above, each power of two is cut into 1024 buckets of equal width, so that a
/// bucket is never wider than a thousandth of what is in it. Buckets begin at multiples of their width: bars whose
/// width is a power of two are sums of whole buckets, and exact. The same below zero.
///
/// Memory: 4 KiB for each power of two that occurs, on each side of zero; less than half a megabyte in all.
struct LogHistogram: Sendable {
    private static let places = 1024
    private static let placeBits = 10
    /// Octave 0 has the numbers below 1024, octave k those from 2^(k + 9) up to the next power of two; 2^60 is in the
    /// 51st.
    private static let octaves = 53
    private static let limit: Int64 = 1 << 60

    /// How many numbers were counted.
    private(set) var count: Int64 = 0
    /// The smallest number, exactly; nil without numbers.
    private(set) var minimum: Int64?
    /// The largest number, exactly; nil without numbers.
    private(set) var maximum: Int64?

    /// By octave, then by place in it; an octave without numbers has no places yet.
    private var positive: [[UInt32]] = Array(repeating: [], count: octaves)
    /// The same of the numbers below zero, by their complement: −1 is counted at 0.
    private var negative: [[UInt32]] = Array(repeating: [], count: octaves)

    /// Counts a number.
    mutating func add(_ number: Int64) {
        let value = max(-Self.limit, min(Self.limit, number))
        count += 1
        minimum = min(minimum ?? value, value)
        maximum = max(maximum ?? value, value)
        if value >= 0 {
            Self.add(UInt64(value), to: &positive)
        } else {
            // -1 is beside 0.
            Self.add(UInt64(~value), to: &negative)
        }
    }

    /// - Parameter magnitude: at most 2^60.
    private static func add(_ magnitude: UInt64, to octaves: inout [[UInt32]]) {
        let exponent = 63 - magnitude.leadingZeroBitCount
        let octave = max(0, exponent - placeBits + 1)
        let place =
            octave == 0 ? Int(magnitude) : Int(magnitude >> UInt64(octave - 1)) - places
        if octaves[octave].isEmpty { octaves[octave] = Array(repeating: 0, count: places) }
        octaves[octave][place] &+= 1
    }

    /// A range of numbers and how many were in it.
    ///
    /// It holds the numbers from ``lower`` up to, and without, `lower + width`.
    struct Bucket: Hashable {
        let lower: Int64
        let width: Int64
        let count: UInt64
    }

    /// The buckets that have numbers, from the lowest on.
    var buckets: [Bucket] {
        var buckets: [Bucket] = []
        for octave in negative.indices.reversed() {
            for place in negative[octave].indices.reversed() where negative[octave][place] > 0 {
                let (lower, width) = Self.range(octave, place)
                buckets.append(
                    Bucket(
                        lower: -lower - width, width: width,
                        count: UInt64(negative[octave][place])))
            }
        }
        for octave in positive.indices {
            for place in positive[octave].indices where positive[octave][place] > 0 {
                let (lower, width) = Self.range(octave, place)
                buckets.append(
                    Bucket(lower: lower, width: width, count: UInt64(positive[octave][place])))
            }
        }
        return buckets
    }

    /// Where a bucket of the upper half begins, and its width.
    private static func range(_ octave: Int, _ place: Int) -> (lower: Int64, width: Int64) {
        if octave == 0 { return (Int64(place), 1) }
        let shift = Int64(octave - 1)
        return (Int64(places + place) << shift, 1 << shift)
    }

    /// The number that so many thousandths of all are not above, to the width of a bucket; nil without numbers.
    ///
    /// The rank is rounded up: of three numbers the second is the median. The answer is the lower end of the bucket
    /// that has the number of this rank, and never outside of what was counted.
    ///
    /// - Parameter permille: 0 to 1000.
    func quantile(permille: Int64) -> Int64? {
        guard let minimum, let maximum else { return nil }
        let rank = max(1, (count * permille + 999) / 1_000)
        var seen: Int64 = 0
        for bucket in buckets {
            seen += Int64(bucket.count)
            if seen >= rank { return max(minimum, min(maximum, bucket.lower)) }
        }
        return maximum
    }

    /// Bars of equal width for a drawing.
    ///
    /// No number is in two of them, and with those left and right all numbers are counted.
    struct Bars: Hashable {
        /// Where the first bar begins; a multiple of ``width``.
        var start: Int64
        /// The width of each, a power of two.
        var width: Int64
        /// Numbers of each bar, from the lowest on.
        var counts: [UInt64]
        /// Numbers left and right of the bars: outliers would make the bars too wide to see anything.
        var below: UInt64 = 0
        var above: UInt64 = 0
    }

    /// At most `limit` bars over all numbers, or over the middle 99 % where outliers are far away.
    ///
    /// Outliers are far away where all numbers span more than eight times what the middle 99 % do.
    ///
    /// - Parameter limit: at least 2.
    /// - Returns: nil without numbers.
    func bars(limit: Int64) -> Bars? {
        guard let minimum, let maximum, let low = quantile(permille: 5),
            let high = quantile(permille: 995)
        else { return nil }
        let isFar = (maximum / 8 - minimum / 8) > max(0, high - low)
        let (first, last) = isFar ? (low, high) : (minimum, maximum)
        let buckets = buckets
        let inside = buckets.filter { $0.lower + $0.width > first && $0.lower <= last }
        var width = inside.map(\.width).max() ?? 1
        while (Self.floor(last, width) - Self.floor(first, width)) / width >= limit {
            width *= 2
        }
        let start = Self.floor(first, width)
        var bars = Bars(
            start: start, width: width,
            counts: Array(repeating: 0, count: Int((Self.floor(last, width) - start) / width) + 1))
        for bucket in buckets {
            let place = (Self.floor(bucket.lower, width) - start) / width
            if bucket.lower < start {
                bars.below += bucket.count
            } else if place >= Int64(bars.counts.count) {
                bars.above += bucket.count
            } else {
                bars.counts[Int(place)] += bucket.count
            }
        }
        return bars
    }

    /// The multiple of the width at or below a number, also below zero.
    private static func floor(_ value: Int64, _ width: Int64) -> Int64 {
        // Width is a power of two.
        value & ~(width - 1)
    }
}
