internal import ArgumentParser
internal import Instrument
internal import Recipes
internal import Simulation

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
        var request = CameraRequest(camera)
        (request.profile, request.profiles) = (profile, profiles)
        request.pixels = pixels
        request.size = try size.map { try Typed("--size", $0, Quantity.size).value }
        request.rate = try rate.map { try Typed("--rate", $0, Quantity.rate).value }
        request.prefersColour = prefersColour
        return try OpenCamera(request, simulation ?? SimulationOptions(isRealTime: isRealTime))
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
