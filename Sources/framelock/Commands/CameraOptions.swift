internal import ArgumentParser
internal import Instrument
internal import Recipes
internal import Simulation

/// What every command takes that uses a camera by hand.
///
/// Values are typed as recipes write them, with their units, and read by the same code.
struct CameraOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The camera's id, as `framelock devices` lists it, or `simulated` (default: the only one attached).",
            valueName: "id"))
    /// The id; nil for the only camera attached, which is an error (exit code 64) where there are several.
    var camera: String?
    /// A name for the library, or a path; nil for the one that fits the camera's sensor or driver.
    @Option(help: ArgumentHelp("The camera profile, by name or file.", valueName: "name"))
    var profile: String?
    @Option(
        help: ArgumentHelp("A folder with camera profiles, searched first.", valueName: "folder"))
    /// Searched before the folder of `FRAMELOCK_PROFILES` and the installed ones.
    var profiles: String?
    /// The V4L2 name; nil for the format that ``OpenCamera`` chooses.
    @Option(help: ArgumentHelp("Pixel format to stream, for example YUYV.", valueName: "name"))
    var pixels: String?
    /// `640x480`; nil for any size that is offered.
    @Option(help: ArgumentHelp("Frame size to stream, for example 640x480.", valueName: "size"))
    var size: String?
    /// `30 fps` or a fraction; nil for the usual one of the format.
    @Option(help: ArgumentHelp("Frame rate to stream, for example \"30 fps\".", valueName: "rate"))
    var rate: String?
    /// Also makes a failure one JSON object on standard output.
    @Flag(help: "Print as JSON.")
    var json = false

    /// Opens the camera, and reads how its controls stand.
    ///
    /// - Parameters:
    ///   - isRealTime: whether a simulated camera takes its time.
    ///   - prefersColour: whether a format with colour comes before one of the same size without.
    ///   - simulation: how a simulated camera behaves; as usual if left out.
    /// - Throws: ``Failure`` for an option or a camera that can't be used, `DeviceError` where the kernel refuses.
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
///
/// So `--exposure 8ms` takes what `duration: 8 ms` takes, with the same messages and hints.
struct Typed<Value> {
    /// In the parser's parts: nanoseconds, millionths, kelvin.
    let value: Value

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - option: how the message names it, for example `--size`.
    ///   - text: what was typed.
    ///   - parse: a reader of `Quantity`, or one that throws the same problems.
    /// - Throws: ``Failure`` with exit code 64, the problem and its hint.
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

extension Typed<Int64> {
    /// A colour temperature with or without its unit: on the command line the option shows what it is.
    static func kelvin(_ option: String, _ text: String) throws -> Self {
        try Typed(option, text.last?.isNumber == true ? text + " K" : text, Quantity.temperature)
    }
}
