package import Devices
internal import LinuxDevices
internal import Simulation

/// The kinds of cameras that there are: whose ids they take, which profiles they bring, how their world is opened.
///
/// A new kind is a case here, and everything that depends on the kind stands in this file.
package enum CameraBackend: Sendable {
    /// Built in, or of the kernel by its video nodes.
    case simulated, v4l2

    /// The kind that a camera's id belongs to.
    package init(id: String) {
        self = id == CameraIdentity.simulatedID ? .simulated : .v4l2
    }

    /// The kind of a camera that is open.
    package init(_ identity: CameraIdentity) { self.init(id: identity.id) }

    /// Whether cameras of this kind are there without being attached, so that nothing has to be asked of one.
    package var isBuiltIn: Bool { self == .simulated }

    /// The profile of a camera of this kind that no file is needed for; nil where profiles are files.
    var ownProfile: CameraProfile? { self == .simulated ? .simulated : nil }

    /// Profiles that need no file.
    static let builtInProfiles: [CameraProfile] = [
        .simulated, .simulatedWithMetadata, .simulatedRaw, .simulatedRawWithMetadata,
    ]

    /// Opens a camera of this kind with the world around it.
    ///
    /// - Parameters:
    ///   - id: as discovery lists it; of no meaning for the simulated camera, of which there is one.
    ///   - options: of these, each kind takes what it has a use for.
    /// - Throws: `DeviceError` if the camera is not there, in use, or not this user's to open; never for a simulated
    ///   one.
    func open(_ id: String, _ options: WorldOptions) throws -> any World {
        switch self {
        case .simulated:
            SimulatedWorld(options.simulation, stop: options.stop, truth: options.truth)
        case .v4l2:
            LinuxWorld(
                camera: try CameraDiscovery.ofThisMachine.open(id, priority: options.priority),
                signals: options.signals, stop: options.stop, wakeUp: options.wakeUp)
        }
    }

    /// The camera that is meant where nobody names one: the only one attached.
    ///
    /// - Throws: ``Failure`` if there is none, or more than one.
    static func onlyAttached() throws -> String {
        let found = CameraDiscovery.ofThisMachine.search()
        let ids = found.cameras.map(\.identity.id)
        if ids.count == 1 { return ids[0] }
        guard !ids.isEmpty else {
            let why = (found.emptyReceivers.map(\.message) + found.problems.map(\.message))
                .map { "; \($0)" }.joined()
            throw Failure.unavailable(
                "no camera is attached: attach one, or try --camera \(CameraIdentity.simulatedID)\(why)"
            )
        }
        throw Failure.usage(
            "several cameras are attached: choose one with --camera: "
                + ids.joined(separator: ", "))
    }
}

/// What a world is opened with, whatever its kind.
struct WorldOptions {
    /// How the simulated rig behaves.
    var simulation = SimulationOptions()
    /// Receives what really happens in a simulation; nil if that is not needed.
    var truth: ((SimulatedTruth) -> Void)?
    /// How long other programs' writes to the camera are refused.
    var priority = PriorityClaim.untilStart
    /// Requests to stop.
    var stop = StopRequests()
    /// Becomes readable when the process is sent a signal to stop; nil if signals are nobody's business here.
    var signals: Int32?
    /// Ends a wait from another thread.
    var wakeUp: WakeUp?
}
