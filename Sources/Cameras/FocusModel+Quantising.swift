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
}
