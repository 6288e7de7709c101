public import Devices

/// Where a routine stands.
public enum RoutineState: String, Hashable, Sendable, CaseIterable {
    /// Far from its aim, or given up.
    case diverged
    /// At work.
    case metering
    /// At its aim, and watching.
    case converged
    /// Keeps what it has and writes nothing.
    case locked
}

/// Whether a routine runs once or goes on.
public enum RoutineMode: String, Hashable, Sendable, CaseIterable {
    /// Once, then locked.
    case auto
    /// Until it is locked.
    case continuous
}

/// How a routine ended.
public enum RoutineOutcome: Hashable, Sendable {
    /// At its aim.
    case converged
    /// As near to its aim as the camera can come, and why no nearer.
    case limited(RoutineLimit)
    /// Not at its aim, and why.
    case diverged(RoutineFailure)
}

/// What kept a routine from its aim.
public enum RoutineLimit: String, Hashable, Sendable, CaseIterable {
    /// The longest exposure and the largest gain allowed are too little.
    case tooDark = "too dark"
    /// The shortest exposure and the smallest gain are too much.
    case tooBright = "too bright"
    /// The camera's steps are coarser than the tolerance.
    case coarseSteps = "coarse steps"
    /// It is sharpest at the end of the search range, and may be sharper beyond.
    case endOfRange = "end of range"
    /// A gain or temperature that the camera doesn't have is needed.
    case balanceRange = "white balance out of range"
}

/// Why a routine gave up.
public enum RoutineFailure: String, Hashable, Sendable, CaseIterable {
    /// Twelve changes did not lead there: the light changes, or the settings do not do what they should.
    case unsteady
    /// The contrast does not change with the lens.
    case flat
    /// The lens did not find its best place again.
    case notRepeated = "not repeated"
    /// Too little of the frame is neither black nor white.
    case nothingUsable = "nothing usable"
    /// Such a light has no place on the camera's colour curve.
    case noTemperature = "no colour temperature"
}

/// What a routine wants done.
public enum MeteringDecision: Hashable, Sendable {
    /// Nothing; more frames.
    case wait
    /// These settings, which are the camera's own already; what is free stays as it is.
    case write(FrameSettings)
    /// Nothing more: it is done. Said once.
    case finish(RoutineOutcome)
}

/// A metering routine: the same measurements give the same decisions, everywhere.
///
/// After a `write`, frames count again from the first whose certain settings are the written ones; the caller need not
/// hold back others.
public protocol MeteringRoutine: Sendable {
    /// Where it stands.
    var state: RoutineState { get }
    /// How it ended; nil while it runs.
    var outcome: RoutineOutcome? { get }
    /// Takes a frame's measurement, in order of frames.
    mutating func handle(_ measurement: MeterReading) -> MeteringDecision
    /// Keeps the current settings from now on.
    mutating func lock()
    /// Restarts from where it is.
    mutating func unlock()
}
