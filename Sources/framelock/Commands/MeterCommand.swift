internal import ArgumentParser
internal import Devices
internal import Imaging
internal import Instrument
internal import LiveControl
internal import Notation
internal import Recipes
internal import Timebase

/// `framelock meter`: a camera as a light meter.
///
/// It needs a profile with an exposure in time and a gain with its ISO; without the aperture nothing is known of the
/// light.
struct MeterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meter",
        abstract: "Measures the light with a camera: EV100, offset from the target, equivalents.",
        discussion: """
            The target is a mean of 0.18 of full scale, as of a grey card. `offset` is how many EV brighter the \
            picture is, `right` the exposure duration that meets the target at the same gain. Of --aperture, --iso \
            and --exposure for another camera, any two give the third, and `alike` the three that expose as `right` \
            does. The camera's own aperture comes from its profile, or from --camera-aperture.
            """)

    /// The f-number, with or without `f/`; goes before the profile's.
    @OptionGroup var options: CameraOptions
    @Option(help: ArgumentHelp("The aperture of this camera's lens.", valueName: "f/N"))
    var cameraAperture: String?
    /// Of another camera; with ``iso`` or ``exposure``, from which the third follows.
    @Option(help: ArgumentHelp("Aperture of another camera, for example f/8.", valueName: "f/N"))
    var aperture: String?
    /// Of another camera, as a whole ISO value.
    @Option(help: ArgumentHelp("ISO of another camera.", valueName: "iso"))
    var iso: String?
    /// Of another camera, a duration with its unit.
    @Option(help: ArgumentHelp("Exposure duration of another camera.", valueName: "duration"))
    var exposure: String?
    /// Exposure and gain are locked where they are; saturated parts make the reading a lower bound, which the report
    /// states.
    @Flag(help: "Meter with the exposure that the camera has, instead of metering it first.")
    var asIs = false

    /// Reads the options first, then meters with a session and reports.
    ///
    /// Metering moves exposure and gain, and leaves them where the routine ended. The session is closed without waiting
    /// for the camera to stop: nothing more is asked of it.
    func run() throws {
        try Console.run(asJSON: options.json) {
            let wanted = try WantedTriple(self)
            let camera = try options.open()
            let profile = camera.profile
            let lens = try ownAperture(profile)
            let session = try camera.session()
            let asIs = asIs
            let state = try Waiting.for {
                if asIs {
                    try await session.lock([.exposure])
                } else {
                    try await session.setExposure(.auto)
                }
                defer { session.close() }
                return session.state
            }
            let report = try MeterReport(state, profile, aperture: lens, wanted)
            try Console.output(options.json ? report.json.text(.pretty) : report.text)
        }
    }

    /// This lens's f-number in thousandths: typed, else the profile's.
    ///
    /// - Throws: ``Failure`` with exit code 64 where neither has it.
    private func ownAperture(_ profile: CameraProfile) throws -> Int64 {
        if let cameraAperture {
            return try Typed("--camera-aperture", cameraAperture, Self.thousandths).value
        }
        if let aperture = profile.aperture { return aperture.thousandths }
        throw Failure.usage(
            "camera profile `\(profile.name)` does not state the lens's aperture, without which light can't be"
                + " measured: give it with --camera-aperture, for example f/2.8")
    }

    /// An aperture in thousandths: `f/2.8` or `2.8`, from f/0.1 to f/1000.
    static func thousandths(_ text: String) throws(QuantityProblem) -> Int64 {
        let number = text.hasPrefix("f/") ? String(text.dropFirst(2)) : text
        let thousandths = try Quantity.signedThousandths(number)
        guard LightReading.apertures.contains(thousandths) else {
            throw QuantityProblem(
                "out-of-range", "\(text) is outside f/0.1 to f/1000", hint: "write f/2.8",
                part: 0..<0)
        }
        return thousandths
    }
}

/// Two of aperture, ISO and duration, from which the third follows.
///
/// All three are nil where no equivalent is wanted; otherwise exactly one of them is.
struct WantedTriple {
    /// The f-number in thousandths.
    let aperture: Int64?
    /// ISO in thousandths, as light readings count it.
    let isoThousandths: Int64?
    let exposure: Interval?

    /// Reads the options.
    ///
    /// - Throws: ``Failure`` with exit code 64 for one or three of them, and for values that can't be read.
    init(_ command: MeterCommand) throws {
        aperture = try command.aperture.map {
            try Typed("--aperture", $0, MeterCommand.thousandths).value
        }
        isoThousandths = try command.iso.map {
            try Typed("--iso", $0, Quantity.iso).value * 1_000
        }
        exposure = try command.exposure.map {
            try Typed("--exposure", $0, Quantity.duration).value
        }
        let count = [aperture != nil, isoThousandths != nil, exposure != nil].filter { $0 }.count
        guard count == 0 || count == 2 else {
            throw Failure.usage(
                "of --aperture, --iso and --exposure give two, and the third follows; or none")
        }
    }

    /// The triple that exposes alike; nil if none is wanted, or it is out of range.
    func equivalent(to reading: LightReading) -> LightReading? {
        switch (aperture, isoThousandths, exposure) {
        case (let aperture?, let iso?, nil):
            reading.equivalent(apertureThousandths: aperture, isoThousandths: iso)
        case (let aperture?, nil, let exposure?):
            reading.equivalent(apertureThousandths: aperture, exposure: exposure)
        case (nil, let iso?, let exposure?):
            reading.equivalent(exposure: exposure, isoThousandths: iso)
        default: nil
        }
    }

    /// Whether one is wanted.
    var isWanted: Bool { aperture != nil || isoThousandths != nil || exposure != nil }
}
