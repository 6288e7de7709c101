import Devices
import Imaging
import Notation
import Recipes
import TestSupport
import Timebase

/// A random program as a tree, which is flattened for the cursor and expanded by recursion for the oracle.
indirect enum PlanTree {
    case capture(Int64, settings: Int32)
    case pulse
    case wait(Int64)
    case edge
    case loop(Int64, everyNanoseconds: Int64, [PlanTree])

    /// A list of 1 to 4 nodes.
    static func list(depth: Int, random: inout SeededGenerator) -> [PlanTree] {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &random) {
            case 0, 1:
                return .capture(
                    Int64.random(in: 1...4, using: &random),
                    settings: Int32.random(in: 0..<3, using: &random))
            case 2: return .pulse
            case 3: return .wait(Int64.random(in: 0...9_000_000, using: &random))
            case 4: return .edge
            default:
                return .loop(
                    Int64.random(in: 0...4, using: &random),
                    everyNanoseconds: Bool.random(using: &random)
                        ? Int64.random(in: 1...400_000_000, using: &random) : 0,
                    list(depth: depth - 1, random: &random))
            }
        }
    }

    /// Writes a list out as instructions.
    static func flatten(_ list: [PlanTree], into program: inout [Instruction]) {
        for node in list {
            switch node {
            case .capture(let count, let settings):
                program.append(.capture(count: count, settings: settings, lights: 5, step: 1))
            case .pulse: program.append(.pulse(line: 0, duration: .milliseconds(3), step: 2))
            case .wait(let time): program.append(.wait(.nanoseconds(time), step: 3))
            case .edge: program.append(.waitForEdge(line: 1, within: .seconds(1), step: 4))
            case .loop(let count, let every, let body):
                let start = program.count
                program.append(.endLoop(start: 0))
                flatten(body, into: &program)
                let end = Int32(program.count)
                program.append(.endLoop(start: Int32(start)))
                program[start] = .loop(
                    count: count, every: .nanoseconds(every), end: end, step: 0)
            }
        }
    }

    /// Writes a list out as what a cursor must say, at most `limit` operations.
    static func expand(
        _ list: [PlanTree], depth: Int = 0, slot: inout Int64, limit: Int,
        into operations: inout [PlanCursor.Operation]
    ) {
        for node in list where operations.count < limit {
            switch node {
            case .capture(let count, let settings):
                for index in 0..<count {
                    operations.append(
                        .slot(
                            PlanSlot(
                                number: slot, settings: settings, lights: 5, step: 1,
                                indexInStep: index)))
                    slot += 1
                }
            case .pulse:
                operations.append(.pulse(line: 0, duration: .milliseconds(3), step: 2))
            case .wait(let time): operations.append(.wait(.nanoseconds(time), step: 3))
            case .edge:
                operations.append(.waitForEdge(line: 1, within: .seconds(1), step: 4))
            case .loop(let count, let every, let body):
                var round: Int64 = 0
                while round != count, operations.count < limit {
                    operations.append(
                        .roundStart(
                            depth: depth + 1, round: round, every: .nanoseconds(every),
                            isEndless: count < 0, step: 0))
                    expand(body, depth: depth + 1, slot: &slot, limit: limit, into: &operations)
                    operations.append(.roundEnd(depth: depth + 1))
                    round += 1
                }
            }
        }
    }
}
