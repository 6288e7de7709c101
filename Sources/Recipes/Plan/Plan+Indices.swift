internal import Notation
internal import Timebase

extension Plan {
    /// Checks that every index points at something and that loops are nested properly, so that a cursor can walk the
    /// program.
    ///
    /// Plans from the compiler are sound; this is for files, which anybody may have changed. A cursor does not check
    /// anything itself: a loop whose end is elsewhere would make it run for ever or past its end.
    ///
    /// - Throws: ``JSONFault`` at the first instruction, still or trigger that points nowhere.
    func checkIndices() throws(JSONFault) {
        var open: [Int32] = []
        for (index, instruction) in program.enumerated() {
            guard isSound(instruction, at: index, in: &open) else {
                throw JSONFault("points nowhere, or is not nested properly")
                    .inside("[\(index)]").inside("program")
            }
        }
        guard open.isEmpty else { throw JSONFault("has a loop without end").inside("program") }
        guard stills.allSatisfy({ has($0.step) }) else {
            throw JSONFault("are of a step that is not there").inside("stills")
        }
        guard labels.allSatisfy({ has($0.step) }) else {
            throw JSONFault("are of a step that is not there").inside("labels")
        }
        if let line = camera.trigger?.line, !lines.indices.contains(Int(line)) {
            throw JSONFault("points nowhere").inside("camera.trigger.line")
        }
    }

    /// Whether an instruction points at what is there, and fits the loops that are open.
    ///
    /// - Parameter open: starts of the loops that have no end yet, the innermost last; kept up to date.
    private func isSound(_ instruction: Instruction, at index: Int, in open: inout [Int32]) -> Bool
    {
        switch instruction {
        case .capture(let count, let setting, _, let step):
            return count >= 1 && settings.indices.contains(Int(setting)) && has(step)
        case .pulse(let line, _, let step), .waitForEdge(let line, _, let step):
            return lines.indices.contains(Int(line)) && has(step)
        case .wait(_, let step): return has(step)
        case .loop(let count, _, let end, let step):
            open.append(Int32(truncatingIfNeeded: index))
            return count >= -1 && has(step) && Int(end) > index
                && program.indices.contains(Int(end)) && open.count <= PlanCursor.maximumDepth
                && program[Int(end)] == .endLoop(start: Int32(truncatingIfNeeded: index))
        case .endLoop(let start): return open.popLast() == start
        case .group(let slots, let retries, let step):
            return retries >= 1 && has(step) && captures(after: index, are: slots)
        case .restore(let setting, let step):
            return settings.indices.contains(Int(setting)) && has(step)
        }
    }

    /// Whether the captures right after an instruction have so many slots.
    ///
    /// A group of any other instructions could not be taken again: waits and pulses have happened.
    private func captures(after index: Int, are slots: Int64) -> Bool {
        var left = slots
        for instruction in program[(index + 1)...] where left > 0 {
            guard case .capture(let count, _, _, _) = instruction, count <= left else {
                return false
            }
            left -= count
        }
        return left == 0 && slots >= 1
    }

    private func has(_ step: Int32) -> Bool { steps.indices.contains(Int(step)) }
}
