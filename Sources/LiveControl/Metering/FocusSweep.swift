/// Scores at the places of one sweep.
struct FocusSweep: Hashable {
    /// Places in the order in which they are visited, in millionths.
    let places: [Int64]
    /// Scores so far, each the mean over the frames of a place, in millionths (``FocusScore``).
    private(set) var scores: [Int64] = []
    private var sum: Int64 = 0
    private var frames = 0

    /// Creates a sweep of which nothing was measured; there is one place at least.
    init(places: [Int64]) {
        self.places = places
    }

    /// The place that is being measured; nil when all are.
    var place: Int64? { scores.count < places.count ? places[scores.count] : nil }

    /// Takes a frame at the current place; true when the place is done.
    mutating func add(_ score: Int64, framesPerPlace: Int) -> Bool {
        sum += score / Int64(framesPerPlace)
        frames += 1
        guard frames == framesPerPlace else { return false }
        scores.append(sum)
        (sum, frames) = (0, 0)
        return true
    }

    /// The best score and its index; the first of equal ones.
    var best: (index: Int, score: Int64) {
        var best = (index: 0, score: Int64.min)
        for (index, score) in scores.enumerated() where score > best.score {
            best = (index, score)
        }
        return best
    }

    /// The top of the parabola through the best place and its two neighbours; the best place itself at an end.
    ///
    /// `p = p₀ + h/2 · (s₋ − s₊) / (s₋ − 2 s₀ + s₊)`, h the distance of the neighbours; at most half of it away.
    var peak: Int64 {
        let index = best.index
        guard index > 0, index < scores.count - 1 else { return places[index] }
        let (before, top, after) = (scores[index - 1], scores[index], scores[index + 1])
        let curvature = Int128(before) - 2 * Int128(top) + Int128(after)
        guard curvature < 0 else { return places[index] }
        let reach = Int128(places[index + 1] - places[index - 1])
        let shift = reach * (Int128(before) - Int128(after)) / (4 * curvature)
        return places[index] + Int64(min(max(shift, -reach.magnitude4), reach.magnitude4))
    }
}

extension Int128 {
    /// A quarter of the magnitude.
    fileprivate var magnitude4: Int128 { (self < 0 ? -self : self) / 4 }
}
