internal import Devices

/// What was last found to differ of each group, so that it is logged once for frames in a row.
///
/// Else a value that is wrong for a whole run would be an event for every frame.
struct ContradictedSettings {
    /// Both in the unit of ``AppliedSettings`` for the group.
    private struct Difference: BitwiseCopyable, Equatable {
        let believed: Int64
        let found: Int64
    }

    /// Nil for a group whose last frame agreed.
    private var last: PerGroup<Difference?> = PerGroup(repeating: nil)

    /// Takes note of the next frame.
    ///
    /// - Returns: whether it differs, and in another way than the frame before.
    mutating func note(_ group: ControlGroup, believed: Int64, found: Int64) -> Bool {
        let difference =
            believed == found ? nil : Difference(believed: believed, found: found)
        defer { last[group] = difference }
        return difference != nil && difference != last[group]
    }
}
