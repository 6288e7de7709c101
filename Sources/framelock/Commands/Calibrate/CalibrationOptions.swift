internal import ArgumentParser
internal import Calibration
internal import Devices
internal import Imaging
internal import Instrument
internal import Logging
internal import Notation
internal import Recipes
internal import Simulation
internal import Timebase

/// What calibrations with a camera take besides the camera.
struct CalibrationOptions: ParsableArguments {
    @OptionGroup var camera: CameraOptions
    @Flag(help: "Write the figures into the profile that --profile names.")
    var write = false
    @Option(
        help: ArgumentHelp("Simulated camera: the seed of all that is random.", valueName: "number")
    )
    var seed: UInt64 = 1

    func validate() throws {
        guard !write || camera.profile != nil else {
            throw ValidationError(
                "--write needs --profile: name the file that takes the figures, a copy of your own")
        }
    }

    /// The file that takes figures, read before anything is measured; nil if none is to be written.
    func target() throws -> ProfileFile? {
        write ? try ProfileFile(named: camera.profile, folder: camera.profiles) : nil
    }

    /// Opens the camera; a simulated one as it is described.
    func open(
        prefersColour: Bool = false, _ describe: (inout SimulationOptions) throws -> Void
    ) throws -> CalibratedCamera {
        var options = SimulationOptions(seed: seed)
        try describe(&options)
        let opened = try camera.open(prefersColour: prefersColour, simulation: options)
        return CalibratedCamera(camera: opened, format: try opened.streamed())
    }

    /// Says what was found, and writes it if that was asked for.
    ///
    /// - Parameters:
    ///   - rows: what people read, a name and a value each.
    ///   - json: what programs read.
    func finish(
        _ camera: CalibratedCamera, command: String, rows: [(String, String)],
        json: [(String, JSONValue)], target: ProfileFile?,
        figures: () throws -> [MeasuredFigure]
    ) throws {
        if let target {
            try target.set(
                figures(),
                by: MeasurementSource(by: "framelock calibrate \(command)", at: camera.time))
        }
        let id = camera.camera.device.identity.id
        let path = target?.path
        guard !self.camera.json else {
            var members: [(String, JSONValue)] = [("camera", .string(id))]
            members += json
            members.append(("written_to", path.map(JSONValue.string) ?? .null))
            return try Console.output(JSONValue.object(JSONObject(members)).text(.pretty))
        }
        var all = [("camera", id), ("format", camera.conditions)]
        all += rows
        if let path { all.append(("written", path)) }
        let width = all.map(\.0.count).max() ?? 0
        let lines = all.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }
        try Console.output(lines.joined(separator: "\n"))
    }

    /// Two bounds in nanoseconds, or null.
    static func json(_ span: ClosedRange<Interval>?) -> JSONValue {
        guard let span else { return .null }
        return [.integer(span.lowerBound.nanoseconds), .integer(span.upperBound.nanoseconds)]
    }

    /// Two bounds, or null.
    static func json(_ range: ClosedRange<Int64>?) -> JSONValue {
        guard let range else { return .null }
        return [.integer(range.lowerBound), .integer(range.upperBound)]
    }

    /// Tells a person who waits what is done next.
    static var progress: @Sendable (String) -> Void {
        guard Console.isInteractive else { return { _ in } }
        return { text in Console.log.info("\(text)") }
    }
}

/// An open camera with the format that it streams.
struct CalibratedCamera {
    let camera: OpenCamera
    let format: CaptureConfiguration

    /// The format in words.
    var conditions: String {
        "\(format.pixelFormat.name) \(format.size)" + (format.rate.map { " at \($0)" } ?? "")
    }

    /// The present.
    var time: UTCTime {
        let world = camera.world
        return UTCTime(
            world.realtime().convert(BoundedInstant(world.now(), halfWidth: .zero)).instant)
    }
}

/// Lines of a rig by name, as calibrations use them.
struct CalibrationLines {
    private let rig: Rig?

    init(rig path: String?) throws {
        rig = try path.map { try Self.rig($0) }
    }

    private static func rig(_ path: String) throws -> Rig {
        let source = try TextFile.read(path)
        do {
            return try RigDecoder.decode(source)
        } catch {
            throw Failure.recipe(DiagnosticRenderer(sources: [source]).render(error))
        }
    }

    /// The line of a name, with the direction that is needed; without a rig every name exists in the simulation.
    func line(_ name: String, _ direction: LineRequest.Direction) throws -> LineRequest {
        guard let rig else {
            return LineRequest(
                name: name, chip: "simulated", position: .name(name), direction: direction,
                edge: .both)
        }
        guard var line = rig.lines.first(where: { $0.name == name }) else {
            throw Failure.usage(
                "rig \(rig.name) has no line `\(name)`; it has "
                    + rig.lines.map(\.name).joined(separator: ", "))
        }
        guard line.direction == direction else {
            throw Failure.usage(
                "line `\(name)` of rig \(rig.name) goes \(line.direction.rawValue), and"
                    + " \(direction.rawValue) is needed")
        }
        line.edge = .both
        return line
    }
}
