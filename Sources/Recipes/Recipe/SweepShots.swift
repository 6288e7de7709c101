/// Every combination of the values of some settings, the last setting changing fastest.
///
/// None is written out before it is asked for: a line of YAML may mean a million.
public struct SweepShots: RandomAccessCollection, Sendable {
    private let axes: [SettingAxis]
    /// 0.
    public let startIndex = 0
    /// How many there are.
    public let endIndex: Int

    /// - Parameters:
    ///   - axes: each with a value at least.
    ///   - count: the product of their counts.
    init(_ axes: [SettingAxis], count: Int) {
        self.axes = axes
        endIndex = count
    }

    /// The changes of one shot, in the order of the settings.
    public subscript(position: Int) -> [Located<SweepValue>] {
        precondition(indices.contains(position), "a sweep has \(count) shots")
        var shotsEach = count
        return axes.map { axis in
            shotsEach /= axis.count
            return axis.value(position / shotsEach % axis.count)
        }
    }
}
