internal import ArgumentParser
internal import Devices
internal import Instrument
internal import LiveControl
internal import Notation
internal import Recipes
internal import Timebase

extension CameraCommand {
    /// `framelock camera set`: sets values, and prints which frame is the first to show them.
    ///
    /// Exposure, focus and white balance are three requests that go out together; each is done with a frame of its own.
    /// All values are in the units of recipes.
    struct SetControls: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract:
                "Sets values in the units of recipes; each but --tint, --red, --green and --blue may be `current`."
        )

        @OptionGroup var options: CameraOptions
        /// A duration; nil or `current` keeps the one that the camera has.
        ///
        /// Duration and sensitivity are one request.
        @Option(help: ArgumentHelp("Exposure duration, for example 8ms.", valueName: "duration"))
        var exposure: String?
        /// An ISO value, which the profile turns into a gain; excludes ``gain``.
        @Option(help: ArgumentHelp("Sensitivity as ISO, for example 100.", valueName: "iso"))
        var iso: String?
        /// A linear gain with its `x`; excludes ``iso``.
        @Option(help: ArgumentHelp("Sensitivity as gain, for example 2.0x.", valueName: "gain"))
        var gain: String?
        /// 0 (nearest) to 1 (farthest), or `current`.
        @Option(help: ArgumentHelp("Lens position, 0 (near) to 1 (far).", valueName: "position"))
        var lens: String?
        @Option(
            help: ArgumentHelp(
                "Colour temperature of the illuminant, for example 5200K.", valueName: "kelvin"))
        /// Whole kelvin with `K`, or `current` for the white balance as it is; excludes the gains.
        var temperature: String?
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "Tint of the illuminant, 3000 times its Duv: positive is greener.",
                valueName: "tint"))
        /// A number with at most three decimals, positive for a greener illuminant; only beside ``temperature``, 0 if
        /// left out. A leading minus is the value's and no option, for which it is parsed `.unconditional`.
        var tint: String?
        /// A plain number; goes with ``blue``.
        @Option(help: ArgumentHelp("Gain of the red channel.", valueName: "gain"))
        var red: String?
        /// A plain number; 1 if left out.
        @Option(help: ArgumentHelp("Gain of the green channel (default: 1).", valueName: "gain"))
        var green: String?
        /// A plain number; goes with ``red``.
        @Option(help: ArgumentHelp("Gain of the blue channel.", valueName: "gain"))
        var blue: String?

        /// Issues all requests, waits for each, ends the stream and prints how the camera stands then.
        ///
        /// What the options mean is decided before the camera is opened: a typing error costs no stream.
        func run() throws {
            try Console.run(asJSON: options.json) {
                let requests = try SetRequests(self).all
                guard !requests.isEmpty else {
                    throw Failure.usage("nothing to set: give --exposure, --lens or another value")
                }
                let camera = try options.open()
                let (device, profile) = (camera.device, camera.profile)
                let session = try camera.session()
                let tickets = requests.map { session.issue($0) }
                let done = try Waiting.for {
                    var done: [ControlCompletion] = []
                    for ticket in tickets { done.append(try await ticket.completion()) }
                    await session.end()
                    return done
                }
                let syncs = zip(requests, done).map { ($0.subjects, $1.sync) }
                try CameraOutcome(syncs, device, profile, session.state).show(
                    asJSON: options.json)
            }
        }
    }
}

/// The requests that the options of `camera set` amount to.
struct SetRequests {
    /// At most one for each of exposure, focus and white balance, in this order; empty where nothing is to be set.
    private(set) var all: [ManualRequest] = []

    /// Reads the options.
    ///
    /// - Throws: ``Failure`` with exit code 64 for values that can't be read, and for options that exclude or need each
    ///   other.
    init(_ set: CameraCommand.SetControls) throws {
        guard set.iso == nil || set.gain == nil else {
            throw Failure.usage("--iso and --gain are the same setting: give one of them")
        }
        if set.exposure != nil || set.iso != nil || set.gain != nil {
            let duration = try Self.wanted("--exposure", set.exposure, Quantity.duration)
            all.append(
                .exposure(
                    .custom(duration: duration, sensitivity: try Self.sensitivity(set))))
        }
        if set.lens != nil {
            let lens = try Self.wanted("--lens", set.lens, Self.position)
            all.append(.focus(.locked(lens)))
        }
        if let balance = try Self.balance(set) {
            all.append(.whiteBalance(.locked(balance)))
        }
    }

    /// A value, or what the camera has now: where the option is missing, or is `current`.
    private static func wanted<Value>(
        _ option: String, _ text: String?, _ parse: (String) throws(QuantityProblem) -> Value
    ) throws -> Wanted<Value> {
        guard let text, text != "current" else { return .current }
        return .value(try Typed(option, text, parse).value)
    }

