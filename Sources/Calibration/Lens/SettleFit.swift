internal import Timebase

/// When a lens came to rest, from the scores of the frames after a move.
struct SettleFit: Hashable, Sendable {
    /// It still moved after this; 0 where no frame saw it move.
    var least: Interval
    /// It rested from here on.
    var most: Interval

    /// Finds the last frame that was more than 2 % of the step away from where the lens ended.
    ///
    /// - Parameters:
    ///   - scores: times of the middles of exposures since the lens could move, ascending, with their scores.
    ///   - start: the score before the move.
    /// - Returns: nil without a move that can be seen: fewer than four frames, a step below a tenth of the score, or
    ///   one that still moves in the last frame.
    init?(_ scores: [(time: Interval, score: Int64)], from start: Int64) {
        guard scores.count >= 4 else { return nil }
        let tail = scores.suffix(3)
        let final = tail.reduce(0) { $0 + $1.score } / Int64(tail.count)
        let step = abs(final - start)
        // Less than that is noise.
        guard step * 10 > max(final, start), step > 0 else { return nil }
        // Domain facts: settled is within 2 % of the step.
        let isAway = { (score: Int64) in abs(score - final) * 50 > step }
        let last = scores.lastIndex { isAway($0.score) }
        guard let last else {
            (least, most) = (.zero, max(.zero, scores[0].time))
            return
        }
        guard last + 1 < scores.count else { return nil }
        (least, most) = (max(.zero, scores[last].time), max(.zero, scores[last + 1].time))
    }
}
