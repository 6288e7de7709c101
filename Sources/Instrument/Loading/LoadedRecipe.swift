internal import Devices
internal import LinuxDevices
internal import Notation
internal import Recipes
internal import Simulation

extension CameraChoice {
    /// The sensor that the camera's id names (`csi:imx219:10-0010`); nil where it names none.
    fileprivate var sensor: String? {
        let parts = id.split(separator: ":")
        return parts.count == 3 && parts[0] == "csi" ? String(parts[1]) : nil
    }
}

/// A recipe with its rig, read and understood; the camera that it means is chosen, its profile not yet.
///
/// The way goes on by ``offlineProfile()`` and ``plan(_:)`` without the device, or by ``plan(with:)`` with it.
struct LoadedRecipe {
    /// The rig of a machine whose user names none; a missing one is no error, one that can't be read is.
    static let defaultRig = "/etc/framelock/rig.yaml"

    /// As it was written, and after ``locking(_:)`` with what was metered.
    private(set) var recipe: Recipe
    /// The machine; nil if none is named and ``defaultRig`` is not there.
    let rig: Rig?
    let choice: CameraChoice
    let library: ProfileLibrary
    /// The profile that was asked for: by the request, else the recipe, else the rig; nil for the one that fits the
    /// device.
    let profileName: String?
    /// Recipe, rig and each `--set`, for diagnostics that quote their lines.
    private let sources: [SourceFile]

    /// Reads recipe and rig.
    ///
    /// - Throws: ``Failure`` with every diagnostic, rendered.
    init(_ request: RecipeRequest) throws {
        let source = try TextFile.read(request.recipe)
        let rigSource = try Self.rigSource(request.rig)
        let overrides = try request.overrides.map { argument in
            guard let override = ParameterOverride(argument: argument) else {
                throw Failure.usage(
                    "--set \(argument): expected NAME=VALUE, as in --set interval=5s")
            }
            return override
        }
        let sources = [source] + [rigSource].compactMap { $0 } + overrides.map(\.source)
        self.sources = sources
        let renderer = DiagnosticRenderer(sources: sources)
        do {
            rig = try rigSource.map { source throws(DiagnosticList) in try RigDecoder.decode(source)
            }
            recipe = try RecipeDecoder.decode(source, overrides: overrides)
            choice = try CameraChoice(recipe.camera, rig: rig, in: source.name)
        } catch {
            throw Failure.recipe(error, renderer)
        }
        library = try ProfileLibrary(folder: request.profiles)
        let inRig = rig?.camera(named: recipe.camera.use.value)?.profile
        if let named = request.profile {
            try library.require(named)
        } else if let named = recipe.camera.profile ?? inRig, !library.has(named.value) {
            let file = recipe.camera.profile == nil ? rigSource?.name : nil
            throw Failure.recipe(
                library.unknown(named.value, at: named.range, in: file ?? source.name), renderer)
        }
        profileName = request.profile ?? choice.profile
    }

    /// The same with what was metered locked.
    func locking(_ found: MeteredValues) -> LoadedRecipe {
        var copy = self
        copy.recipe = recipe.locking(found)
        return copy
    }

    /// The profile for planning without the device.
    ///
    /// The named one; else that of the sensor that the camera's id names; else the one that is built in.
    ///
    /// - Throws: ``Failure`` if there is none of these: no limits would be known, and the plan would promise anything.
    func offlineProfile() throws -> CameraProfile {
        if let profileName { return try library.profile(named: profileName) }
        if let sensor = choice.sensor, library.path(ofProfile: sensor) != nil {
            return try library.profile(named: sensor)
        }
        guard let own = CameraBackend(id: choice.id).ownProfile else {
            throw Failure.recipe(
                DiagnosticList(
                    Diagnostic(
                        "unknown-limits", at: recipe.camera.use.range, in: recipe.source.name,
                        "camera `\(choice.id)` has no profile, so its limits are not known without it",
                        hint: "name a profile with --profile, or ask the camera with --camera")),
                DiagnosticRenderer(sources: sources))
        }
        return own
    }

