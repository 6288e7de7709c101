internal import Engine
internal import Glibc
internal import Instrument
internal import Logging
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

/// One run at the terminal, from the recipe to the verdict: signals, progress, watchdog, words.
///
/// Belongs to the main thread, which waits for the capture thread here and looks around twenty times a second.
struct RunSession {
    /// Prepared: whatever can be refused has been, and nothing is recorded yet.
    private let acquisition: Acquisition
    private let recording: RecordingOptions
    /// Catches signals from before the camera is opened until the run is over.
    private let stop: StopSignals

    /// Prepares the acquisition; warnings of the recipe are printed before any device is set.
    ///
    /// Signals are caught first, so that a Ctrl-C meanwhile leaves no camera behind half set: the run ends in order as
    /// soon as it begins.
    ///
    /// - Throws: what `Acquisition.prepare` throws; no folder was made then.
    init(
        _ recipe: RecipeRequest, _ recording: RecordingOptions, _ options: AcquisitionOptions
    ) throws {
        self.recording = recording
        stop = StopSignals()
        var options = options
        options.stop = stop
        options.onWarning = { Console.say($0) }
        options.fillsDisk = recording.force
        acquisition = try Acquisition.prepare(recipe, options)
    }

    /// What is going to be done.
    var plan: Plan { acquisition.plan }

    /// Runs, and prints what came of it.
    ///
    /// - Returns: the exit code of the verdict.
    /// - Throws: what `Acquisition.run` throws; what was recorded until then stays.
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

    /// Says why frames are missing, what to know of the camera's set-up, the verdict and where the truth of a
    /// simulation is; then prints the summary if that was asked for.
    private func say(_ outcome: AcquisitionOutcome) throws {
        for reason in outcome.whyNoFrames {
            Console.log.warning("no frame came: \(reason)")
        }
        for notice in acquisition.notices { Console.log.warning("\(notice)") }
        Console.say(VerdictText(outcome).text)
        if let truth = outcome.truth {
            Console.say(
                "truth     \(outcome.folder.path)/truth.jsonl: of the sensor's frames \(truth)\n")
        }
        if recording.json {
            try Console.output(RunSummary.read(outcome.folder.path).json.text(.pretty))
        }
    }

    /// Leaves at once: a device or a disk hangs, and the person has asked twice.
    ///
    /// Ends the process without finalising, since a thread that hangs in the kernel can't be joined: the run folder
    /// stays in the state `running`, which `verify` and `report` show.
    private func abandon() -> Never {
        Console.say(
            "framelock: error: a device or the disk does not answer: left as it is, not finalised\n"
        )
        _exit(130)
    }
}
