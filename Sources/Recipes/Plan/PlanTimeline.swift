internal import Devices
public import Timebase

/// Walks a plan slot by slot with the time at which each is expected to begin, by the same figures as ``PlanEstimate``.
///
/// What `framelock plan` lists. A time is that of an undisturbed run: no frame is lost and no edge is late.
public struct PlanTimeline {
    /// A slot and its place in time.
    public struct Entry: Hashable, Sendable {
        /// The slot.
        public var slot: PlanSlot
        /// From the start of the stream to the start of its exposure.
        public var at: Interval
        /// Whether that is the earliest time only, since an edge is waited for before it.
        public var waitsForEdge: Bool
    }

    private let costs: SettingsChangeCosts
    private let program: [Instruction]
    private var cursor = PlanCursor()
    /// When the next frame could begin, from the start of the stream.
    private var time = Interval.zero
    /// When the round that begins is due, from the start of the stream; zero where it has begun.
    private var due = Interval.zero
    private var waitsForEdge = false
    /// Index of the settings of the last slot; nil before the first.
    private var settingsInForce: Int32?
    /// What lies between the last frame and what comes next.
    private var between = Between.time
    /// The rounds of a loop.
    private struct Rounds: BitwiseCopyable {
        /// When the first one began.
        var began = Interval.zero
        /// Whether they have no frame yet, and a time from start to start.
        var isOpen = false
    }

    /// By depth of the loop, from 1.
    private var rounds: InlineArray<17, Rounds> = InlineArray(repeating: Rounds())

    /// Creates a timeline at the start of a plan.
    public init(_ plan: Plan) {
        costs = SettingsChangeCosts(plan)
        program = plan.program
    }

    /// Takes the next slot; nil at the end, or if there is none within so many operations (an endless loop may have
    /// no slots).
    ///
    /// - Parameter operationLimit: instructions that are looked at before it gives up.
    public mutating func next(operationLimit: Int = 100_000) -> Entry? {
        // A copy of the reference: the program can't be borrowed from `self` while the cursor moves.
        let program = program
        for _ in 0..<operationLimit {
            switch cursor.next(in: program.span) {
            case .slot(let slot): return enter(slot)
            case .pulse(_, let duration, _), .wait(let duration, _):
                beginRound()
                time += duration
                between = .time
            case .waitForEdge:
                beginRound()
                waitsForEdge = true
                between = .time
                for depth in rounds.indices { rounds[depth].isOpen = false }
            case .roundStart(let depth, let round, let every, _, _):
                if round == 0 { rounds[depth] = Rounds(began: time, isOpen: every > .zero) }
                guard every > .zero else { continue }
                due = max(due, rounds[depth].began + every * round)
                between = .time
            case .roundEnd, .group, .restore: break
            case .end: return nil
            }
        }
        return nil
    }

    /// Waits until the round that begins is due, and so until the rounds inside that begin with it.
    private mutating func beginRound() {
        delay(by: max(.zero, due - time))
        due = .zero
    }

    /// Moves on, and with it the schedules that have no frame yet.
    private mutating func delay(by wait: Interval) {
        time += wait
        for depth in rounds.indices where rounds[depth].isOpen { rounds[depth].began += wait }
    }

    /// Puts a slot on the timeline, behind what its change of settings costs, and moves on by its period.
    ///
    /// Where it is the first of a round its settings are written before that is due, so that it is in time.
    private mutating func enter(_ slot: PlanSlot) -> Entry {
        let change = costs.change(
            from: settingsInForce, to: slot.settings, isLit: slot.lights != 0, behind: between)
        let cost = costs.cost(change, to: slot.settings)
        delay(by: cost)
        beginRound()
        // As in a run, a schedule is laid by its first frame.
        for depth in rounds.indices { rounds[depth].isOpen = false }
        settingsInForce = slot.settings
        between = slot.lights == 0 ? .nothing : .lights
        let entry = Entry(slot: slot, at: time, waitsForEdge: waitsForEdge)
        time += costs.period(of: slot.settings)
        return entry
    }
}

extension PlannedCamera {
    /// The time from frame to frame: the sensor's real one, the recipe's, or that of 30 fps where it names none.
    ///
    /// The rate of the first settings counts; steps with a rate of their own have it in their
    /// ``PlannedSettings/timing``.
    var assumedPeriod: Interval {
        profile.timing?.period ?? configuration.rate?.period ?? .nanoseconds(33_333_333)
    }
}
