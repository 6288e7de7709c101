public import Devices
internal import Imaging
public import Notation
internal import Timebase

/// Compiles a recipe for one camera profile and one rig: the last step on the way from YAML to plan.
///
/// Everything that can be wrong is reported in one pass, each problem where it was written. The result holds no
/// dictionary order and no floating point: same input, same plan, byte for byte.
///
/// The order is fixed by what depends on what: format, lines, clocks and trigger; then the sensor's mode, in which
/// lines become time; then all steps; then what follows from all settings together (frame length, rates, the trigger's
/// window). Steps are lowered even where an earlier part has an error, as long as there is a mode to quantise in, so
/// that one reading shows most errors.
public struct PlanCompiler {
    /// A plan may have this many instructions; sweeps and brackets are unrolled into them.
    public static let maximumInstructions = 1_000_000

    let recipe: Recipe
    /// What is known of the camera; narrowed on the way to the mode, the pins and the frame length of this plan.
    var profile: CameraProfile
    /// The format of the run; nil where none could be chosen, and then no plan is made.
    var configuration: CaptureConfiguration?
    /// Errors and warnings in the order of finding; without errors the rest is handed out beside the plan.
    var problems: [Diagnostic] = []
    /// Where each kind of problem was reported: its number in `problems`, and what else it was reported with.
    private var reported: [ReportedPlace: (number: Int, messages: Set<String>)] = [:]

    /// Lines by their number in the plan.
    var lines: [LineRequestIndex] = []
    /// Every different set of settings, by the number that instructions have.
    var settings: [PlannedSettings] = []
    /// Finds a set in ``settings``; both grow together.
    var settingsIndex = SettingsIndex()
    /// Paths of steps, by the number that instructions have.
    var steps: [String] = []
    /// The number of each path; looked up only, so its order never shows.
    var stepIndex: [String: Int32] = [:]
    /// The path that was numbered last, since unrolled shots ask for the same one again and again.
    var lastStep: (path: String, number: Int32)?
    /// The instructions so far; indices into it are final.
    var program: [Instruction] = []
    /// The kind of still of each step that has one.
    var stills: [Int32: StillFormat] = [:]
    /// The label of each step whose frames have one.
    var labels: [Int32: String] = [:]
    /// Where each loop with a time from round to round is written, and that time.
    var pacedLoops: [Int32: (range: SourceRange, every: Interval)] = [:]
    /// What `if_supported` left out, each once.
    var skipped: [SkippedSetting] = []
    /// The shortest exposure that is asked for, and where: long frames may have no room for it.
    var shortestExposure: (asked: Interval, range: SourceRange)?
    /// What steps with rates of their own need.
    var stepRates = StepRates()
    /// The step of the last bracket that changes settings.
    var lastBracket: Int32?

    init(recipe: Recipe, profile: CameraProfile) {
        self.recipe = recipe
        self.profile = profile
    }

    /// Compiles a recipe.
    ///
    /// - Parameters:
    ///   - recipe: the decoded recipe.
    ///   - camera: the camera that it means.
    ///   - profile: what is known of that camera, with the formats that it offers; an attached device's is narrowed to
    ///     it.
    ///   - rig: the machine; nil if there is none.
    /// - Returns: the plan, and warnings.
    /// - Throws: every error and warning, at its place in the recipe.
    public static func compile(
        _ recipe: Recipe, camera: CameraChoice, profile: CameraProfile, rig: Rig?
    ) throws(DiagnosticList) -> (plan: Plan, warnings: [Diagnostic]) {
        var compiler = PlanCompiler(
            recipe: recipe, profile: profile.pinned(on: camera.input))
        let configuration = compiler.captureConfiguration(input: camera.input)
        compiler.configuration = configuration
        compiler.resolveLines(rig: rig, isSimulated: camera.isSimulated)
        let clocks = compiler.resolvedClocks(rig: rig, isSimulated: camera.isSimulated)
        let triggerLine = compiler.resolveTrigger()
        var trigger: PlannedTrigger?
        compiler.stepRates.profile = compiler.profile
        if let configuration, compiler.adaptProfile(to: configuration) {
            var lock = LoweringContext(recipe.lock)
            lock.keepWhatChanges(in: recipe.steps)
            compiler.checkMetering(configuration)
            compiler.lower(recipe.steps, lock)
            compiler.restoreLock(lock)
            compiler.checkPins()
            compiler.fixTiming(configuration)
            compiler.fixStepRates()
            trigger = compiler.plannedTrigger(triggerLine)
        }
        compiler.countFurther()
        guard let configuration, !compiler.hasErrors
        else { throw DiagnosticList(compiler.problems) }
        var plan = Plan(
            name: recipe.name.value,
            camera: PlannedCamera(
                id: camera.id, profile: compiler.profile, configuration: configuration,
                trigger: trigger),
            settings: compiler.settings, lines: compiler.lines.map(\.request),
            steps: compiler.steps, program: compiler.program, output: recipe.output,
            require: recipe.require.limits, skipped: compiler.skipped,
            stills: compiler.stills.sorted { $0.key < $1.key }
                .map { PlannedStill(step: $0.key, format: $0.value) })
        plan.labels = compiler.plannedLabels
        plan.clocks = clocks
        plan.onLost = recipe.onLost
        plan.metadata = recipe.metadata
        compiler.checkRounds(of: plan)
        compiler.checkProof(of: plan)
        guard !compiler.hasErrors
        else { throw DiagnosticList(compiler.problems) }
        return (plan, compiler.problems)
    }

