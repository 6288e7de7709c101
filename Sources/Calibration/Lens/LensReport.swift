public import Devices
public import Timebase

/// How a lens moves.
public struct LensReport: Hashable, Sendable {
    /// The sharpest code when it is reached from lower codes, in thousandths.
    public var sharpestUp: Int64
    /// The sharpest code when it is reached from higher codes, in thousandths.
    public var sharpestDown: Int64
    /// How far apart both are, in thousandths of codes, with bounds: twice the codes that the lens stops short.
    public var hysteresis: ClosedRange<Int64>
    /// Time from when the lens gets a code until sharpness is within 2 % of its last; nil if no move could be watched.
    public var settle: ClosedRange<Interval>?
    /// How positions should be reached; nil where both sides lead to the same place.
    public var approach: FocusModel.Approach?
    /// The most blurred score and the sharpest one, in millionths (``FocusScore``); of one window and one scene alone.
    public var scores: ClosedRange<Int64>
    /// Whether larger codes are nearer; nil if only one distance was measured.
    public var isLargerNearer: Bool?

    /// Compares the curves of both directions at half of their common height, on both flanks.
    ///
    /// The flanks are steep where the peak is flat, so they locate codes better than the peaks do. Doubt is half of
    /// what the flanks differ by, an eighth of a step, and a code.
    ///
    /// - Parameters:
    ///   - step: codes from one measured place to the next.
    ///   - model: whose side of approach is kept, far if it has none.
    ///   - fartherCode: the sharpest code with the target farther away; nil if that was not measured.
    /// - Throws: ``CalibrationError`` where a flank is missing.
    init(
        up: SharpnessCurve, down: SharpnessCurve, step: Int64, model: FocusModel,
        fartherCode: Int64?
    ) throws(CalibrationError) {
        let level = (max(up.least, down.least) + min(up.most, down.most)) / 2
        let (one, two) = (up.crossings(of: level), down.crossings(of: level))
        guard let upRising = one.rising, let upFalling = one.falling, let downRising = two.rising,
            let downFalling = two.falling
        else {
            throw CalibrationError(
                "the sharpest place can't be distinguished from its neighbours on both sides: use a"
                    + " target with finer detail, or move it towards the middle of the lens's range"
            )
        }
        sharpestUp = (upRising + upFalling) / 2
        sharpestDown = (downRising + downFalling) / 2
        scores = min(up.least, down.least)...max(up.most, down.most)
        // The same curve at another place: both flanks moved alike, but for reading between measured codes.
        let (left, right) = (upRising - downRising, upFalling - downFalling)
        let doubt = abs(left - right) / 2 + step * 125 + 1_000
        let middle = (left + right) / 2
        hysteresis = max(0, middle - doubt)...max(0, middle + doubt)
        settle = nil
        if hysteresis.lowerBound > 0 {
            approach = .init(
                side: model.approach?.side ?? .far,
                overTravelCodes: dividedUp(hysteresis.upperBound, by: 1_000) + step)
        }
        isLargerNearer = fartherCode.flatMap { farther in
            let sharpest = (sharpestUp + sharpestDown) / 2
            return abs(sharpest - farther * 1_000) > doubt ? sharpest > farther * 1_000 : nil
        }
    }

    /// The figures for a profile, with what is to be known of each.
    ///
    /// - Parameters:
    ///   - profile: what the camera was taken for.
    ///   - conditions: format and rate, for the comments.
    public func figures(for profile: CameraProfile, conditions: String) -> [MeasuredFigure] {
        var figures: [MeasuredFigure] = []
        if let settle {
            figures.append(
                .init(
                    .settle(settle.upperBound),
                    notes: [
                        "still moved after \(settle.lowerBound), within 2 % after \(settle.upperBound)",
                        conditions,
                    ]))
        }
        let thousandths = { (codes: Int64) in decimalText(UInt64(max(0, codes)), unit: 1_000) }
        figures.append(
            .init(
                .approach(approach),
                notes: [
                    "sharpest at \(thousandths(sharpestUp)) from below, \(thousandths(sharpestDown)) from above: "
                        + "\(thousandths(hysteresis.lowerBound)) to \(thousandths(hysteresis.upperBound)) apart",
                    conditions,
                ]))
        if let model = profile.focus, let isLargerNearer,
            isLargerNearer != (model.nearCode > model.farCode)
        {
            figures.append(
                .init(
                    .lensEnds(near: model.farCode, far: model.nearCode),
                    notes: [
                        "larger codes are \(isLargerNearer ? "nearer" : "farther")", conditions,
                    ]))
        }
        return figures
    }
}
