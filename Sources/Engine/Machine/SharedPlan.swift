internal import Devices
internal import Recipes

/// A plan behind a reference, with what is worked out of it before the run.
///
/// The compiler's check of a noncopyable value takes time that goes with the square of the leaves that are stored in
/// it, and a plan with its camera profile has hundreds of them: in ``RunMachine`` itself they cost minutes.
final class SharedPlan: Sendable {
    /// As it was compiled.
    let plan: Plan
    /// Slots that have a number before the run.
    let numberedSlots: Int64
    /// The settings of the plan as the delay model compares them.
    let values: PlanValues
    /// The groups that any settings of the plan lock: their automatics are off.
    let locked: ControlGroups
    /// Whether settings differ in the frame length of a raw sensor.
    let variesFrameLength: Bool

    init(_ plan: Plan) {
        self.plan = plan
        numberedSlots = plan.program.numberedSlots
        values = PlanValues(plan.settings)
        variesFrameLength = plan.variesFrameLength
        var locked = ControlGroups()
        for group in ControlGroup.all
        where plan.settings.contains(where: { $0.requested.kind(of: group) != .free }) {
            locked.insert(ControlGroups(group))
        }
        self.locked = locked
    }
}