    /// The configuration that a recipe asks of a camera, before anything else of it is looked at.
    ///
    /// A raw sensor reports its timing only in the mode that it is to have, and the plan rests on that timing: so the
    /// mode is chosen first, then set, and the recipe is compiled after that.
    ///
    /// - Throws: what is wrong with it, as ``compile(_:camera:profile:rig:)`` would.
    public static func configuration(
        of recipe: Recipe, camera: CameraChoice, profile: CameraProfile
    ) throws(DiagnosticList) -> CaptureConfiguration {
        var compiler = PlanCompiler(recipe: recipe, profile: profile)
        let configuration = compiler.captureConfiguration(input: camera.input)
        guard let configuration, !compiler.hasErrors
        else { throw DiagnosticList(compiler.problems) }
        return configuration
    }

    private var hasErrors: Bool { problems.contains { $0.severity == .error } }

    /// A picture without colour shows nothing of the light's colour: metering it would go on for ever.
    private mutating func checkMetering(_ configuration: CaptureConfiguration) {
        let format = configuration.pixelFormat
        guard let need = recipe.metering, need.whiteBalance, format.samples == .mono else { return }
        report(
            "metering-without-colour", at: need.range,
            "white balance can't be metered on \(format.name), which has no colour",
            hint: "leave `white_balance` out of `meter`, or choose a pixel format with colour")
    }

    /// Refuses a profile that pins what a step of the recipe sets: each write would undo the other.
    private mutating func checkPins() {
        for pin in profile.pinned
        where settings.contains(where: { $0.codes.contains { $0.control == pin.control } }) {
            report(
                "pinned-setting", at: recipe.camera.use.range,
                "camera profile `\(profile.name)` pins \(pin.control.name), which the recipe sets",
                hint: "take it out of `pinned` of the profile, or out of the recipe")
        }
    }

    /// Reports a problem once at each place, however often loops come by it and however many values of a sweep have it.
    ///
    /// - Parameters:
    ///   - id: a stable word; with the place it decides what counts as the same problem.
    ///   - range: where the value that has it was written.
    ///   - message: of the first value; others are counted.
    ///   - hint: what to write instead; nil for nothing.
    ///   - severity: with an error there is no plan.
    mutating func report(
        _ id: String, at range: SourceRange, _ message: String, hint: String? = nil,
        severity: Diagnostic.Severity = .error
    ) {
        let place = ReportedPlace(id: id, range: range)
        if reported[place] != nil {
            reported[place]?.messages.insert(message)
            return
        }
        reported[place] = (problems.count, [message])
        problems.append(
            Diagnostic(severity, id, at: range, in: recipe.source.name, message, hint: hint))
    }

    /// Says of each problem how many other values have it; called once, when all are known.
    private mutating func countFurther() {
        for (number, messages) in reported.values where messages.count > 1 {
            let others = messages.count - 1
            problems[number].message +=
                others == 1
                ? "; so is another value" : "; so are \(others) other values"
        }
    }
}

/// A kind of problem at a place of the recipe; a second one there is counted, not shown.
private struct ReportedPlace: Hashable {
    let id: String
    let range: SourceRange
}
