internal import Recipes

/// A plan behind a reference.
///
/// The compiler's check of a noncopyable value takes time that goes with the square of the leaves that are stored in
/// it, and a plan with its camera profile has hundreds of them: in ``RunMachine`` itself they cost minutes.
final class SharedPlan: Sendable {
    /// As it was compiled.
    let plan: Plan
    /// Slots that have a number before the run.
    let numberedSlots: Int64

    init(_ plan: Plan) {
        self.plan = plan
        numberedSlots = plan.program.numberedSlots
    }
}
