internal import Devices
internal import Imaging
package import Recipes
package import TestSupport
package import Timebase

/// A plan as a tree, made from a seed; it is turned into a program here, and walked here.
package indirect enum PlanTree {
    case capture(count: Int, settings: Int, isLit: Bool, step: Int)
    case wait(Interval)
    case pulse(Interval)
    case edge(line: Int, within: Interval)
    case loop(count: Int, every: Interval, [PlanTree])
    /// Captures that belong together.
    case group(retries: Int, [PlanTree])

    /// What the walk of a tree gives for each slot.
    package struct Slot: Equatable {
        var settings: Int
        var isLit: Bool
        var step: Int
        /// Its place in its capture's one execution.
        var place: Int
        /// Numbers executions of captures, so that neighbours can be told.
        var execution: Int
        /// Whether an edge was waited for since the innermost round began, or further out.
        var followsEdge: Bool
        /// Whether its frame belongs together with others.
        var isGrouped: Bool
    }

    /// The slots of a list of steps, in order.
    package static func slots(of list: [PlanTree]) -> [Slot] {
        var walk = Walk()
        walk.walk(list, followsEdge: false)
        return walk.slots
    }

    private struct Walk {
        var slots: [Slot] = []
        var executions = 0

        mutating func walk(
            _ list: [PlanTree], followsEdge outer: Bool, isGrouped: Bool = false
        ) {
            var followsEdge = outer
            for node in list {
                switch node {
                case .capture(let count, let settings, let isLit, let step):
                    for place in 0..<count {
                        slots.append(
                            Slot(
                                settings: settings, isLit: isLit, step: step, place: place,
                                execution: executions, followsEdge: followsEdge,
                                isGrouped: isGrouped))
                    }
                    executions += 1
                case .edge: followsEdge = true
                case .loop(let count, _, let body):
                    for _ in 0..<count { walk(body, followsEdge: followsEdge) }
                case .group(_, let captures):
                    walk(captures, followsEdge: followsEdge, isGrouped: true)
                case .wait, .pulse: break
                }
            }
        }
    }

    /// The slots of each group whose numbers are known: those that stand outside loops.
    package static func groups(of list: [PlanTree]) -> [(slots: Range<Int>, retries: Int)] {
        var groups: [(slots: Range<Int>, retries: Int)] = []
        var next = 0
        for node in list {
            let count = slots(of: [node]).count
            if case .group(let retries, _) = node { groups.append((next..<next + count, retries)) }
            next += count
        }
        return groups
    }

    /// The instructions of a list of steps.
    package static func program(of list: [PlanTree]) -> [Instruction] {
        var program: [Instruction] = []
        lower(list, into: &program)
        return program
    }

    private static func lower(_ list: [PlanTree], into program: inout [Instruction]) {
        for node in list {
            switch node {
            case .capture(let count, let settings, let isLit, let step):
                program.append(
                    .capture(
                        count: Int64(count), settings: Int32(settings), lights: isLit ? 2 : 0,
                        step: Int32(step)))
            case .wait(let duration): program.append(.wait(duration, step: 0))
            case .pulse(let duration):
                program.append(.pulse(line: 3, duration: duration, step: 0))
            case .edge(let line, let within):
                program.append(.waitForEdge(line: Int32(line), within: within, step: 0))
            case .group(let retries, let captures):
                program.append(
                    .group(
                        slots: Int64(slots(of: captures).count), retries: Int32(retries), step: 0))
                lower(captures, into: &program)
            case .loop(let count, let every, let body):
                let start = program.count
                program.append(.endLoop(start: 0))
                lower(body, into: &program)
                program[start] = .loop(
                    count: Int64(count), every: every, end: Int32(program.count), step: 0)
                program.append(.endLoop(start: Int32(start)))
            }
        }
    }

    /// A list of steps from a seed, of at most `budget` slots.
    package static func random(
        _ random: inout SeededGenerator, budget: inout Int, depth: Int, settingsCount: Int
    ) -> [PlanTree] {
        var list: [PlanTree] = []
        for _ in 0...random.number(0...6) where budget > 0 {
            switch random.number(0...11) {
            case 0...4: list.append(capture(&random, budget: &budget, settingsCount))
            case 10, 11:
                // A bracket, of frames that belong together or not.
                var captures: [PlanTree] = []
                for _ in 0...random.number(0...6) where budget > 0 {
                    captures.append(capture(&random, budget: &budget, settingsCount))
                }
                let retries = Int(random.number(0...3))
                list += retries == 0 ? captures : [.group(retries: retries, captures)]
            case 5: list.append(.wait(.microseconds(random.number(0...40_000))))
            case 6: list.append(.pulse(.microseconds(random.number(1...30_000))))
            case 7:
                let isPatient = random.chance(30)
                list.append(
                    .edge(
                        line: random.chance(70) ? 0 : 2,
                        within: isPatient ? .seconds(2) : .microseconds(random.number(1...60_000))))
            default:
                guard depth < 4 else { continue }
                let count = Int(random.number(1...4))
                var inner = max(1, budget / count)
                let before = inner
                let body = Self.random(
                    &random, budget: &inner, depth: depth + 1, settingsCount: settingsCount)
                budget -= (before - inner) * count
                let every: Interval =
                    random.chance(50) ? .zero : .microseconds(random.number(1...90_000))
                list.append(.loop(count: count, every: every, body))
            }
        }
        return list
    }

    private static func capture(
        _ random: inout SeededGenerator, budget: inout Int, _ settingsCount: Int
    ) -> PlanTree {
        let count = random.chance(60) ? 1 : Int(random.number(1...Int64(min(budget, 9))))
        budget -= count
        return .capture(
            count: count, settings: Int(random.number(0...Int64(settingsCount - 1))),
            isLit: random.chance(15), step: Int(random.number(0...2)))
    }
}
