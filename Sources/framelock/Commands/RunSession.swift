internal import Engine
internal import Glibc
internal import Instrument
internal import Logging
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

/// One run at the terminal, from the recipe to the verdict: signals, progress, watchdog, words.
struct RunSession {
    private let acquisition: Acquisition
    private let recording: RecordingOptions
    private let stop: StopSignals

    /// Prepares the acquisition.
    init(
        _ recipe: RecipeOptions, _ recording: RecordingOptions, _ options: AcquisitionOptions
    ) throws {
        self.recording = recording
        stop = StopSignals()
        var options = options
        options.stop = stop
        options.onWarning = { Console.say($0) }
        acquisition = try Acquisition.prepare(recipe.request, options)
    }

    /// Runs; returns the exit code.
    func run() throws -> Int32 {
        let estimate = PlanEstimate(acquisition.plan, bytesPerFrame: 0)
        let display = ProgressDisplay(
            acquisition.progress,
            ProgressLine(
                total: estimate.slots,
                planned: acquisition.isVirtual || estimate.waitsForEdges ? nil : estimate.duration),
            isShown: Console.isInteractive && !recording.quiet)
        var watchdog = Watchdog()
        watchdog.ready()
        let outcome = try {
            defer { display.finish() }
            return try acquisition.run(into: recording.destination) {
                if !stop.pass() { abandon() }
                display.update()
                watchdog.feed(acquisition.progress)
            }
        }()
        stop.release()
        try say(outcome)
        return outcome.judgement.exitCode
    }

    private func say(_ outcome: AcquisitionOutcome) throws {
        for reason in outcome.whyNoFrames {
            Console.log.warning("no frame came: \(reason)")
        }
        for notice in acquisition.notices { Console.log.warning("\(notice)") }
        Console.say(VerdictText(outcome).text)
        if let truth = outcome.truth {
            Console.say("truth     \(outcome.folder.path)/truth.jsonl: \(truth)\n")
        }
        if recording.json {
            try Console.output(RunSummary.read(outcome.folder.path).json.text(.pretty))
        }
    }

    /// Leaves at once: a device or a disk hangs, and the person has asked twice.
    private func abandon() -> Never {
        Console.say(
            "framelock: error: a device or the disk does not answer: left as it is, not finalised\n"
        )
        _exit(130)
    }
}