    /// The profile for a device that is there: with the formats that it really offers, and ranges as narrow as its own.
    func profile(for device: CameraDescription) throws -> CameraProfile {
        var profile = try library.profile(named: profileName, for: device.identity)
            .narrowed(to: device).pinned(on: device.inputName(choice.input))
        // What a device lists holds for the input that is selected now; for another one, configuring it is the check.
        profile.formats = choice.input == nil ? device.delivered(by: profile).formats : []
        return profile
    }

    /// Compiles the plan for a camera that is there, as a run does.
    ///
    /// A raw sensor is put in its mode first, since its driver knows its timing only then, and that goes before the
    /// profile's: rates, exposures and limits are those that the run will have.
    func plan(
        with camera: any CameraDriver
    ) throws -> (profile: CameraProfile, plan: Plan, warnings: DiagnosticList) {
        let device = try camera.describe()
        var profile = try profile(for: device)
        if profile.sensor != nil {
            var mode = try configuration(profile)
            mode.rate = nil
            _ = try camera.configure(mode)
            profile = profile.timed(by: try camera.describe(), in: mode)
        }
        let (plan, warnings) = try plan(profile)
        return (profile, plan, warnings)
    }

    /// The mode that a raw sensor is to be put in, before the plan is compiled by its timing.
    private func configuration(_ profile: CameraProfile) throws -> CaptureConfiguration {
        do {
            return try PlanCompiler.configuration(of: recipe, camera: choice, profile: profile)
        } catch {
            throw Failure.recipe(error, DiagnosticRenderer(sources: sources))
        }
    }

    /// Compiles the plan for a profile.
    ///
    /// - Throws: ``Failure`` with every diagnostic, rendered.
    func plan(_ profile: CameraProfile) throws -> (plan: Plan, warnings: DiagnosticList) {
        do {
            let (plan, warnings) = try PlanCompiler.compile(
                recipe, camera: choice, profile: profile, rig: rig)
            return (plan, DiagnosticList(warnings))
        } catch {
            throw Failure.recipe(error, DiagnosticRenderer(sources: sources))
        }
    }

    /// Diagnostics as text with places; empty for none.
    func text(of list: DiagnosticList) -> String {
        list.isEmpty ? "" : DiagnosticRenderer(sources: sources).render(list) + "\n"
    }

    /// Opens the camera that is meant, with the world around it; faults that were asked for want the simulated one.
    func open(
        _ options: AcquisitionOptions, _ stop: StopRequests, _ wakeUp: WakeUp?, _ truth: TruthFile?
    ) throws -> any World {
        let backend = truth == nil ? CameraBackend(id: choice.id) : .simulated
        guard options.simulation == nil || backend == .simulated else {
            throw Failure.usage(
                "--seed, --simulate-drops, --scene and --real-time are for the simulated camera, and the recipe's"
                    + " camera is \(choice.id): leave them out, or simulate the recipe with `framelock simulate`"
            )
        }
        var world = WorldOptions(
            simulation: options.simulationOrDefault,
            truth: truth.map { file in { file.write($0) } },
            priority: options.isExclusive ? .always : .untilStart, stop: stop,
            signals: options.stop?.descriptor, wakeUp: wakeUp)
        world.simulation.isRawSensor = profileName?.hasPrefix("simulated-raw") ?? false
        world.simulation.triggerLine = recipe.camera.trigger?.line.value
        return try backend.open(choice.id, world)
    }

    /// The rig that is named, which must be there, or the machine's own if it has one.
    private static func rigSource(_ path: String?) throws -> SourceFile? {
        if let path { return try TextFile.read(path) }
        return TextFile.exists(defaultRig) ? try TextFile.read(defaultRig) : nil
    }
}
