internal import Devices

/// What a look ahead leaves to be written later, for the slots that it has gone past.
///
/// A slot behind them finds what they were written with, and not what the camera has been told so far.
struct LaterWrites {
    private var groups: ControlGroups = []
    private var values = GroupValues()

    /// These groups are still to be written with what a slot wants.
    mutating func add(_ groups: ControlGroups, _ wanted: GroupValues) {
        self.groups.formUnion(groups)
        for group in ControlGroup.all where groups.has(group) { values[group] = wanted[group] }
    }

    /// What a slot wants of the groups of which everything is written.
    func written(of wanted: GroupValues) -> GroupValues {
        PerGroup { groups.has($0) ? GroupValues.anything : wanted[$0] }
    }

    /// The groups that a slot wants with another value than they are still to be written with.
    func differing(from wanted: GroupValues) -> ControlGroups {
        var differing: ControlGroups = []
        for group in ControlGroup.all
        where groups.has(group) && wanted[group] != GroupValues.anything
            && wanted[group] != values[group]
        {
            differing.insert(ControlGroups(group))
        }
        return differing
    }
}
