internal import ArgumentParser
internal import Notation
internal import Timebase

/// The benchmarks: a table of figures, each with what is wanted of it.
@main
struct Benchmarks: ParsableCommand {
    /// One group of figures.
    enum Group: String, CaseIterable, ExpressibleByArgument {
        case plan, measuring, development, recording, memory, clocks, simulation
    }

    static let configuration = CommandConfiguration(
        commandName: "framelock-benchmarks",
        abstract: "Measures plans, development, recording, memory, clocks and simulation.")

    @Option(
        help: ArgumentHelp(
            "Record in this folder, on the disk that is to be measured; it is emptied again.",
            valueName: "folder"),
        completion: .directory)
    var folder = ".build/benchmarks"
    @Option(help: "Measure only these; once for each.")
    var only: [Group] = []
    @Option(help: "How often recording and dd take turns.")
    var rounds = 3
    @Option(help: "Frames of 1920x1080 and 16 bits in each round.")
    var frames: Int64 = 256
    @Option(help: "Small frames over which memory has to stay flat.")
    var smallFrames: Int64 = 100_000
    @Option(help: "Simulated pairs of clocks.")
    var clockPairs = 1_000
    @Flag(
        help:
            "Each once and as small as it can be, to see that it works: no figure has to meet its wish."
    )
    var small = false
    @Flag(help: "One object with all figures instead of the table.")
    var json = false

    mutating func validate() throws {
        guard rounds >= 1, frames >= 1, clockPairs >= 1, smallFrames >= 10 else {
            throw ValidationError(
                "--rounds, --frames and --clock-pairs take 1 or more, --small-frames 10 or more")
        }
        if small { (rounds, frames, smallFrames, clockPairs) = (1, 16, 1_000, 2) }
    }

    func run() throws {
        var figures: [Figure] = []
        for group in Group.allCases where only.isEmpty || only.contains(group) {
            let found = try measure(group)
            if !json { for figure in found { print(figure.row) } }
            figures += found
        }
        if json {
            print(JSONValue.array(figures.map(\.json)).text(.pretty))
        }
        if !small, figures.contains(where: { $0.isMet == false }) { throw ExitCode.failure }
    }

    private func measure(_ group: Group) throws -> [Figure] {
        switch group {
        case .plan: return try PlanBenchmark.figures()
        case .measuring: return MeasuringBenchmark.figures()
        case .development: return try DevelopmentBenchmark(rounds: rounds).figures()
        case .recording:
            return try ScratchFolder.inside(folder) { scratch in
                try RecordingBenchmark(folder: scratch, frames: frames, rounds: rounds).figures()
            }
        case .memory:
            return try ScratchFolder.inside(folder) { scratch in
                try MemoryBenchmark(folder: scratch, frames: smallFrames).figures()
            }
        case .clocks: return ClocksBenchmark(pairs: clockPairs).figures()
        case .simulation:
            return try ScratchFolder.inside(folder) { scratch in
                try SimulationBenchmark(
                    folder: scratch, duration: .seconds(small ? 60 : 24 * 60 * 60)
                ).figures()
            }
        }
    }
}
