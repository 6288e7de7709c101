internal import ArgumentParser
internal import Devices
internal import Instrument
internal import LiveControl
internal import Notation

/// `framelock camera`: a camera by hand, at the bench.
///
/// Settings stay when a subcommand ends: the camera is stopped, not put back.
struct CameraCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "camera",
        abstract: "Shows, sets, locks and watches a camera's manual controls, and its picture.",
        subcommands: [
            Status.self, SetControls.self, Lock.self, Unlock.self, Watch.self, Preview.self,
        ],
        defaultSubcommand: Status.self)

    /// `framelock camera status`: how the camera stands.
    ///
    /// Reads the controls without a stream, and changes nothing.
    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the current settings as a `lock:` block for a recipe.")

        @OptionGroup var options: CameraOptions

        /// Reads and prints; a raw sensor's lines are converted to time by the format that is set now.
        func run() throws {
            try Console.run(asJSON: options.json) {
                let camera = try options.open()
                let profile = camera.presentProfile
                let state = try CameraSession.reading(of: camera.world, profile: profile)
                let automatic = CameraSession.automatic(
                    in: camera.device.controls, profile: profile)
                let report = CameraReport(
                    camera.device.identity, profile, state, automatic: automatic)
                try Console.output(options.json ? report.json.text(.pretty) : report.text)
            }
        }
    }
}

/// Which of exposure, focus and white balance a command means; none named means all that the camera has.
struct SubjectFlags: ParsableArguments {
    @Flag(help: "Exposure and gain.")
    var exposure = false
    @Flag(help: "The lens.")
    var focus = false
    @Flag(help: "White balance.")
    var whiteBalance = false

    /// The subjects that are meant.
    ///
    /// - Parameter profile: decides what the camera has where no flag names anything: a subject with a control.
    /// - Returns: what is named, supported or not: the session refuses what the camera can't do.
    func subjects(of profile: CameraProfile) -> Set<ManualSubject> {
        let named: [(ManualSubject, Bool)] = [
            (.exposure, exposure), (.focus, focus), (.whiteBalance, whiteBalance),
        ]
        let chosen = named.filter(\.1).map(\.0)
        if !chosen.isEmpty { return Set(chosen) }
        return Set(ManualSubject.allCases.filter { !profile.controls(of: $0).isEmpty })
    }
}
