internal import Cameras
internal import Timebase

/// What a frame's settings cost that are not those of the frame before, by the way in which it comes after that.
enum SettingsChange: Int, CaseIterable {
    /// The settings are the same.
    case none
    /// It follows at once, so its settings are written ahead; the lens stays, or moves.
    case aheadStill, aheadMoving
    /// Something lies between them, so its settings are written when it is due.
    case dueStill, dueMoving

    /// The same change with something between the frames.
    var interrupted: SettingsChange {
        switch self {
        case .none: .none
        case .aheadStill, .dueStill: .dueStill
        case .aheadMoving, .dueMoving: .dueMoving
        }
    }
}

/// What changes of settings cost in a plan.
struct SettingsChangeCosts {
    private let settings: [PlannedSettings]
    private let period: Interval
    /// Whether settings can be written ahead: as the engine has it, where stamps tell one frame from the next.
    private let writesAhead: Bool

    init(_ plan: Plan) {
        settings = plan.settings
        period = plan.camera.assumedPeriod
        let lateness = plan.camera.profile.timestamps.lateness
        writesAhead =
            plan.camera.configuration.rate != nil && lateness * 2 + period / 8 < period
    }

    /// The change from one set of settings to another; what was before the run is not known.
    func change(from before: Int32?, to next: Int32?, atOnce: Bool) -> SettingsChange {
        guard let next, before != next else { return .none }
        let moves =
            before.map {
                settings[Int($0)].quantised.lens != settings[Int(next)].quantised.lens
            } ?? true
        let change: SettingsChange = moves ? .aheadMoving : .aheadStill
        return atOnce && before != nil && writesAhead ? change : change.interrupted
    }

    /// The time until new settings surely show: the lens coming to rest, and for those not written ahead the latency
    /// and the frame that is being exposed at the time of the write.
    func cost(_ change: SettingsChange, to next: Int32) -> Interval {
        let planned = settings[Int(next)]
        let wait = period * Int64(planned.latencyFrames + 1)
        // A lens that comes back from beyond its place moves twice.
        let settle = planned.settle * (planned.lensApproach == nil ? 1 : 2)
        return switch change {
        case .none, .aheadStill: .zero
        case .aheadMoving: settle
        case .dueStill: wait
        case .dueMoving: wait + settle
        }
    }
}