    /// A lens position in millionths, with the range's own message where it lies outside.
    private static func position(_ text: String) throws(QuantityProblem) -> LensPosition {
        let millionths = try Quantity.millionths(text)
        guard let position = LensPosition(millionths: millionths) else {
            throw QuantityProblem(
                "out-of-range", "\(text) is outside 0 (nearest) to 1 (farthest)", hint: nil,
                part: 0..<0)
        }
        return position
    }

    /// ISO or gain, whichever is there; the camera's own where neither is, or it is `current`.
    private static func sensitivity(_ set: CameraCommand.SetControls) throws -> WantedSensitivity {
        if let iso = set.iso, iso != "current" {
            return .iso(try Typed("--iso", iso, Quantity.iso).value)
        }
        if let gain = set.gain, gain != "current" {
            return .gain(try Typed("--gain", gain, Quantity.gain).value)
        }
        return .current
    }

    /// The white balance by gains or by temperature and tint; nil where none of the options is there.
    private static func balance(_ set: CameraCommand.SetControls) throws -> Wanted<WhiteBalance>? {
        let gains = [set.red, set.green, set.blue]
        if set.temperature == nil, set.tint == nil, gains.allSatisfy({ $0 == nil }) { return nil }
        guard gains.allSatisfy({ $0 == nil }) else {
            guard set.temperature == nil, set.tint == nil, let red = set.red, let blue = set.blue
            else {
                throw Failure.usage(
                    "give --red and --blue together, or --temperature, and not both")
            }
            func gain(_ option: String, _ text: String) throws -> Gain {
                Gain(millionths: try Typed(option, text, Quantity.millionths).value)
            }
            return .value(
                .gains(
                    red: try gain("--red", red), green: try gain("--green", set.green ?? "1"),
                    blue: try gain("--blue", blue)))
        }
        guard let temperature = set.temperature else {
            throw Failure.usage("--tint belongs to a --temperature")
        }
        if temperature == "current" { return .current }
        let kelvin = try Typed.kelvin("--temperature", temperature).value
        let tint = try Typed("--tint", set.tint ?? "0", Quantity.signedThousandths).value
        return .value(.temperature(kelvin: kelvin, tintThousandths: tint))
    }
}

/// What came of requests: the frames that show them, then how the camera stands.
struct CameraOutcome {
    /// By request: what it was for, and the first frame that surely shows it; nil for one that was skipped.
    private let syncs: [(subjects: Set<ManualSubject>, sync: SyncTime?)]
    /// The camera as it was when it was opened.
    private let device: CameraDescription
    private let profile: CameraProfile
    /// The camera after the last request, as the device reports it.
    private let state: ManualState

    init(
        _ syncs: [(Set<ManualSubject>, SyncTime?)], _ device: CameraDescription,
        _ profile: CameraProfile, _ state: ManualState
    ) {
        self.syncs = syncs
        self.device = device
        self.profile = profile
        self.state = state
    }

    /// Whose automatics are still on: no request was for them.
    private var automatic: Set<ManualSubject> {
        CameraSession.automatic(in: device.controls, profile: profile).subtracting(
            syncs.reduce(into: []) { $0.formUnion($1.subjects) })
    }

    /// Prints the outcome: frames as words on standard error and settings as data on standard output, or all as one
    /// object.
    ///
    /// The time of a frame is its timestamp on the host's monotonic clock, in nanoseconds.
    func show(asJSON: Bool) throws {
        let report = CameraReport(device.identity, profile, state, automatic: automatic)
        guard asJSON else {
            for (subjects, sync) in syncs {
                guard let sync else { continue }
                let names = ManualSubject.allCases.filter(subjects.contains).map(\.rawValue)
                Console.say(
                    "\(names.joined(separator: ", ")): every frame from number \(sync.sequence) on has it"
                        + " (timestamp \(sync.deviceTime.nanoseconds) ns on \(Monotonic.clockName))\n"
                )
            }
            return try Console.output(report.text)
        }
        let frames = syncs.map { subjects, sync -> JSONValue in
            [
                "subjects": CameraReport.names(subjects), "sync": sync?.json ?? .null,
            ]
        }
        try Console.output(
            JSONValue.object(
                JSONObject([
                    ("camera", .string(device.identity.id)), ("profile", .string(profile.name)),
                    ("applied", .array(frames)), ("settings", CameraReport.settings(state)),
                    ("automatic", CameraReport.names(automatic)),
                ])
            ).text(.pretty))
    }
}
