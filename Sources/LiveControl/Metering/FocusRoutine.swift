public import Devices

/// Automatic focus by contrast: a coarse sweep, a fine one around its best place, then the top of a parabola.
///
/// Every place that counts is approached from one side, with over-travel, because lenses have play; the result is
/// verified. Exposure, gain and white balance are to stay as they are meanwhile.
public struct FocusRoutine: MeteringRoutine, Hashable {
    /// Whether it runs once or goes on.
    public let mode: RoutineMode
    /// Where and how it searches.
    public let search: FocusSearch
    /// Where it stands.
    public internal(set) var state: RoutineState = .metering
    /// How it ended; nil while it runs.
    public internal(set) var outcome: RoutineOutcome?
    /// What keeps it from its aim; nil if nothing does.
    public internal(set) var limit: RoutineLimit?
    /// The place that it found, as the camera has it; nil before.
    public internal(set) var found: LensPosition?

    let model: FocusModel
    /// The searched positions in millionths, of those that the attached camera takes.
    let limits: ClosedRange<Int64>
    var phase: Phase = .idle
    /// Where the lens was before the search; nil if that was not certain.
    var previous: LensPosition?
    /// What was written last.
    var written: LensPosition?
    /// Where the lens is to go from the over-travel that was written.
    var destination: LensPosition?
    /// The smallest and the largest score of the search, each of a whole place.
    var scores: ClosedRange<Int64>?
    /// Fine sweeps so far in this search.
    var fineSweeps = 0

    /// What is going on.
    enum Phase: Hashable {
        case idle
        case coarse(FocusSweep)
        case fine(FocusSweep)
        /// At the place that was found: best score so far, and whether this is the second attempt.
        case verifying(FocusSweep, best: Int64, isRetry: Bool)
        /// Going back to where the lens was.
        case restoring(RoutineFailure)
        /// In continuous mode: the first score here, and frames on end that were far from it.
        case holding(score: Int64?, offFrames: Int)
    }

    /// Creates the routine.
    ///
    /// The point of interest belongs to the meter (``MeteringRegion/meter(format:size:blackLevel:subjects:)``).
    ///
    /// - Returns: nil if the camera's lens does not move.
    public init?(profile: CameraProfile, mode: RoutineMode = .auto, search: FocusSearch = .init()) {
        guard let model = profile.focus else { return nil }
        self.model = model
        self.mode = mode
        self.search = search
        let codes = model.liveCodes.map { [$0.minimum, $0.maximum] } ?? []
        let ends = codes.compactMap { model.position(ofCode: $0)?.millionths }
        let taken = ends.count == 2 ? min(ends[0], ends[1])...max(ends[0], ends[1]) : 0...1_000_000
        limits = search.limits.clamped(to: taken)
    }

    /// Whether the lens is being moved.
    public var isAdjusting: Bool { state == .metering }

    /// Keeps the lens where it is.
    public mutating func lock() { state = .locked }

    /// Searches again.
    public mutating func unlock() {
        (state, outcome, limit, phase) = (.metering, nil, nil, .idle)
    }

    /// The camera's position nearest to one.
    func achieved(_ millionths: Int64) -> LensPosition {
        let inside = min(max(millionths, 0), 1_000_000)
        guard let asked = LensPosition(millionths: inside) else {
            preconditionFailure("a position inside its range is a position")
        }
        let code = model.code(for: asked)
        let taken = model.liveCodes?.nearestInside(Int128(code), over: 1) ?? code
        return model.position(ofCode: taken) ?? asked
    }
}
