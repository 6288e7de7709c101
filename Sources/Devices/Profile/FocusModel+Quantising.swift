extension FocusModel {
    /// The position of a code; nil for a code that is not between the two ends.
    public func position(ofCode code: Int64) -> LensPosition? {
        let span = Int128(farCode) - Int128(nearCode)
        let part = (Int128(code) - Int128(nearCode)) * 1_000_000
        let isDown = span < 0
        return LensPosition(
            millionths: rounded(isDown ? -part : part, over: isDown ? -span : span))
    }

    /// The code nearest to a position.
    public func code(for position: LensPosition) -> Int64 {
        let span = Int128(farCode) - Int128(nearCode)
        return nearCode + rounded(span * Int128(position.millionths), over: 1_000_000)
    }

    /// The code nearest to a position, checked against what the attached device takes.
    ///
    /// - Throws: ``SettingProblem`` where the device's own range is narrower than the profile's.
    public func code(
        for position: LensPosition, from origin: LimitOrigin
    ) throws(SettingProblem) -> Int64 {
        let code = code(for: position)
        guard let liveCodes else { return code }
        guard let nearest = liveCodes.nearest(code) else {
            throw SettingProblem(
                .lens, id: "lens-out-of-range",
                "lens position \(position) is code \(code), outside \(liveCodes.minimum) to"
                    + " \(liveCodes.maximum) (\(control.name) of \(limit ?? origin))",
                hint: "use a position in that range, or correct `near` and `far` of the profile")
        }
        return nearest
    }

    /// The code that the lens goes to before it moves to `code`, so that it always comes from the same side.
    ///
    /// - Returns: nil without an approach, and where the lens is at that end of its way already.
    public func startOfApproach(to code: Int64) -> Int64? {
        guard let approach else { return nil }
        let end = approach.side == .near ? nearCode : farCode
        let isUp = end > code
        let beyond = isUp ? code + approach.overTravelCodes : code - approach.overTravelCodes
        let start = isUp ? min(beyond, end) : max(beyond, end)
        return start == code || end == code ? nil : start
    }

    /// Where a position is sharp, in thousandths of a dioptre (1/m), between the calibrated points.
    ///
    /// - Returns: nil without calibration and outside its points: a lens's range goes on beyond infinity.
    public func millidioptres(ofCode code: Int64) -> Int64? {
        for (one, two) in zip(dioptres, dioptres.dropFirst())
        where (min(one.code, two.code)...max(one.code, two.code)).contains(code) {
            let span = Int128(two.code) - Int128(one.code)
            let part = Int128(code) - Int128(one.code)
            let rise = Int128(two.millidioptres) - Int128(one.millidioptres)
            let isDown = span < 0
            return one.millidioptres
                + rounded((isDown ? -part : part) * rise, over: isDown ? -span : span)
        }
        return nil
    }
}
