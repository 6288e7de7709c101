public import Imaging
public import Notation

/// A recipe as it was written: checked for form, parameters put in, nothing yet compared with a camera or a rig.
///
/// Stands between ``RecipeDecoder`` and ``PlanCompiler``. Every value that a camera or a rig may refuse is ``Located``,
/// so that the refusal can be shown in the file.
public struct Recipe: Sendable {
    /// The file it was read from; its bytes go into the run folder as they are.
    public var source: SourceFile
    /// The run folder's name is made of it: letters, digits, `-`, `_`, `.`; at most 64.
    public var name: Located<String>
    /// A sentence for people; empty where there is none.
    public var summary: String
    /// Parameters with the values that this run has, in the order of declaration.
    public var parameters: [RecipeParameter]
    /// Which camera, and how it delivers.
    public var camera: CameraNeed
    /// Settings that hold for the whole run unless a step sets others.
    public var lock: Lock
    /// Lines that the steps use, in the order of declaration, which is the order of their numbers in the plan.
    public var lines: [LineNeed]
    /// PTP hardware clocks that are read beside the host's own, in the order of declaration.
    public var clocks: [ClockNeed] = []
    /// What is done, in order; the step that meters is not among them.
    public var steps: [Step]
    /// What is metered before the first frame; nil for nothing.
    public var metering: MeteringNeed?
    /// How it is recorded.
    public var output: OutputOptions
    /// What becomes of slots that lose their frame.
    public var onLost = LostFramePolicy.hole
    /// What is found beside the pictures; nil for nothing.
    public var metadata: RunMetadata?
    /// Limits of the verdict.
    public var require: RequireNeed

    /// Creates a recipe.
    public init(
        source: SourceFile, name: Located<String>, summary: String, parameters: [RecipeParameter],
        camera: CameraNeed, lock: Lock, lines: [LineNeed], steps: [Step], output: OutputOptions,
        require: RequireNeed
    ) {
        self.source = source
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.camera = camera
        self.lock = lock
        self.lines = lines
        self.steps = steps
        self.output = output
        self.require = require
    }
}

/// A parameter and the value it has in this run, both as text with unit.
public struct RecipeParameter: Hashable, Sendable {
    /// The name, without `$`.
    public var name: String
    /// The value in force: the default, or the one of `--set`.
    public var value: String
    /// Whether `--set` gave it.
    public var isOverridden: Bool

    /// Creates a parameter.
    public init(name: String, value: String, isOverridden: Bool) {
        self.name = name
        self.value = value
        self.isOverridden = isOverridden
    }
}

/// Which camera a recipe asks for, and how it is to deliver frames.
public struct CameraNeed: Sendable {
    /// `simulated`, a stable id, or a name in the rig.
    public var use: Located<String>
    /// Name of the camera profile; nil takes the rig's, or the one that fits the driver.
    public var profile: Located<String>?
    /// Name of an input of the device, for example `HDMI 000-0`; nil for the one that is selected.
    public var input: Located<String>?
    /// Pixels, size and rate, or a preset that stands for them.
    public var format: FormatNeed
    /// The part of the image; nil for all of it.
    public var region: Located<FrameRegion>?
    /// The line that exposes it; nil for a free-running camera.
    public var trigger: CameraTrigger?

    /// Creates a need.
    public init(
        use: Located<String>, profile: Located<String>? = nil, input: Located<String>? = nil,
        format: FormatNeed, region: Located<FrameRegion>? = nil, trigger: CameraTrigger? = nil
    ) {
        self.use = use
        self.profile = profile
        self.input = input
        self.format = format
        self.region = region
        self.trigger = trigger
    }
}
