internal import ArgumentParser
internal import Devices
internal import Imaging
internal import LinuxDevices
internal import LiveControl
internal import Recipes
internal import Simulation
internal import Timebase

/// What every command takes that uses a camera by hand.
struct CameraOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The camera's id, as `framelock devices` lists it, or `simulated` (default: the only one attached).",
            valueName: "id"))
    var camera: String?
    @Option(help: ArgumentHelp("The camera profile, by name or file.", valueName: "name"))
    var profile: String?
    @Option(
        help: ArgumentHelp("A folder with camera profiles, searched first.", valueName: "folder"))
    var profiles: String?
    @Option(help: ArgumentHelp("Pixel format to stream, for example YUYV.", valueName: "name"))
    var pixels: String?
    @Option(help: ArgumentHelp("Frame size to stream, for example 640x480.", valueName: "size"))
    var size: String?
    @Option(help: ArgumentHelp("Frame rate to stream, for example \"30 fps\".", valueName: "rate"))
    var rate: String?
    @Flag(help: "Print as JSON.")
    var json = false

    /// Opens the camera.
    ///
    /// - Parameters:
    ///   - isRealTime: whether a simulated camera takes its time.
    ///   - prefersColour: whether a format with colour comes before one of the same size without.
    ///   - simulation: how a simulated camera behaves; as usual if left out.
    func open(
        isRealTime: Bool = false, prefersColour: Bool = false, simulation: SimulationOptions? = nil
    ) throws -> OpenCamera {
        let wakeUp = WakeUp()
        let id = try camera ?? onlyCamera()
        let world: any World =
            id == "simulated"
            ? SimulatedWorld(simulation ?? SimulationOptions(isRealTime: isRealTime))
            : LinuxWorld(
                camera: try CameraDiscovery.ofThisMachine.open(id), signals: nil, wakeUp: wakeUp)
        let described = try world.camera.describe()
        let library = ProfileLibrary(folder: profiles)
        let profile = try library.profile(named: profile, for: described.identity)
        let device = described.delivered(by: profile)
        return OpenCamera(
            world: world, device: device, profile: profile.narrowed(to: device),
            wakeUp: wakeUp,
            format: try format(
                of: device, by: profile, prefersColour: prefersColour))
    }

    private func onlyCamera() throws -> String {
        let found = CameraDiscovery.ofThisMachine.search()
        let ids = found.cameras.map(\.identity.id)
        if ids.count == 1 { return ids[0] }
        guard !ids.isEmpty else {
            let why = (found.emptyReceivers.map(\.message) + found.problems.map(\.message))
                .map { "; \($0)" }.joined()
            throw Failure.unavailable(
                "no camera is attached: attach one, or try --camera simulated\(why)")
        }
        throw Failure.usage(
            "several cameras are attached: say which with --camera: "
                + ids.joined(separator: ", "))
    }

    /// The format to stream: what is asked for, else the smallest that framelock reads; of a raw sensor the one that is
    /// set, since the timing of its other modes is another, and of those that its profile knows to be misstated by some
    /// drivers none while there are others.
    private func format(
        of device: CameraDescription, by profile: CameraProfile, prefersColour: Bool
    ) throws -> CaptureConfiguration? {
        let wantedSize = try size.map { try Typed("--size", $0, Quantity.size) }
        let wantedRate = try rate.map { try Typed("--rate", $0, Quantity.rate) }
        func isFitting(_ format: CameraFormat) -> Bool {
            format.pixelFormat != nil && (pixels.map { format.pixelFormat?.name == $0 } ?? true)
                && (wantedSize.map { format.offers($0.value) } ?? true)
        }
        let fitting = device.formats.filter(isFitting)
        let present =
            profile.sensor != nil ? device.selected.flatMap { isFitting($0) ? $0 : nil } : nil
        func order(_ format: CameraFormat) -> (Int, Int, Int, String) {
            let isPlain = prefersColour && format.pixelFormat?.samples == .mono
            let mode = format.pixelFormat.flatMap { profile.sensorMode($0, format.size) }
            // One without a mode has the driver's own figures; a misstated one may be refused.
            let doubt = mode?.refusesOtherRates ?? false
            return (
                doubt ? 1 : 0, format.size.width * format.size.height, isPlain ? 1 : 0,
                format.fourCC
            )
        }
        let best = present ?? fitting.min { order($0) < order($1) }
        guard let best, let pixelFormat = best.pixelFormat else {
            if pixels == nil, size == nil { return nil }
            throw Failure.unavailable(
                "the camera has no format like that; `framelock devices` lists what it has")
        }
        let usual = best.rates.first { $0.period >= .milliseconds(33) } ?? best.rates.last
        return CaptureConfiguration(
            pixelFormat: pixelFormat, size: wantedSize?.value ?? best.size,
            rate: wantedRate?.value ?? usual)
    }
}

/// A quantity from the command line, read as recipes read it.
struct Typed<Value> {
    let value: Value

    init(
        _ option: String, _ text: String, _ parse: (String) throws(QuantityProblem) -> Value
    ) throws {
        do {
            value = try parse(text)
        } catch {
            let hint = error.hint.map { "; \($0)" } ?? ""
            throw Failure.usage("\(option) \(text): \(error.message)\(hint)")
        }
    }
}

/// A camera that is open, with what is known of it.
struct OpenCamera {
    let world: any World
    let device: CameraDescription
    let profile: CameraProfile
    let wakeUp: WakeUp?
    let format: CaptureConfiguration?

    /// The profile in the format that is set, for reading how the camera stands: lines of a raw sensor become time.
    var presentProfile: CameraProfile {
        guard profile.sensor != nil, let present = device.selected,
            let pixels = present.pixelFormat
        else { return profile }
        let mode = CaptureConfiguration(pixelFormat: pixels, size: present.size)
        return (try? profile.timed(by: device, in: mode).adapted(to: mode)) ?? profile
    }

    /// Starts to stream; the camera is the session's from then on.
    consuming func session() throws -> CameraSession {
        guard let format else {
            throw Failure.unavailable(
                "camera \(device.identity.id) has no format whose pixels framelock reads")
        }
        let wakeUp = wakeUp
        // One thread at a time: nobody uses the world here any more.
        nonisolated(unsafe) let world = world
        return try CameraSession(
            world: world, profile: profile, configuration: format.fitted(to: profile),
            wakeWorld: { wakeUp?.signal() })
    }
}
