internal import Cameras
internal import Lines
internal import Notation
internal import Recipes
internal import Timebase

/// The first slots of a plan, for people and programs.
struct SlotListing {
    private let plan: Plan
    private let slots: [PlanSlot]
    /// Whether these are all slots of the plan.
    let isComplete: Bool

    init(_ plan: Plan, maximum: Int) {
        self.plan = plan
        var slots: [PlanSlot] = []
        var cursor = PlanCursor()
        var isComplete = false
        // A loop around nothing but waits has no slots, so operations are limited as well.
        var operationsLeft = maximum * 64 + 10_000
        while slots.count <= maximum, operationsLeft > 0, !isComplete {
            operationsLeft -= 1
            switch cursor.next(in: plan.program.span) {
            case .slot(let slot): slots.append(slot)
            case .end: isComplete = true
            default: break
            }
        }
        self.slots = Array(slots.prefix(maximum))
        self.isComplete = isComplete && slots.count <= maximum
    }

    /// A table with a row a slot; rows that differ in nothing but the number are drawn together.
    var lines: [String] {
        var rows = [columns("slot", "step", "exposure", "gain", "lens", "lights")]
        var start = 0
        while start < slots.count {
            var end = start
            while end + 1 < slots.count, isSame(slots[end + 1], slots[start]) { end += 1 }
            rows.append(row(slots[start], to: slots[end]))
            start = end + 1
        }
        if !isComplete { rows.append("… and more") }
        return rows
    }

    /// One object a slot.
    var json: JSONValue {
        .array(
            slots.map { slot in
                let settings = plan.settings[Int(slot.settings)]
                return [
                    "slot": .integer(slot.number),
                    "step": .string(plan.steps[Int(slot.step)]),
                    "requested": settings.requested.json,
                    "quantised": settings.quantised.json,
                    "lights": .array(lights(slot).map { .string($0) }),
                ]
            })
    }

    private func isSame(_ a: PlanSlot, _ b: PlanSlot) -> Bool {
        a.step == b.step && a.settings == b.settings && a.lights == b.lights
    }

    private func row(_ first: PlanSlot, to last: PlanSlot) -> String {
        let settings = plan.settings[Int(first.settings)]
        let number =
            first.number == last.number ? "\(first.number)" : "\(first.number)–\(last.number)"
        return columns(
            number, plan.steps[Int(first.step)],
            both(settings.requested.exposure, settings.quantised.exposure),
            both(settings.requested.gain, settings.quantised.gain),
            both(settings.requested.lens, settings.quantised.lens),
            lights(first).joined(separator: "+"))
    }

    /// What is asked for, and what the device will have where that is different.
    private func both<Value: CustomStringConvertible>(
        _ requested: Setting<Value>, _ quantised: Setting<Value>
    ) -> String {
        switch (requested, quantised) {
        case (.free, _): "-"
        case (.current, _): "current"
        case (.value(let asked), .value(let had)) where asked != had: "\(asked) → \(had)"
        case (.value(let asked), _): "\(asked)"
        }
    }

    private func lights(_ slot: PlanSlot) -> [String] {
        plan.lines.indices.filter { slot.lights & (1 << UInt32($0)) != 0 }
            .map { plan.lines[$0].name }
    }

    private func columns(_ cells: String...) -> String {
        let widths = [11, 22, 22, 18, 22]
        var text = ""
        for (index, cell) in cells.enumerated() {
            text += cell
            if index < widths.count {
                text += String(repeating: " ", count: max(1, widths[index] - cell.count))
            }
        }
        while text.last == " " { text.removeLast() }
        return text
    }
}
