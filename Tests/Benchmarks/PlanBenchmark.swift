internal import Devices
internal import Notation
internal import Recipes
internal import Simulation

/// Compiling recipes: from YAML text over the plan to every slot, in slots per second.
enum PlanBenchmark {
    /// A shape of recipe and the slots that it has.
    private struct Shape {
        let name: String
        let slots: Int64
        let sequence: String
    }

    private static let shapes = [
        Shape(
            name: "plan: repeat", slots: 1_000_000,
            sequence: """
                  - repeat: 1000000
                    do:
                      - capture: 1
                """),
        Shape(
            name: "plan: bracket in a repeat", slots: 1_000_000,
            sequence: """
                  - repeat: 200000
                    do:
                      - bracket: {exposure: [1 ms, 2 ms, 4 ms, 8 ms, 16 ms]}
                """),
        Shape(
            name: "plan: nested sweep, 10 frames each", slots: 1_000_000,
            sequence: """
                  - for: {exposure: {from: 1 ms, to: 30 ms, steps: 100}}
                    do:
                      - for: {lens: {from: 0, to: 1, steps: 100}}
                        do:
                          - for: {gain: [1x, 1.5x, 2x, 2.5x, 3x, 4x, 5x, 6x, 7x, 8x]}
                            do:
                              - capture: 10
                """),
        Shape(
            name: "plan: sweep, every slot different", slots: 500_000,
            sequence: """
                  - for:
                      exposure: {from: 1 ms, to: 30 ms, steps: 1000}
                      lens: {from: 0, to: 1, steps: 500}
                    do:
                      - capture: 1
                """),
    ]

    static func figures() throws -> [Figure] {
        try shapes.map { shape in
            // The best of three: what else the machine does can only make it slower.
            let rates = try (0..<3).map { _ in try slotsPerSecond(shape) }
            let spread = Spread(rates)
            return Figure(
                name: shape.name, value: spread.maximum, unit: "slots/s",
                wish: .atLeast(1_000_000), note: "\(spread.range), \(shape.slots) slots")
        }
    }

    private static func slotsPerSecond(_ shape: Shape) throws -> Double {
        let text = """
            framelock: 1
            name: benchmark
            camera:
              use: simulated
              format: {pixels: SRGGB12, size: 1456x1088, rate: 30 fps}
            lock:
              focus: {lens: 0.5}
              exposure: {duration: 8 ms, gain: 1x}
            sequence:
            \(shape.sequence)

            """
        let clock = ContinuousClock()
        let start = clock.now
        let plan = try compile(text)
        let slots = walk(plan)
        let elapsed = clock.now - start
        guard slots == shape.slots else {
            throw BenchmarkProblem("\(shape.name): \(slots) slots instead of \(shape.slots)")
        }
        return Double(slots) / elapsed.seconds
    }

    /// The plan of a recipe for the simulated camera.
    static func compile(_ text: String) throws -> Plan {
        let source = SourceFile(name: "benchmark.yaml", text: text)
        do {
            let recipe = try RecipeDecoder.decode(source)
            let choice = try CameraChoice(recipe.camera, rig: nil, in: source.name)
            return try PlanCompiler.compile(
                recipe, camera: choice, profile: .simulated, rig: nil
            ).plan
        } catch {
            throw BenchmarkProblem(DiagnosticRenderer(sources: [source]).render(error))
        }
    }

    private static func walk(_ plan: Plan) -> Int64 {
        var cursor = PlanCursor()
        let program = plan.program.span
        while true {
            if case .end = cursor.next(in: program) { return cursor.nextSlot }
        }
    }
}
