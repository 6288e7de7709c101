public import Timebase

/// One instruction of a plan.
///
/// Plain bits: walking a program allocates nothing.
///
/// Numbers are indices into the tables of the same ``Plan``: `settings`, `line` and `step`. ``Plan/checkIndices()``
/// holds them against it where a plan is read from a file.
public enum Instruction: BitwiseCopyable, Hashable, Sendable {
    /// Takes `count` frames with one set of settings; the outputs in `lights` (bit = line) are active during each
    /// exposure.
    case capture(count: Int64, settings: Int32, lights: UInt32, step: Int32)
    /// Makes an output active for a time.
    case pulse(line: Int32, duration: Interval, step: Int32)
    /// Waits.
    case wait(Interval, step: Int32)
    /// Waits for an edge; `within` of zero waits for ever. When it runs out, the rest of the innermost loop's round
    /// is left out (the rest of the sequence, outside loops).
    case waitForEdge(line: Int32, within: Interval, step: Int32)
    /// Starts a loop of `count` rounds, −1 for ever; each starts `every` after the last one's start, where that is
    /// not zero. `end` is the index of its ``endLoop``.
    case loop(count: Int64, every: Interval, end: Int32, step: Int32)
    /// Ends the round of the loop that starts at `start`.
    case endLoop(start: Int32)
    /// The captures that follow, of so many slots in all, belong together: if a frame of them is lost or uncertain,
    /// all are taken again, at most `retries` times.
    case group(slots: Int64, retries: Int32, step: Int32)
    /// Puts settings back that a bracket changed; as the last instruction it names those that the camera is left with.
    case restore(settings: Int32, step: Int32)
}
