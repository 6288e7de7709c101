internal import Devices
internal import Notation
internal import Timebase

/// What is in force for the steps that are being lowered: settings with the places they come from, and lights.
///
/// A value: each sweep, bracket and list of steps works on a copy, so that what it changes ends with it. It begins as
/// the recipe's lock. Places are those of the last change, so a problem is reported where the value that has it was
/// written.
struct LoweringContext {
    /// The lock with the changes that are in force; a setting that a step sets is none that may be skipped.
    var settings: Lock
    /// A step's own frame rate; nil for that of the run.
    var rate: Located<FrameRate>?
    /// Outputs that are active during each exposure: bit n is line n of the plan.
    var lights: UInt32 = 0
    /// Where the last of them was asked for; nil for no lights.
    var lightsRange: SourceRange?
    /// What frames are called; nil for frames without a label.
    var label: String?

    /// The context of the first step: the recipe's lock, no light, the run's own rate.
    init(_ lock: Lock) {
        settings = lock
    }

    /// The same with one shot's changes in force.
    ///
    /// Biases and lights are left as they are: they need the exposure in force and the numbers of lines, which the
    /// compiler has.
    func changed(by shot: [Located<SweepValue>]) -> LoweringContext {
        var context = self
        for change in shot {
            context.settings.take(change)
            if case .rate(let value) = change.value {
                context.rate = Located(value, at: change.range)
            }
        }
        return context
    }

    /// What is asked of the camera.
    ///
    /// - Parameter profile: of the camera that is compiled for.
    func requested(profile: CameraProfile) -> FrameSettings {
        var requested = settings.requested(profile: profile)
        requested.rate = rate?.value
        return requested
    }

    /// Where a setting was written, or for nil the frame rate; nil where it was not written at all.
    func range(of group: ControlGroup?) -> SourceRange? {
        group.map { settings.range(of: $0) } ?? rate?.range
    }
}

extension LoweringContext {
    /// What brackets change and the lock leaves open is locked where it is: else it could not come back.
    ///
    /// Looks through all steps before any is lowered, so that the settings hold from the first frame on. The first shot
    /// of a bracket stands for all: every shot changes the same settings.
    mutating func keepWhatChanges(in steps: [Step]) {
        for step in steps {
            switch step.kind {
            case .bracket(let bracket):
                guard case .changes(let shots) = bracket.shots else { continue }
                for change in shots.first ?? [] { settings.keep(change) }
            case .sweep(_, let body), .repeat(_, _, let body): keepWhatChanges(in: body)
            default: break
            }
        }
    }
}
