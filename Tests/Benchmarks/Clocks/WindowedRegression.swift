/// As in chrony: of each burst the mean of the looks with small delays, then a weighted regression over up to 64 of
/// these, the oldest dropped until the runs of the residuals' signs are plausible at 5 %.
///
/// It begins anew when a new sample's error interval misses the fit. The interval is the standard deviation of the
/// prediction and half the delay.
struct WindowedRegression: ComparedEstimator {
    static let name = "chrony-style"
    private static let limit = 64

    private var samples: [Look] = []
    private var mean = (x: 0.0, y: 0.0)
    private var slope = 0.0
    private var deviation = 0.0
    private var sums = (weight: 1.0, spread: 0.0)

    mutating func add(_ looks: [Look]) {
        let least = looks.quickest.delay
        // The quarter with the least delays.
        let good = looks.sorted { $0.delay < $1.delay }.prefix(max(1, looks.count / 4))
        let count = Double(good.count)
        let sample = Look(
            time: good.reduce(0) { $0 + $1.time } / count,
            offset: good.reduce(0) { $0 + $1.offset } / count, delay: least)
        if samples.count >= 3 {
            let (offset, _) = estimate(at: sample.time)
            if abs(sample.offset - offset) > sample.delay / 2 + 4 * predicted(at: sample.time) {
                samples = []
            }
        }
        samples.append(sample)
        if samples.count > Self.limit { samples.removeFirst() }
        regress()
        while samples.count > 3, !hasPlausibleRuns {
            samples.removeFirst()
            regress()
        }
    }

    func estimate(at time: Double) -> (offset: Double, halfWidth: Double) {
        let delay = samples.last?.delay ?? 0
        return (mean.y + slope * (time - mean.x), delay / 2 + predicted(at: time))
    }

    /// The standard deviation of what the line says of a time.
    private func predicted(at time: Double) -> Double {
        guard samples.count >= 3 else { return 100_000 * abs(time - mean.x) }
        let distance = time - mean.x
        return deviation * (1 / sums.weight + distance * distance / sums.spread).squareRoot()
    }

    private mutating func regress() {
        let least = samples.quickest.delay
        let excess = samples.reduce(0) { $0 + $1.delay - least } / Double(samples.count)
        func weight(_ sample: Look) -> Double {
            let deviation = 1 + (excess > 0 ? (sample.delay - least) / excess : 0)
            return 1 / (deviation * deviation)
        }
        let total = samples.reduce(0) { $0 + weight($1) }
        mean.x = samples.reduce(0) { $0 + weight($1) * $1.time } / total
        mean.y = samples.reduce(0) { $0 + weight($1) * $1.offset } / total
        let xx = samples.reduce(0) {
            $0 + weight($1) * ($1.time - mean.x) * ($1.time - mean.x)
        }
        let xy = samples.reduce(0) {
            $0 + weight($1) * ($1.time - mean.x) * ($1.offset - mean.y)
        }
        slope = samples.count >= 2 ? xy / xx : 0
        let squares = samples.reduce(0) {
            let residual = residual($1)
            return $0 + weight($1) * residual * residual
        }
        deviation = samples.count >= 3 ? (squares / Double(samples.count - 2)).squareRoot() : 0
        sums = (total, xx)
    }

    private func residual(_ sample: Look) -> Double {
        sample.offset - mean.y - slope * (sample.time - mean.x)
    }

    /// The runs test: as many changes of sign as chance gives in 95 of 100 cases, or more.
    private var hasPlausibleRuns: Bool {
        let signs = samples.map { residual($0) >= 0 }
        let runs = 1 + zip(signs, signs.dropFirst()).count { $0 != $1 }
        let count = Double(signs.count)
        return Double(runs) >= (count + 1) / 2 - 1.645 * (count - 1).squareRoot() / 2
    }
}
