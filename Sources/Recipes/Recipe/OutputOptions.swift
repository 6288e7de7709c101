public import Devices
public import Notation
public import Timebase

/// How a run is recorded.
public struct OutputOptions: Hashable, Sendable {
    /// The container of the frames.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// Zarr v3 with OME-Zarr 0.5 metadata.
        case omeZarr = "ome_zarr"
    }

    /// What happens to a frame that arrives while every buffer still waits for the disk.
    public enum WhenFull: String, Hashable, Sendable, CaseIterable {
        /// Its slot becomes a hole, and the run goes on.
        case hole
        /// The run ends.
        case stop
    }

    /// The container.
    public var format: Format
    /// What a full pool does.
    public var whenFull: WhenFull
    /// Frames that can wait for the disk, 2…4096.
    public var bufferCount: Int

    /// Creates options.
    public init(format: Format = .omeZarr, whenFull: WhenFull = .hole, bufferCount: Int = 32) {
        self.format = format
        self.whenFull = whenFull
        self.bufferCount = bufferCount
    }
}

/// What becomes of a slot whose frame is lost, wherever that happens between sensor and record.
public enum LostFramePolicy: String, Hashable, Sendable, CaseIterable {
    /// It is a hole: rows stand for frames that follow each other.
    case hole
    /// It waits for the next frame that can be its own, and takes longer.
    ///
    /// Not where the next one can't be its own: the edge of a triggered frame is gone, and a frame of a group is taken
    /// again with its group or not at all.
    case retake
}

/// Limits of the verdict; nil means that the figure is reported but not judged.
public struct Requirements: Hashable, Sendable {
    /// Slots that may end without their frame.
    ///
    /// Default 0.
    public var dropped: Int64?
    /// Settings that may turn out different from what was locked.
    ///
    /// Default 0.
    public var lockViolations: Int64?
    /// Edges without their frame and frames without their edge.
    ///
    /// Default 0.
    public var unmatchedTriggers: Int64?
    /// Half-width of the session time of an exposure, at most.
    ///
    /// Default: not judged.
    public var clockUncertainty: Interval?

    /// Outputs that may be switched later than ``pulseTolerance`` allows.
    ///
    /// Default: not judged.
    public var latePulses: Int64?
    /// Rounds of `repeat … every` that may begin late.
    ///
    /// Default: not judged.
    public var lateRounds: Int64?
    /// Frames that may have 1 % or more of their samples at full scale.
    ///
    /// Default: not judged.
    public var saturatedFrames: Int64?
    /// How much after its time an output may be switched without being late; 1 ms if the recipe does not state it.
    public var pulseTolerance = usualPulseTolerance
    /// How warm the instrument may be; a limit is refused where nothing measures it.
    ///
    /// Default: not judged.
    public var temperature: Temperature?

    /// By group, the weakest evidence that is good enough for a frame's setting; `exposure` and `gain` alone.
    ///
    /// Default: not judged.
    public var proof = PerGroup<SettingEvidence?>(repeating: nil)

    /// What counts as late where a recipe does not state it: lights are planned no further ahead.
    public static let usualPulseTolerance = Interval.milliseconds(1)

    /// Creates requirements; the defaults are the strict ones.
    public init(
        dropped: Int64? = 0, lockViolations: Int64? = 0, unmatchedTriggers: Int64? = 0,
        clockUncertainty: Interval? = nil
    ) {
        self.dropped = dropped
        self.lockViolations = lockViolations
        self.unmatchedTriggers = unmatchedTriggers
        self.clockUncertainty = clockUncertainty
    }
}

/// What a recipe writes under `require`.
public struct RequireNeed: Sendable {
    /// The limits.
    public var limits: Requirements
    /// Where it asks for evidence; nil if it does not.
    public var proof: SourceRange?

    /// Creates a need; the defaults of ``Requirements``, and no evidence.
    public init(limits: Requirements = Requirements(), proof: SourceRange? = nil) {
        self.limits = limits
        self.proof = proof
    }
}

/// A limit that is a count: what it is called, and what it means.
package struct CountLimit: Sendable {
    /// Its key in recipes and plans.
    package let name: String
    package let path: any WritableKeyPath<Requirements, Int64?> & Sendable
    let summary: String
    /// Whether plans say null where it is not judged; later ones are left out, so that plans keep their hashes.
    var isAlwaysInPlans = false

    /// All of them, in the order of the reference.
    package static let all = [
        CountLimit(
            name: "dropped", path: \.dropped,
            summary: "Slots that may end without their frame, or `any`; 0 if left out.",
            isAlwaysInPlans: true),
        CountLimit(
            name: "lock_violations", path: \.lockViolations,
            summary:
                "Settings that may turn out different from what was locked, or `any`; 0 if left out.",
            isAlwaysInPlans: true),
        CountLimit(
            name: "unmatched_triggers", path: \.unmatchedTriggers,
            summary:
                "Edges without frame, frames without edge and waits that ran out, or `any`; 0 if left out.",
            isAlwaysInPlans: true),
        CountLimit(
            name: "late_pulses", path: \.latePulses,
            summary: "Switches of outputs that may come late, or `any`; not judged if left out."),
        CountLimit(
            name: "late_rounds", path: \.lateRounds,
            summary:
                "Rounds of `repeat` with `every` that may begin late, or `any`; not judged if left out."
        ),
        CountLimit(
            name: "saturated_frames", path: \.saturatedFrames,
            summary:
                "Frames that may have 1 % or more of their samples at full scale, or `any`; not judged if left out."
        ),
    ]
}
