internal import Devices
internal import Timebase

/// What a frame's settings cost that are not those of the frame before, by the way in which it comes after that.
enum ChangeCost: Hashable {
    /// The settings are the same: no frame is lost.
    case none
    /// It follows at once, so its settings are written ahead.
    case ahead
    /// Its settings are written when it is due; the lens stays, or moves.
    case dueStill, dueMoving
    /// The frame length changes too: where frames begin has to be found again, which costs four periods of the new
    /// length and never less than 300 ms.
    case dueRate
    /// It is the first of the run: everything is written, and the stream has to start.
    case start
    /// Its settings are written as soon as lights allow, its own or those of the frame before, and show so many frames
    /// late.
    case late(frames: Int)

    /// More frames than any camera is late with.
    private static let mostFrames = 8

    /// All of them, in the order of ``place``: tables of ``EstimateWalker`` keep one sum for each way, since a stretch
    /// is summed before it is known what comes before it.
    static let all: [ChangeCost] =
        [.none, .ahead, .dueStill, .dueMoving, .dueRate, .start]
        + (0...mostFrames).map { .late(frames: $0) }

    /// Its place in such a table.
    var place: Int {
        switch self {
        case .none: 0
        case .ahead: 1
        case .dueStill: 2
        case .dueMoving: 3
        case .dueRate: 4
        case .start: 5
        case .late(let frames): 6 + min(frames, Self.mostFrames)
        }
    }

    /// The same change with something between the frames.
    var interrupted: ChangeCost {
        switch self {
        case .ahead, .late: .dueStill
        default: self
        }
    }
}

/// What lies between a frame and the one before.
enum Between: Hashable {
    /// Nothing.
    case nothing
    /// The lights of the frame before: while it waits for them nothing is written.
    case lights
    /// Something that takes time.
    case time
}

/// What changes of settings cost in a plan.
///
/// Both ``PlanEstimate`` and ``PlanTimeline`` use these figures, so that the sum and the single slots agree.
struct SettingsChangeCosts {
    private let settings: [PlannedSettings]
    private let profile: CameraProfile
    /// From frame to frame with settings that have no timing of their own.
    private let period: Interval
    /// Whether settings can be written ahead: as the engine has it, where timestamps distinguish one frame from the
    /// next.
    ///
    /// Twice the longest delay of a timestamp and an eighth of a period have to fit into a period; without a rate that
    /// the recipe asks for nothing is foreseen.
    private let writesAhead: Bool
    /// Where settings differ in their frame length, nothing is written ahead.
    private let hasRates: Bool

    init(_ plan: Plan) {
        settings = plan.settings
        profile = plan.camera.profile
        period = plan.camera.assumedPeriod
        hasRates = settings.contains { $0.timing != nil }
        let delay = profile.timestamps.delay
        writesAhead =
            !hasRates && plan.camera.configuration.rate != nil && delay * 2 + period / 8 < period
    }

    /// The change from one set of settings to another; what was before the run is not known.
    ///
    /// - Parameters:
    ///   - before: index of the settings in force; nil at the start.
    ///   - next: index of the settings to come; nil for what has no frames, which changes nothing.
    ///   - isLit: whether the frame to come has lights: its settings are written one frame ahead, and no sooner.
    ///   - between: what lies between the two frames.
    func change(
        from before: Int32?, to next: Int32?, isLit: Bool, behind between: Between
    ) -> ChangeCost {
        guard let next, before != next else { return .none }
        guard let before else { return .start }
        if period(of: before) != period(of: next) { return .dueRate }
        let (old, new) = (settings[Int(before)].quantised, settings[Int(next)].quantised)
        let changed = ControlGroup.all.filter { !old.isSame($0, as: new) }
        let approaches = changed.contains(.lens) && settings[Int(next)].lensApproach != nil
        let frames = changed.map { profile.delay(of: $0).latencyFrames }.max() ?? 0
        if between == .nothing, writesAhead, !approaches, changed.allSatisfy(isForeseen) {
            return isLit && frames > 1 ? .late(frames: frames - 1) : .ahead
        }
        let rests = changed.contains(.lens) && settings[Int(next)].settle > .zero
        if between == .lights, !approaches, !rests { return .late(frames: frames) }
        return old.lens == new.lens ? .dueStill : .dueMoving
    }

    /// The time from frame to frame with some settings.
    func period(of settings: Int32) -> Interval {
        hasRates ? self.settings[Int(settings)].timing?.period ?? period : period
    }

    /// Whether a write of a group is known to leave the frames alone that come before the one it is meant for.
    ///
    /// So the earliest frame that may show it is the first that surely does. A latency that is only an upper bound, or
    /// a lens that takes time to move, spoils frames before that.
    private func isForeseen(_ group: ControlGroup) -> Bool {
        let delay = profile.delay(of: group)
        return delay.earliestFrames == delay.latencyFrames
    }

    /// The time until new settings surely show: the lens coming to rest, and for those not written ahead the latency
    /// and the frame that is being exposed at the time of the write.
    ///
    /// - Parameters:
    ///   - change: as ``change(from:to:isLit:behind:)`` returns it.
    ///   - next: index of the settings that are written; the frames waited for have their period.
    func cost(_ change: ChangeCost, to next: Int32) -> Interval {
        let planned = settings[Int(next)]
        let period = period(of: next)
        let wait = period * Int64(planned.latencyFrames + 1)
        // A lens that comes back from beyond its place moves twice.
        let settle = planned.settle * (planned.lensApproach == nil ? 1 : 2)
        return switch change {
        case .none, .ahead: .zero
        case .late(let frames): period * Int64(frames)
        case .dueStill: wait
        case .dueMoving: wait + settle
        case .dueRate: wait + settle + Self.phaseSearch(period)
        case .start: max(wait + settle, startup(period))
        }
    }

    /// The time from the start of the stream to the first frame that may be used.
    private func startup(_ period: Interval) -> Interval {
        let hidden = period * Int64(profile.framesBeforeUse)
        // Where the phase takes longer to find, frames are used before it is known.
        let phase = Self.phaseSearch(period)
        let isSearched = profile.timing != nil && phase <= .seconds(1)
        return isSearched ? max(hidden, phase) : hidden
    }

    /// The time that it takes to find where frames of this period begin.
    private static func phaseSearch(_ period: Interval) -> Interval {
        max(period * 4, .milliseconds(300))
    }
}
