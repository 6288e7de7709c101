import Devices
import Imaging
import Notation
import Recipes
import TestSupport
import Testing
import Timebase

struct PlanCursorTests {
    /// What a cursor says of a program, at most `limit` operations.
    private static func walk(_ program: [Instruction], limit: Int) -> [PlanCursor.Operation] {
        var cursor = PlanCursor()
        var operations: [PlanCursor.Operation] = []
        while operations.count < limit {
            let next = cursor.next(in: program.span)
            if case .end = next { break }
            operations.append(next)
        }
        return operations
    }

    @Test func `a cursor says what writing every loop out says`() {
        for seed: UInt64 in 1...400 {
            var random = SeededGenerator(seed: seed)
            let tree = PlanTree.list(depth: 4, random: &random)
            var program: [Instruction] = []
            PlanTree.flatten(tree, into: &program)
            var slots: Int64 = 0
            var expected: [PlanCursor.Operation] = []
            PlanTree.expand(tree, slot: &slots, limit: 3_000, into: &expected)
            let found = Self.walk(program, limit: 3_000)
            #expect(found == Array(expected.prefix(3_000)), "seed \(seed)")
        }
    }

    @Test func `an endless loop goes on numbering`() {
        let tree: [PlanTree] = [
            .capture(3, settings: 0),
            .loop(
                -1, everyNanoseconds: 5, [.loop(2, everyNanoseconds: 0, [.capture(2, settings: 1)])]
            ),
        ]
        var program: [Instruction] = []
        PlanTree.flatten(tree, into: &program)
        var slots: Int64 = 0
        var expected: [PlanCursor.Operation] = []
        PlanTree.expand(tree, slot: &slots, limit: 10_000, into: &expected)
        #expect(Self.walk(program, limit: 10_000) == Array(expected.prefix(10_000)))
        #expect(slots > 3_000)
    }

    @Test func `a cursor knows whether a loop around it ends`() {
        let tree: [PlanTree] = [
            .loop(1, everyNanoseconds: 0, [.capture(1, settings: 0)]),
            .loop(
                -1, everyNanoseconds: 0,
                [
                    .loop(2, everyNanoseconds: 0, [.capture(1, settings: 0)])
                ]),
        ]
        var program: [Instruction] = []
        PlanTree.flatten(tree, into: &program)
        var cursor = PlanCursor()
        var answers: [Bool] = []
        while answers.count < 4 {
            if case .slot = cursor.next(in: program.span) {
                answers.append(cursor.isInsideEndlessLoop(of: program.span))
            }
        }
        #expect(answers == [false, true, true, true])
    }

    @Test func `loops can be nested as deep as the decoder allows`() {
        var tree: [PlanTree] = [.capture(1, settings: 0)]
        for _ in 0..<PlanCursor.maximumDepth { tree = [.loop(2, everyNanoseconds: 0, tree)] }
        var program: [Instruction] = []
        PlanTree.flatten(tree, into: &program)
        var cursor = PlanCursor()
        while case let next = cursor.next(in: program.span), next != .end {}
        #expect(cursor.nextSlot == 1 << 16)
    }

    @Test func `after its end a program stays ended`() {
        var cursor = PlanCursor()
        for _ in 0..<3 { #expect(cursor.next(in: [Instruction]().span) == .end) }
    }
}
