public import Timebase

/// Reads and writes that belong together, in their order.
public struct ControlExchange: Hashable, Sendable {
    /// One step of an exchange.
    public enum Step: Hashable, Sendable {
        /// Reads a control and keeps its code for ``writeKept(_:)``.
        case keep(CameraControl)
        /// Writes in one call; a control that the camera does not have is passed over if it is optional.
        case write([ControlValue], isOptional: Bool)
        /// Writes what was kept.
        case writeKept([CameraControl])
        /// Reads a control back, for the state.
        case read(CameraControl)
    }

    /// The steps.
    public var steps: [Step]

    /// Creates an exchange.
    public init(_ steps: [Step] = []) {
        self.steps = steps
    }
}

/// What came of an exchange.
public struct ExchangeResult: Hashable, Sendable {
    /// What was read back, in order.
    public var found: [ControlValue]
    /// When the last write returned.
    public var writtenAt: Instant<Monotonic>
    /// Why it was broken off; nil if every step was done.
    public var failure: CameraError?

    /// Creates a result.
    public init(
        found: [ControlValue] = [], writtenAt: Instant<Monotonic>, failure: CameraError? = nil
    ) {
        self.found = found
        self.writtenAt = writtenAt
        self.failure = failure
    }
}

/// How a lens is brought to a position, so that it comes to rest at the same place each time.
///
/// Lenses on voice coils and gears stand a little elsewhere when they come from the other side. An approach always
/// ends with a move from one declared side, if necessary after a move beyond the position.
public struct LensApproach: Hashable, Sendable {
    /// The side that the last move comes from.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        case near, far
    }

    /// The side that the last move comes from.
    public var side: Side
    /// How far beyond the position the lens goes first, in millionths of its range.
    public var overTravelMillionths: Int64
    /// How long the lens rests there.
    public var settle: Interval

    /// Creates an approach.
    public init(side: Side, overTravelMillionths: Int64, settle: Interval) {
        self.side = side
        self.overTravelMillionths = overTravelMillionths
        self.settle = settle
    }

    /// The positions to go to, in order; the last one is the target.
    ///
    /// The first one is left out if the lens already comes from far enough on the right side; it stays within the
    /// lens's range, since there is nothing beyond an end.
    func moves(from start: LensPosition?, to target: LensPosition) -> [LensPosition] {
        let beyond =
            side == .near
            ? max(0, target.millionths - overTravelMillionths)
            : min(1_000_000, target.millionths + overTravelMillionths)
        if let start {
            let isFarEnough =
                side == .near ? start.millionths <= beyond : start.millionths >= beyond
            if isFarEnough || start == target { return [target] }
        }
        guard let first = LensPosition(millionths: beyond), first != target else { return [target] }
        return [first, target]
    }
}
