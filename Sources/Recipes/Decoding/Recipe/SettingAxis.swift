/// The values that a bracket or a sweep gives to one setting; a range is not written out before it is needed.
struct SettingAxis: Sendable {
    /// How many values there are.
    let count: Int
    /// The value of an index below `count`.
    let value: @Sendable (Int) -> Located<SweepValue>
}
