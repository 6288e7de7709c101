internal import Devices
internal import Notation
internal import Timebase

/// What is in force for the steps that are being lowered: settings with the places they come from, and lights.
///
/// A value: each sweep, bracket and list of steps works on a copy, so that what it changes ends with it. It begins as
/// the recipe's lock. Places are those of the last change, so a problem is reported where the value that has it was
/// written.
struct LoweringContext {
    /// Nil leaves it to the camera, as with the other settings.
    var exposure: Located<Setting<Interval>>?
    /// As it was written: ISO becomes a gain only in ``requested(profile:)``.
    var gain: Located<Setting<Sensitivity>>?
    var lens: Located<Setting<LensPosition>>?
    var whiteBalance: Located<Setting<WhiteBalance>>?
    /// A step's own frame rate; nil for that of the run.
    var rate: Located<FrameRate>?
    /// What is skipped where the camera does not support it; a step that sets it takes it out of here.
    var ifSupported: [ControlGroup]
    /// Outputs that are active during each exposure: bit n is line n of the plan.
    var lights: UInt32 = 0
    /// Where the last of them was asked for; nil for no lights.
    var lightsRange: SourceRange?

    /// The context of the first step: the recipe's lock, no light, the run's own rate.
    init(_ lock: Lock) {
        exposure = lock.exposure
        gain = lock.gain
        lens = lock.lens
        whiteBalance = lock.whiteBalance
        ifSupported = lock.ifSupported
    }

    /// The same with one shot's changes in force.
    ///
    /// Biases and lights are left as they are: they need the exposure in force and the numbers of lines, which the
    /// compiler has.
    func changed(by shot: [Located<SweepValue>]) -> LoweringContext {
        var context = self
        for change in shot {
            switch change.value {
            case .exposure(let value): context.exposure = Located(.value(value), at: change.range)
            case .gain(let value): context.gain = Located(.value(value), at: change.range)
            case .lens(let value): context.lens = Located(.value(value), at: change.range)
            case .whiteBalance(let value):
                context.whiteBalance = Located(.value(value), at: change.range)
            case .rate(let value): context.rate = Located(value, at: change.range)
            // The compiler knows what these come down to.
            case .bias, .light: break
            }
            // What the lock wanted only if it is supported, this step wants.
            if !context.ifSupported.isEmpty {
                context.ifSupported.removeAll { $0 == change.value.group }
            }
        }
        return context
    }

    /// Settings with ISO turned into a gain.
    ///
    /// - Parameter profile: of the camera that is compiled for; without a gain model an ISO becomes `current`, and
    ///   quantising then reports that gain is not supported.
    func requested(profile: CameraProfile) -> FrameSettings {
        let sensitivity: Setting<Gain> =
            switch gain?.value {
            case .value(.gain(let value)): .value(value)
            case .value(.iso(let iso)):
                profile.gain.map { .value($0.gain(forISO: iso)) } ?? .current
            case .current: .current
            case .free, nil: .free
            }
        var requested = FrameSettings(
            exposure: exposure?.value ?? .free, gain: sensitivity, lens: lens?.value ?? .free,
            whiteBalance: whiteBalance?.value ?? .free)
        requested.rate = rate?.value
        return requested
    }

    /// Where a setting was written, or for nil the frame rate; nil where it was not written at all.
    func range(of group: ControlGroup?) -> SourceRange? {
        switch group {
        case .exposure: exposure?.range
        case .gain: gain?.range
        case .lens: lens?.range
        case .whiteBalance: whiteBalance?.range
        case nil: rate?.range
        }
    }
}

extension SweepValue {
    /// The group that it changes; nil for a frame rate and a light.
    fileprivate var group: ControlGroup? {
        switch self {
        case .exposure, .bias: .exposure
        case .gain: .gain
        case .lens: .lens
        case .whiteBalance: .whiteBalance
        case .rate, .light: nil
        }
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
                for change in shots.first ?? [] { keep(change) }
            case .sweep(_, let body), .repeat(_, _, let body): keepWhatChanges(in: body)
            default: break
            }
        }
    }

    /// Locks one setting at `current`, at the place of the change, unless the lock has it already.
    private mutating func keep(_ change: Located<SweepValue>) {
        switch change.value {
        case .exposure: exposure = exposure ?? Located(.current, at: change.range)
        case .gain: gain = gain ?? Located(.current, at: change.range)
        case .lens: lens = lens ?? Located(.current, at: change.range)
        case .whiteBalance: whiteBalance = whiteBalance ?? Located(.current, at: change.range)
        case .bias, .light, .rate: break
        }
    }
}
