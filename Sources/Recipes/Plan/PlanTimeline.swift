internal import Cameras
public import Timebase

/// Walks a plan slot by slot with the time at which each is expected to begin, by the same figures as ``PlanEstimate``.
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

    private let settings: [PlannedSettings]
    private let program: [Instruction]
    private let period: Interval
    private var cursor = PlanCursor()
    private var time = Interval.zero
    private var waitsForEdge = false
    private var settingsInForce: Int32 = -1
    private var roundsBegan: InlineArray<17, Interval> = InlineArray(repeating: .zero)

    /// Creates a timeline at the start of a plan.
    public init(_ plan: Plan) {
        settings = plan.settings
        program = plan.program
        period = plan.camera.assumedPeriod
    }

    /// Takes the next slot; nil at the end, or if there is none within so many operations (an endless loop may have
    /// no slots).
    public mutating func next(operationLimit: Int = 100_000) -> Entry? {
        // A copy of the reference: the program can't be borrowed from `self` while the cursor moves.
        let program = program
        for _ in 0..<operationLimit {
            switch cursor.next(in: program.span) {
            case .slot(let slot): return enter(slot)
            case .pulse(_, let duration, _), .wait(let duration, _): time += duration
            case .waitForEdge: waitsForEdge = true
            case .roundStart(let depth, let round, let every, _, _):
                if round == 0 { roundsBegan[depth] = time }
                if every > .zero { time = max(time, roundsBegan[depth] + every * round) }
            case .roundEnd: break
            case .end: return nil
            }
        }
        return nil
    }

    private mutating func enter(_ slot: PlanSlot) -> Entry {
        if slot.settings != settingsInForce {
            settingsInForce = slot.settings
            time += settings[Int(slot.settings)].settlingTime(period: period)
        }
        let entry = Entry(slot: slot, at: time, waitsForEdge: waitsForEdge)
        time += period
        return entry
    }
}

extension PlannedCamera {
    /// The time from frame to frame: the sensor's real one, the recipe's, or that of 30 fps where it names none.
    var assumedPeriod: Interval {
        profile.timing?.period ?? configuration.rate?.period ?? .nanoseconds(33_333_333)
    }
}

extension PlannedSettings {
    /// What a change to these settings costs: frames until they surely show, one more that is being exposed at the
    /// time of the write, and the lens coming to rest, twice where it comes back from beyond its place.
    func settlingTime(period: Interval) -> Interval {
        period * Int64(latencyFrames + 1) + settle + (lensApproach == nil ? .zero : settle)
    }
}
