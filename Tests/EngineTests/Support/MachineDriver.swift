import Devices
import ProvingGround
import Recipes
import Records
import Timebase

@testable import Engine

/// Feeds a machine by hand and collects what it wants done, as a runner would do it.
///
/// Frame k of the story is read out at `origin` + (k + 1) periods of 10 ms, and noticed 2 ms later.
final class MachineDriver {
    static let origin = Instant<Monotonic>(nanoseconds: 1_000_000_000_000)

    private(set) var rows: [LedgerRow] = []
    private(set) var recorded: [UInt32] = []
    private(set) var released: [UInt32] = []
    private(set) var events: [RunEvent] = []
    private(set) var writes: [SettingsWrite] = []
    private(set) var writeTimes: [Instant<Monotonic>] = []
    private(set) var readBacks: [SettingsWrite] = []
    /// Frames that wait for their group to be whole.
    private(set) var held: [(row: LedgerRow, frame: DequeuedFrame)] = []
    private(set) var outputs: [(line: Int32, active: Bool, planned: Instant<Monotonic>)] = []
    private(set) var ending: RunEnding?
    private(set) var now = origin
    private(set) var actionsPerTurn = 0

    /// How long a write of settings takes, and what it answers.
    var writeDuration = Interval.zero
    var refusal: Int32 = 0
    var applied: (Int32) -> AppliedSettings = {
        AppliedSettings(exposure: SamplePlan.exposure($0))
    }
    /// Whether switching outputs works.
    var outputsWork = true

    private var machine: RunMachine
    private var queue = ActionQueue()

    init(_ sample: SamplePlan, start: Bool = true) throws {
        let plan = try sample.plan()
        machine = RunMachine(
            plan: plan, session: ClockRelation(sessionStart: Self.origin),
            promisedRate: sample.rate)
        if start {
            feed(
                .started(
                    settingsWritten: Self.origin - .milliseconds(1),
                    applied: AppliedSettings(exposure: SamplePlan.exposure(0))))
        }
    }

    var frames: [LedgerRow] { rows.filter { $0.reason == nil } }
    var reasons: [HoleReason?] { rows.map(\.reason) }
    /// Device sequences of all rows, in order of slots.
    var sequences: [UInt32?] { rows.map(\.deviceSequence) }
    var hasMore: Bool { machine.hasMore }
    var nextDeadline: Instant<Monotonic> { machine.nextDeadline }

    /// A moment of the story.
    static func at(_ milliseconds: Int64, microseconds: Int64 = 0) -> Instant<Monotonic> {
        origin + .milliseconds(milliseconds) + .microseconds(microseconds)
    }

    /// Feeds an event, then does everything that the machine wants.
    func feed(_ event: EngineEvent, at time: Instant<Monotonic>? = nil) {
        now = max(now, time ?? now)
        machine.handle(event, at: now, into: &queue)
        carryOut()
        while ending == nil, machine.hasMore { tick() }
    }

    /// Feeds an event and carries out what it gives, without the turns that follow.
    func feedOnce(_ event: EngineEvent) {
        machine.handle(event, at: now, into: &queue)
        carryOut()
    }

    func tick(at time: Instant<Monotonic>? = nil) {
        now = max(now, time ?? now)
        machine.handle(.tick, at: now, into: &queue)
        carryOut()
    }

    /// Lets time pass to a moment, stopping at every deadline on the way.
    func pass(to time: Instant<Monotonic>) {
        while ending == nil, machine.nextDeadline <= time {
            tick(at: max(now, machine.nextDeadline))
        }
        now = max(now, time)
    }

    /// The frame of place `place` on the timeline, with a sequence of its own where the camera lost some in silence;
    /// or `overslept` by a host that missed every deadline before it.
    func frame(
        _ place: Int, sequence: UInt32? = nil, late: Interval = .zero, damaged: Bool = false,
        hasRoom: Bool = true, embedded: EmbeddedData? = nil, overslept: Bool = false
    ) {
        let timestamp = Self.origin + SamplePlan.period * Int64(place + 1) + late
        if overslept {
            now = max(now, timestamp + .milliseconds(2))
        } else {
            pass(to: timestamp + .milliseconds(2))
        }
        feed(
            .frame(
                DequeuedFrame(
                    buffer: 0, sequence: sequence ?? UInt32(truncatingIfNeeded: place),
                    timestamp: timestamp, embedded: embedded, byteCount: 32, isDamaged: damaged),
                hasRoom: hasRoom))
    }

    func frames(_ places: some Sequence<Int>) { for place in places { frame(place) } }

    /// An edge, noticed 0.1 ms after it came.
    func edge(_ number: UInt32, at time: Instant<Monotonic>, line: Int32 = 0) {
        pass(to: time + .microseconds(100))
        feed(
            .edge(LineEdge(line: line, isRising: true, timestamp: time, lineSequence: number)))
    }

    private func carryOut() {
        actionsPerTurn = 0
        while let action = queue.pop() {
            actionsPerTurn += 1
            perform(action)
        }
    }

    private func perform(_ action: EngineAction) {
        switch action {
        case .write(let write):
            writes.append(write)
            writeTimes.append(now)
            let begun = now
            now = now + writeDuration
            machine.handle(
                .settingsWritten(write, begun: begun, errno: refusal), at: now, into: &queue)
        case .readBack(let write):
            readBacks.append(write)
            machine.handle(
                .settingsRead(write, applied: applied(write.settings)), at: now, into: &queue)
        case .hold(let row, let frame): held.append((row, frame))
        case .recordHeld:
            rows += held.map(\.row)
            recorded += held.map(\.frame.sequence)
            held = []
        case .discardHeld:
            released += held.map(\.frame.sequence)
            held = []
        case .setOutput(let line, let active, let planned):
            outputs.append((line, active, planned))
            machine.handle(
                .outputSet(line: line, active: active, planned: planned, succeeded: outputsWork),
                at: now, into: &queue)
        case .record(let row, let frame):
            rows.append(row)
            recorded.append(frame.sequence)
        case .recordHole(let row): rows.append(row)
        case .release(let frame): released.append(frame.sequence)
        case .log(let event, _): events.append(event)
        case .finish(let ending): self.ending = ending
        }
    }
}
