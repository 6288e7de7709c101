public import Timebase

/// Walks a plan's program and numbers its slots.
///
/// A value of fixed size: advancing allocates nothing.
///
/// The engine walks the program with one to run it and with copies to look ahead; `verify` walks it again to number the
/// rows of the ledger. All of them number slots alike, since nothing but the program decides.
///
/// - Precondition: the program is sound, as the compiler makes it and ``Plan/checkIndices()`` checks it.
public struct PlanCursor: Sendable {
    /// What comes next in a plan.
    public enum Operation: BitwiseCopyable, Hashable, Sendable {
        /// The next slot.
        case slot(PlanSlot)
        /// An output pulse.
        case pulse(line: Int32, duration: Interval, step: Int32)
        /// A wait for time.
        case wait(Interval, step: Int32)
        /// A wait for an edge, `within` zero for ever.
        case waitForEdge(line: Int32, within: Interval, step: Int32)
        /// A round of a loop begins; `round` counts from 0, `depth` from 1.
        case roundStart(depth: Int, round: Int64, every: Interval, isEndless: Bool, step: Int32)
        /// A round of a loop ends.
        case roundEnd(depth: Int)
        /// The next slots belong together.
        case group(retries: Int32, slots: Int64, step: Int32)
        /// Settings are put back.
        case restore(settings: Int32)
        /// The program has ended.
        case end
    }

    /// Loops can be nested this deep; the compiler refuses more.
    public static let maximumDepth = 16

    /// A loop that the cursor is in: the index of its instruction, and its round from 0.
    private struct Loop {
        var start: Int32 = 0
        var round: Int64 = 0
    }

    /// Index of the next instruction; equal to the program's count at its end.
    private var position: Int32 = 0
    private var depth = 0
    private var loops = InlineArray<16, Loop>(repeating: Loop())
    /// Slots of the capture at ``position`` that were given out.
    private var captured: Int64 = 0
    /// Whether the loop at ``position`` was come back to from its end, instead of from before it.
    private var isAtRoundStart = false
    /// The number that the next slot gets.
    public private(set) var nextSlot: Int64 = 0

    /// Creates a cursor before the first instruction.
    public init() {}

    /// Whether one of the loops around the cursor never ends.
    ///
    /// Asked when a run ends early: the rounds of such a loop that have not begun are no slots of the plan.
    public func isInsideEndlessLoop(of program: Span<Instruction>) -> Bool {
        for level in 0..<depth {
            if case .loop(count: -1, _, _, _) = program[Int(loops[level].start)] { return true }
        }
        return false
    }

    /// The rounds of the loops that the cursor is in, from 0, the outermost first.
    public var rounds: [Int64] { (0..<depth).map { loops[$0].round } }

    /// Goes to the end of a program of so many instructions, whatever is left of it.
    ///
    /// Afterwards ``next(in:)`` returns ``Operation/end``, and ``nextSlot`` stands where it stood.
    public mutating func skipAll(of instructions: Int) {
        position = Int32(instructions)
        depth = 0
    }

    /// Takes the next operation of `program`, which must be the same at every call.
    ///
    /// A capture of many frames gives one slot at a call. At the end it returns ``Operation/end`` at every further
    /// call.
    public mutating func next(in program: Span<Instruction>) -> Operation {
        while Int(position) < program.count {
            switch program[Int(position)] {
            case .capture(let count, let settings, let lights, let step):
                let slot = PlanSlot(
                    number: nextSlot, settings: settings, lights: lights, step: step,
                    indexInStep: captured)
                nextSlot += 1
                captured += 1
                // Most captures are of one frame: then the next call finds the next instruction at once.
                if captured == count { (captured, position) = (0, position + 1) }
                return .slot(slot)
            case .pulse(let line, let duration, let step):
                position += 1
                return .pulse(line: line, duration: duration, step: step)
            case .wait(let duration, let step):
                position += 1
                return .wait(duration, step: step)
            case .waitForEdge(let line, let within, let step):
                position += 1
                return .waitForEdge(line: line, within: within, step: step)
            case .loop(let count, let every, let end, let step):
                if let operation = enterRound(count: count, every: every, end: end, step: step) {
                    return operation
                }
            case .group(let slots, let retries, let step):
                position += 1
                return .group(retries: retries, slots: slots, step: step)
            case .restore(let settings, _):
                position += 1
                return .restore(settings: settings)
            case .endLoop(let start):
                let ended = depth
                loops[depth - 1].round += 1
                position = start
                isAtRoundStart = true
                return .roundEnd(depth: ended)
            }
        }
        return .end
    }

    /// Starts the loop at `position`, or its next round, or leaves it.
    ///
    /// - Returns: nil if the loop is over; ``position`` is behind its end then.
    private mutating func enterRound(
        count: Int64, every: Interval, end: Int32, step: Int32
    ) -> Operation? {
        if isAtRoundStart {
            isAtRoundStart = false
        } else {
            loops[depth] = Loop(start: position, round: 0)
            depth += 1
        }
        let round = loops[depth - 1].round
        if count >= 0, round >= count {
            depth -= 1
            position = end + 1
            return nil
        }
        position += 1
        return .roundStart(
            depth: depth, round: round, every: every, isEndless: count < 0, step: step)
    }
}

/// One planned frame.
public struct PlanSlot: BitwiseCopyable, Hashable, Sendable {
    /// Its number, from 0.
    public var number: Int64
    /// Index into the plan's settings.
    public var settings: Int32
    /// The outputs that are active during its exposure, bit = line.
    public var lights: UInt32
    /// Index into the plan's steps.
    public var step: Int32
    /// Its place among the frames of its step's one execution, from 0; restarts in each round of a loop.
    public var indexInStep: Int64

    /// Creates a slot.
    public init(
        number: Int64, settings: Int32, lights: UInt32, step: Int32, indexInStep: Int64
    ) {
        self.number = number
        self.settings = settings
        self.lights = lights
        self.step = step
        self.indexInStep = indexInStep
    }
}
