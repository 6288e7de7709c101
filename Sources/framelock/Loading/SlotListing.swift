internal import Devices
internal import Notation
internal import Recipes
internal import Timebase

/// The first slots of a plan, for people and programs.
///
/// Times are the plan's expectation from the start of the stream, by the same figures as its estimate; they are no
/// promise of when a frame comes.
struct SlotListing {
    private let plan: Plan
    /// At most as many as were asked for; a plan may have a million million.
    private let entries: [PlanTimeline.Entry]
    /// Whether these are all slots of the plan.
    let isComplete: Bool

    /// Walks the plan for one slot more than is listed, which shows whether there are any.
    ///
    /// - Parameter maximum: how many slots to list, 0 and more.
    init(_ plan: Plan, maximum: Int) {
        self.plan = plan
        var timeline = PlanTimeline(plan)
        var entries: [PlanTimeline.Entry] = []
        while entries.count <= maximum, let entry = timeline.next() { entries.append(entry) }
        self.entries = Array(entries.prefix(maximum))
        isComplete = entries.count <= maximum
    }

    /// A table with a row a slot; rows that differ in nothing but the number are drawn together.
    ///
    /// Settings that no slot listed sets have no column.
    var lines: [String] {
        var rows: [[String]] = []
        var start = 0
        while start < entries.count {
            var end = start
            while end + 1 < entries.count, isSame(entries[end + 1].slot, entries[start].slot) {
                end += 1
            }
            rows.append(row(entries[start], to: entries[end]))
            start = end + 1
        }
        let head =
            ["slot", "about at", "step"] + ControlGroup.all.map(\.words) + ["rate", "lights"]
        let shown = head.indices.filter { column in
            column < 3 || rows.contains { !["-", ""].contains($0[column]) }
        }
        let table = ([head] + rows).map { row in shown.map { row[$0] } }
        let widths = shown.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        let lines = table.map { row in
            var text = zip(row, widths)
                .map { $0 + String(repeating: " ", count: $1 + 2 - $0.count) }.joined()
            while text.last == " " { text.removeLast() }
            return text
        }
        return isComplete ? lines : lines + ["… and more"]
    }

    /// One object a slot.
    var json: JSONValue {
        .array(
            entries.map { entry in
                let slot = entry.slot
                let settings = plan.settings[Int(slot.settings)]
                return [
                    "slot": .integer(slot.number),
                    "at_ns": .integer(entry.at.nanoseconds),
                    "waits_for_edge": .bool(entry.waitsForEdge),
                    "step": .string(plan.steps[Int(slot.step)]),
                    "requested": settings.requested.json,
                    "quantised": settings.quantised.json,
                    "lights": .array(lights(slot).map { .string($0) }),
                ]
            })
    }

    /// Whether two slots would make the same row but for number and time.
    private func isSame(_ a: PlanSlot, _ b: PlanSlot) -> Bool {
        a.step == b.step && a.settings == b.settings && a.lights == b.lights
    }

    /// A row for one slot, or for all from one entry to another, with the times of both.
    private func row(_ entry: PlanTimeline.Entry, to last: PlanTimeline.Entry) -> [String] {
        let first = entry.slot
        let settings = plan.settings[Int(first.settings)]
        let isOne = first.number == last.slot.number
        return [
            isOne ? "\(first.number)" : "\(first.number)–\(last.slot.number)",
            isOne ? time(entry) : "\(seconds(entry))–\(time(last))",
            plan.steps[Int(first.step)],
        ] + ControlGroup.all.map { both($0, settings) } + [
            settings.quantised.rate.map { "\($0)" } ?? "-",
            lights(first).joined(separator: "+"),
        ]
    }

    /// What is asked for, and what the device will have where that is different.
    ///
    /// `-` is a setting that is left to the camera, `current` one that is locked at whatever it is when the run begins.
    private func both(_ group: ControlGroup, _ settings: PlannedSettings) -> String {
        let (asked, had) = (
            settings.requested.words(of: group), settings.quantised.words(of: group)
        )
        return switch (settings.requested.kind(of: group), settings.quantised.kind(of: group)) {
        case (.free, _): "-"
        case (.value, .value) where asked != had: "\(asked) → \(had)"
        default: asked
        }
    }

    /// Seconds with a unit; a plus where an edge comes first, before which the slot can't begin.
    private func time(_ entry: PlanTimeline.Entry) -> String {
        "\(seconds(entry)) s\(entry.waitsForEdge ? "+" : "")"
    }

    /// Seconds with milliseconds, without a unit.
    private func seconds(_ entry: PlanTimeline.Entry) -> String {
        let milliseconds = (entry.at.nanoseconds + 500_000) / 1_000_000
        let fraction = String(1_000 + milliseconds % 1_000).dropFirst()
        return "\(milliseconds / 1_000).\(fraction)"
    }

    /// The names of the outputs that are active during the exposure: bit n of `lights` is line n of the plan.
    private func lights(_ slot: PlanSlot) -> [String] {
        plan.lines.indices.filter { slot.lights & (1 << UInt32($0)) != 0 }
            .map { plan.lines[$0].name }
    }
}
