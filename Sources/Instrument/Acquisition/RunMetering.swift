internal import Devices
internal import LinuxDevices
internal import LiveControl
internal import Notation
internal import Recipes

/// The metering that a recipe asks for before its run.
///
/// It is over before anything is recorded: what it finds goes into the plan as if it were in the recipe, and the run
/// knows no automatic.
struct RunMetering {
    /// What was found.
    let values: MeteredValues
    /// How often it is asked whether the metering is to stop.
    private static let patience = Duration.milliseconds(50)

    /// How it ended, by subject, for the manifest; the values are in the plan.
    let json: JSONValue

    /// Meters with the run's own camera and format.
    ///
    /// - Parameter stop: ends it, as signals do where they are caught.
    /// - Throws: ``Failure`` with exit code 76 where something can't be metered as it is, since the scene may change;
    ///   with 130 where it was stopped.
    init(
        _ need: MeteringNeed, _ plan: Plan, _ profile: CameraProfile, in world: any World,
        stop: StopRequests
    ) throws {
        // One thread at a time: the session has ended before this returns.
        nonisolated(unsafe) let world = world
        let session = try CameraSession(
            world: world, profile: profile, configuration: plan.camera.configuration)
        let isStopped: @Sendable () -> Bool = { stop.count > 0 || Interrupts.count() > 0 }
        let done = try Waiting.for {
            let watch = Task {
                while !isStopped() { try await Task.sleep(for: Self.patience) }
                await session.end()
            }
            defer { watch.cancel() }
            do {
                let done = try await session.scan(
                    exposure: need.exposure, focus: need.focus, whiteBalance: need.whiteBalance)
                await session.end()
                return done
            } catch {
                await session.end()
                guard !isStopped() else {
                    throw Failure(
                        exitCode: 130,
                        message: "interrupted while metering: nothing was recorded")
                }
                throw error
            }
        }
        var members: [(String, JSONValue)] = []
        for subject in ManualSubject.allCases {
            guard case .ended(let outcome)? = done.metered[subject] else { continue }
            guard case .converged = outcome else {
                throw Failure(
                    exitCode: 76,
                    message:
                        "\(subject.rawValue) can't be metered: \(Self.words(outcome)); change the"
                        + " light or the scene, or lock a value instead of metering it")
            }
            members.append(
                (subject == .whiteBalance ? "white_balance" : subject.rawValue, "converged"))
        }
        json = .object(JSONObject(members))
        let state = done.state ?? session.state
        values = MeteredValues(
            duration: state.duration, gain: state.gain, lens: state.lens, balance: state.balance)
    }

    /// Why a routine found no value, as the message has it.
    private static func words(_ outcome: RoutineOutcome) -> String {
        switch outcome {
        case .converged: "converged"
        case .limited(let limit): limit.rawValue
        case .diverged(let failure): failure.rawValue
        }
    }
}
