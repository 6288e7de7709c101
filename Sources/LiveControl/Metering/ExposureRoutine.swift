public import Devices
public import Imaging

/// Automatic exposure: meters frames, and chooses exposure and gain so that the level meets its target.
///
/// One change at a time: only frames whose exposure and gain are certainly the last ones written count, so that nothing
/// is answered twice. On a linear sensor one change lands; three good frames on end confirm it.
public struct ExposureRoutine: MeteringRoutine, Hashable {
    /// How exact it is, and how patient.
    public struct Tolerance: Hashable, Sendable {
        /// How far from the target is good enough, in thousandths of an EV.
        public var offsetThousandths: Int64
        /// Good frames on end that confirm it.
        public var goodFrames: Int
        /// Changes after which it gives up.
        public var changes: Int

        /// Creates a tolerance; the usual one is 0.1 EV, 3 frames, 12 changes.
        public init(offsetThousandths: Int64 = 100, goodFrames: Int = 3, changes: Int = 12) {
            precondition(offsetThousandths > 0 && goodFrames > 0 && changes > 0, "more than none")
            self.offsetThousandths = offsetThousandths
            self.goodFrames = goodFrames
            self.changes = changes
        }
    }

    /// Biases that can be asked for, in thousandths of an EV.
    public static let biases: ClosedRange<Int64> = -8_000...8_000

    /// Whether it runs once or goes on.
    public let mode: RoutineMode
    /// What of the frame counts.
    public let region: MeteringRegion
    /// How exposure is split.
    public let programme: ExposureProgramme
    /// How exact it is.
    public let tolerance: Tolerance
    /// Gains that samples do not have yet, for raw sensors; luminance is that of balanced colours.
    public var pendingGains = ChannelGains.unity

    /// Where it stands.
    public internal(set) var state: RoutineState = .metering
    /// How it ended; nil while it runs.
    public internal(set) var outcome: RoutineOutcome?
    /// What keeps it from its target; nil if nothing does.
    public internal(set) var limit: RoutineLimit?
    /// The level of the last frame; nil before one was measured.
    public internal(set) var level: MeteredLevel?
    /// The target in 10⁻⁹ of full scale.
    public let target: Int64
    /// What the target is raised by, in thousandths of an EV.
    public internal(set) var biasThousandths: Int64

    let exposure: ExposureModel?
    let gain: GainModel?
    let weights: MeteringWeights
    var progress = Progress()

    /// What it remembers from frame to frame.
    struct Progress: Hashable {
        /// What was written last, until frames show it.
        var written: FrameSettings?
        /// What exposure and gain amount to: those written last, or else those of the last frame.
        var amount: ExposureAmount?
        var changes = 0
        var refinements = 0
        var goodFrames = 0
        var stuckFrames = 0
        /// Frames on end that were too far off to stay converged.
        var offFrames = 0
        /// Whether it converged and holds on, in continuous mode.
        var isHolding = false
        /// Where it was locked, once a bias moved it from there.
        var base: Base?

        /// An amount, the settings that it was split into if they are known, and the bias that it was right for.
        struct Base: Hashable {
            var amount: ExposureAmount
            var settings: FrameSettings?
            var biasThousandths: Int64
        }
    }

    /// Creates the routine.
    ///
    /// - Parameters:
    ///   - profile: the camera; what it can't set is left as it is.
    ///   - mode: once, or going on.
    ///   - region: what of the frame counts.
    ///   - programme: how exposure is split.
    ///   - bias: in thousandths of an EV, in ``biases``.
    ///   - target: in 10⁻⁹ of full scale.
    ///   - tolerance: how exact it is.
    public init(
        profile: CameraProfile, mode: RoutineMode = .auto, region: MeteringRegion = .init(),
        programme: ExposureProgramme = .init(), biasThousandths bias: Int64 = 0,
        target: Int64 = MeteredLevel.middleGrey, tolerance: Tolerance = .init()
    ) {
        precondition(Self.biases.contains(bias), "the bias was checked")
        precondition(target > 0, "a target is above black")
        exposure = profile.exposure
        gain = profile.gain
        self.mode = mode
        self.region = region
        self.programme = programme
        self.tolerance = tolerance
        self.target = target
        biasThousandths = bias
        weights = region.weights
    }

    /// How far the last frame was from the target in thousandths of an EV, positive if brighter; live in every state.
    public var offsetThousandths: Int64? {
        level?.offset(target: target, biasThousandths: biasThousandths)
    }
}
