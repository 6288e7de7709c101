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
///
/// They all go the same way: options, ``target()``, ``open(prefersColour:_:)``, measure,
/// ``finish(_:command:rows:json:target:figures:)``.
struct CalibrationOptions: ParsableArguments {
    /// Without it nothing is written, and the figures are only printed.
    @OptionGroup var camera: CameraOptions
    @Flag(help: "Write the figures into the profile that --profile names.")
    var write = false
    @Option(
        help: ArgumentHelp("Simulated camera: the seed of all that is random.", valueName: "number")
    )
    /// Of no meaning for a camera that is attached.
    var seed: UInt64 = 1

    /// `--write` without a profile has no file: the one that was found by itself may be the installed one, which an
    /// update replaces.
    func validate() throws {
        guard !write || camera.profile != nil else {
            throw ValidationError(
                "--write needs --profile: name the file that takes the figures, a copy of your own")
        }
    }

    /// The file that takes figures, read before anything is measured.
    ///
    /// - Returns: nil if none is to be written.
    /// - Throws: ``Failure`` where the profile has no file, or it can't be read.
    func target() throws -> ProfileFile? {
        write ? try ProfileFile(named: camera.profile, folder: camera.profiles) : nil
    }

    /// Opens the camera; a simulated one as it is described.
    ///
    /// - Parameters:
    ///   - prefersColour: whether a format with colour comes first.
    ///   - describe: sets up the simulation; called for an attached camera too, to no effect.
    /// - Throws: ``Failure`` or `DeviceError` as ``CameraOptions`` does; also where no format is read.
    func open(
        prefersColour: Bool = false, _ describe: (inout SimulationOptions) throws -> Void
    ) throws -> CalibratedCamera {
        var options = SimulationOptions(seed: seed)
        try describe(&options)
        let opened = try camera.open(prefersColour: prefersColour, simulation: options)
        return CalibratedCamera(camera: opened, format: try opened.streamed())
    }

    /// Says what was found, and writes it first if that was asked for.
    ///
    /// - Parameters:
    ///   - camera: for its id and conditions.
    ///   - command: the calibration's name, for the comment in the profile.
    ///   - rows: what people read, a name and a value each.
    ///   - json: what programs read.
    ///   - target: the file that takes the figures; nil for none.
    ///   - figures: makes them; called only where there is a file.
    /// - Throws: `CalibrationError` where the profile has no place for a figure or the measurement is not enough for
    ///   one.
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

    /// Two bounds in nanoseconds, or null for what was not measured.
    static func json(_ span: ClosedRange<Interval>?) -> JSONValue {
        guard let span else { return .null }
        return [.integer(span.lowerBound.nanoseconds), .integer(span.upperBound.nanoseconds)]
    }

    /// Two bounds in the unit of the member's name, or null for what was not measured.
    static func json(_ range: ClosedRange<Int64>?) -> JSONValue {
        guard let range else { return .null }
        return [.integer(range.lowerBound), .integer(range.upperBound)]
    }

    /// Tells a person who waits what is done next; silent where standard error is no terminal.
    static var progress: @Sendable (String) -> Void {
        guard Console.isInteractive else { return { _ in } }
        return { text in Console.log.info("\(text)") }
    }
}

/// An open camera with the format that it streams.
struct CalibratedCamera {
    let camera: OpenCamera
    /// Figures hold for it: a sensor has another timing in another mode.
    let format: CaptureConfiguration

    /// The format in words, for the report and for the comment in the profile.
    var conditions: String {
        "\(format.pixelFormat.name) \(format.size)" + (format.rate.map { " at \($0)" } ?? "")
    }

    /// The present by the camera's world: of a simulated camera it is the simulation's own time.
    var time: UTCTime {
        let world = camera.world
        return UTCTime(
            world.realtime().convert(BoundedInstant(world.now(), halfWidth: .zero)).instant)
    }
}

/// Lines of a rig by name, as calibrations use them: the light, the input joined to it, the camera's strobe.
struct CalibrationLines {
    /// Nil where none is named; then lines are the simulated ones, whatever their names.
    private let rig: Rig?

    /// Reads the rig that is named; the machine's own is not looked for.
    ///
    /// - Throws: ``Failure`` with the diagnostics of a file that is no rig.
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
    ///
    /// It watches both edges, whatever the rig asks for: both ends of a flash are measured.
    ///
    /// - Throws: ``Failure`` with exit code 64 for a name that the rig does not have, or a line of the other direction.
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
