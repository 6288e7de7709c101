internal import ArgumentParser
internal import Devices
internal import Instrument
internal import LiveControl
internal import Logging
internal import Notation

extension CameraCommand {
    /// `framelock camera lock`: keeps what the camera has.
    ///
    /// Streams, since a lock is done only with the first frame that surely shows it.
    struct Lock: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Locks the camera where it is, with its automatic modes off; all of it, if no part is named."
        )

        @OptionGroup var options: CameraOptions
        @OptionGroup var flags: SubjectFlags

        /// Locks, waits for the frame that shows it, ends the stream, and prints what the camera then has.
        func run() throws {
            try Console.run(asJSON: options.json) {
                let camera = try options.open()
                let (device, profile) = (camera.device, camera.presentProfile)
                let subjects = flags.subjects(of: profile)
                let session = try camera.session()
                let done = try Waiting.for {
                    let done = try await session.lock(subjects)
                    await session.end()
                    return done
                }
                try CameraOutcome([(subjects, done.sync)], device, profile, session.state)
                    .show(asJSON: options.json)
            }
        }
    }

    /// `framelock camera unlock`: gives the camera back to its own automatics.
    ///
    /// Writes controls without a stream. A subject without an automatic in the profile is named in a notice and left as
    /// it is; that is no failure.
    struct Unlock: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Switches the camera's own automatic modes on again; all, if none is named.")

        @OptionGroup var options: CameraOptions
        @OptionGroup var flags: SubjectFlags

        /// Releases, then reads again what the camera has and which automatics are on.
        func run() throws {
            try Console.run(asJSON: options.json) {
                let camera = try options.open()
                let wanted = flags.subjects(of: camera.profile)
                let released = try CameraSession.release(
                    wanted, of: camera.world, profile: camera.profile)
                for subject in ManualSubject.allCases
                where wanted.contains(subject) && !released.contains(subject) {
                    Console.log.notice(
                        "\(subject.rawValue): the camera has no automatic that profile `\(camera.profile.name)` names"
                    )
                }
                let state = try CameraSession.reading(
                    of: camera.world, profile: camera.presentProfile)
                let automatic = CameraSession.automatic(
                    in: try camera.world.camera.describe().controls, profile: camera.profile)
                let report = CameraReport(
                    camera.device.identity, camera.profile, state, automatic: automatic)
                try Console.output(options.json ? report.json.text(.pretty) : report.text)
            }
        }
    }
}
