public import Devices
public import Timebase

/// A compiled recipe: everything a run does, in the order in which it does it, with the device's own numbers.
///
/// A plan is a small program over a table of settings. Its slots (one frame each) are numbered by walking it with a
/// ``PlanCursor``; an endless recipe is a loop without a count and stays as small as a short one. Same recipe, rig and
/// profile: byte-identical plan on every machine.
///
/// Nothing in it is a fraction or depends on the order of a dictionary, and its canonical JSON has no more than is in
/// here: that is why the SHA-256 of `plan.json` can stand for it.
public struct Plan: Hashable, Sendable {
    /// The recipe's name.
    public var name: String
    /// The camera and what it is to deliver.
    public var camera: PlannedCamera
    /// Every different set of settings; instructions point into it.
    ///
    /// The camera begins with the first one, which is written before the stream starts.
    public var settings: [PlannedSettings]
    /// Every line; instructions point into it.
    ///
    /// At most 32: lights are bits of a 32-bit number.
    public var lines: [LineRequest]
    /// Clocks of the machine that are read beside the host's own.
    public var clocks: [ClockRequest] = []
    /// The steps that instructions come from, as paths such as `sequence[4].do[1]`.
    public var steps: [String]
    /// What is done.
    public var program: [Instruction]
    /// How it is recorded.
    public var output: OutputOptions
    /// What becomes of slots that lose their frame.
    public var onLost = LostFramePolicy.hole
    /// What is found beside the pictures; nil for nothing.
    public var metadata: RunMetadata?
    /// Limits of the verdict.
    public var require: Requirements
    /// The steps whose frames become picture files too, ascending.
    public var stills: [PlannedStill]
    /// The steps whose frames have a label, ascending.
    public var labels: [PlannedLabel] = []
    /// What was wanted only if the camera supports it, and is left out because it does not.
    public var skipped: [SkippedSetting]

    /// Creates a plan; the compiler is the usual way to get one.
    public init(
        name: String, camera: PlannedCamera, settings: [PlannedSettings], lines: [LineRequest],
        steps: [String], program: [Instruction], output: OutputOptions, require: Requirements,
        skipped: [SkippedSetting] = [], stills: [PlannedStill] = []
    ) {
        self.name = name
        self.camera = camera
        self.settings = settings
        self.lines = lines
        self.steps = steps
        self.program = program
        self.output = output
        self.require = require
        self.stills = stills
        self.skipped = skipped
    }
}

extension Plan {
    /// Edges that can wait on one line for a step of a plan; more are in the log alone.
    package static let waitingEdges = 256

    /// Lights are on so much longer than the exposure, on both sides: a host wakes up later than it asked to, and a
    /// period is not quite what it is taken for.
    package static let lightMargin = Interval.milliseconds(1)

    /// Slots of the largest group that may have to be taken again: so many frames are kept back at most.
    ///
    /// 0 without such a group. So many buffers are added to those of the recipe.
    public var largestGroup: Int64 {
        program.reduce(0) { largest, instruction in
            guard case .group(let slots, _, _) = instruction else { return largest }
            return max(largest, slots)
        }
    }
}

/// The camera of a plan.
public struct PlannedCamera: Hashable, Sendable {
    /// Which camera the recipe names: `simulated`, or the stable id (from the recipe or the rig).
    public var id: String
    /// What is known of it; with its name, delays and limits.
    ///
    /// Of a plan that was read from a file it has the facts that the plan rests on, and no others.
    public var profile: CameraProfile
    /// How it is to deliver frames.
    public var configuration: CaptureConfiguration
    /// The line that exposes it; nil for a free-running camera.
    public var trigger: PlannedTrigger?

    /// Creates a planned camera.
    public init(
        id: String, profile: CameraProfile, configuration: CaptureConfiguration,
        trigger: PlannedTrigger? = nil
    ) {
        self.id = id
        self.profile = profile
        self.configuration = configuration
        self.trigger = trigger
    }
}

/// A set of settings, as asked for and as the device can have it.
public struct PlannedSettings: Hashable, Sendable {
    /// What the recipe asks for (ISO already turned into a gain).
    public var requested: FrameSettings
    /// What the device will have, quantised by its profile; `current` where it stays as found.
    public var quantised: FrameSettings
    /// The codes that make it so, in the order in which they are written; at most 8.
    ///
    /// A raw sensor's vertical blanking is the first one: it must be written alone, before the exposure whose range
    /// depends on it.
    public var codes: [ControlValue]
    /// Frames from a write of all these codes to the first frame that surely shows them.
    ///
    /// The longest latency of the controls that are written, counted from the frame that is being exposed at the write.
    public var latencyFrames: Int
    /// How long the lens still moves after a write that moves it; zero where no lens is written.
    public var settle: Interval
    /// Where the lens goes and comes to rest before the last of its moves, so that it always comes from the same side;
    /// nil where its code is written straight away.
    public var lensApproach: ControlValue?
    /// The frame timing of a raw sensor with these settings, where a step asks for a rate of its own; nil where it is
    /// the plan's.
    public var timing: SensorTiming? {
        get { ownTiming.first }
        set { ownTiming = newValue.map { [$0] } ?? [] }
    }
    /// ``timing``, none or one, and not inline: a plan can have a million sets, and hardly one has a timing.
    private var ownTiming: [SensorTiming] = []

    /// Creates a set.
    public init(
        requested: FrameSettings, quantised: FrameSettings, codes: [ControlValue],
        latencyFrames: Int, settle: Interval, lensApproach: ControlValue? = nil
    ) {
        self.requested = requested
        self.quantised = quantised
        self.codes = codes
        self.latencyFrames = latencyFrames
        self.settle = settle
        self.lensApproach = lensApproach
    }
}
