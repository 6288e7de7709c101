/// The values that a bracket or a sweep gives to one setting; a range is not written out before it is needed.
///
/// What ``AxisForm`` reads, without the type of the setting, so that axes of several settings go through one loop.
struct SettingAxis: Sendable {
    /// How many values there are, at least 1 in a list and 2 in a range.
    let count: Int
    /// The value of an index below `count`, with the place of its text.
    let value: @Sendable (Int) -> Located<SweepValue>
}
