internal import Devices
public import Timebase

/// How long a plan takes, how many slots it has and how many bytes it records, as far as that is known before the run.
public struct PlanEstimate: Hashable, Sendable {
    /// Slots; nil for an endless plan.
    public private(set) var slots: Int64?
    /// Expected duration; nil for an endless plan.
    ///
    /// Waits for edges count as nothing: see ``waitsForEdges``.
    public private(set) var duration: Interval?
    /// Bytes of pixels as they are recorded, without ledger, log and what fills the blocks of the disk; nil for an
    /// endless plan.
    public private(set) var bytes: Int64?
    /// Whether the duration also depends on edges from outside.
    public private(set) var waitsForEdges = false
    /// Edges that a triggered camera is warmed up with: their frames, the first of the stream, make no row.
    public private(set) var warmUpEdges: Int64 = 0
    /// Whether the duration is known only if the camera keeps a rate that the recipe does not ask for.
    public private(set) var assumesRate = false

    /// Estimates a plan.
    ///
    /// Frames follow each other at the recipe's rate (30 fps where it names none). Changing settings costs nothing
    /// between frames that follow each other where they can be written ahead; elsewhere it costs the frames until they
    /// are surely in force: the latency, and one that is being exposed at the time of the write. A lens that moves is
    /// waited for.
    ///
    /// - Complexity: O(instructions), whatever the counts of loops.
    /// - Parameters:
    ///   - plan: the plan.
    ///   - bytesPerFrame: of a frame in the record's layout; 0 for who does not ask for bytes.
    public init(_ plan: Plan, bytesPerFrame: Int) {
        let rate = plan.camera.configuration.rate
        if plan.camera.trigger != nil { warmUpEdges = Int64(plan.camera.profile.framesBeforeUse) }
        assumesRate = rate == nil && plan.camera.profile.timing == nil
        var walker = EstimateWalker(plan)
        let nanoseconds = walker.nanoseconds()
        waitsForEdges = walker.waitsForEdges
        if !walker.isEndless {
            let count = plan.program.numberedSlots
            slots = count
            duration = Interval(nanoseconds: Int64(clamping: nanoseconds))
            bytes = Int64(clamping: Int128(count) * Int128(bytesPerFrame))
        }
    }
}
