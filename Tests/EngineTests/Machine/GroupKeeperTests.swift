import Devices
import Recipes
import Records
import Testing
import Timebase

@testable import Engine

/// Frames that belong together, without a camera.
struct GroupKeeperTests {
    private static let now = Instant<Monotonic>(nanoseconds: 0)

    private func row(_ slot: Int64, _ reason: HoleReason? = nil) -> LedgerRow {
        LedgerRow(slot: slot, step: 0, settings: 0, reason: reason)
    }

    private func frame(_ number: UInt32) -> DequeuedFrame {
        DequeuedFrame(
            buffer: 0, sequence: number, timestamp: Self.now, embedded: nil, byteCount: 1,
            isDamaged: false)
    }

    private func taken(_ actions: inout ActionQueue) -> [String] {
        var found: [String] = []
        while let action = actions.pop() {
            switch action {
            case .record(let row, _): found.append("record \(row.slot)")
            case .hold(let row, _): found.append("hold \(row.slot)")
            case .recordHeld: found.append("record held")
            case .discardHeld: found.append("discard held")
            case .recordHole(let row): found.append("hole \(row.slot)")
            case .log(.groupRepeated(_, let slot, let attempt), _):
                found.append("repeated \(slot) attempt \(attempt)")
            case .log(.groupPartial(_, let slot, let frames, let slots), _):
                found.append("partial \(slot): \(frames) of \(slots)")
            default: found.append("something else")
            }
        }
        return found
    }

    @Test func `rows outside a group pass, those of a group wait until it is whole`() {
        var groups = GroupKeeper()
        var actions = ActionQueue()
        groups.keep(row(0), frame(0), Self.now, &actions)
        groups.begin(retries: 1, slots: 2, step: 0, at: PlanCursor())
        groups.keep(row(1), frame(1), Self.now, &actions)
        groups.keep(row(2), frame(2), Self.now, &actions)
        groups.lose(row(3, .dropped), Self.now, &actions)
        let found = taken(&actions)
        #expect(found == ["record 0", "hold 1", "hold 2", "record held", "hole 3"])
    }

    @Test func `a group is taken again as often as it may, each after all that was written before`()
    {
        var groups = GroupKeeper()
        var actions = ActionQueue()
        groups.begin(retries: 1, slots: 2, step: 0, at: PlanCursor())
        let first = groups.settlesAfter
        groups.keep(row(0), frame(0), Self.now, &actions)
        let start = groups.retry(after: 17, Self.now, &actions)
        let second = groups.settlesAfter
        #expect(first == -1 && start?.nextSlot == 0 && second == 17)
        // The last attempt: nothing is held any more, and nothing can be given up.
        groups.keep(row(0), frame(3), Self.now, &actions)
        let later = groups.settlesAfter
        let again = groups.retry(after: 18, Self.now, &actions)
        groups.lose(row(1, .dropped), Self.now, &actions)
        #expect(later == -1 && again == nil)
        let found = taken(&actions)
        #expect(
            found == [
                "hold 0", "discard held", "repeated 0 attempt 1", "record 0", "hole 1",
                "partial 0: 1 of 2",
            ])
    }

    @Test func `what is held comes before the hole that ends its group early`() {
        var groups = GroupKeeper()
        var actions = ActionQueue()
        groups.begin(retries: 3, slots: 3, step: 0, at: PlanCursor())
        groups.keep(row(0), frame(0), Self.now, &actions)
        groups.lose(row(1, .dropped), Self.now, &actions)
        groups.close(Self.now, &actions)
        groups.close(Self.now, &actions)
        let found = taken(&actions)
        #expect(found == ["hold 0", "record held", "hole 1", "partial 0: 1 of 3"])
    }
}
