internal import ArgumentParser
internal import Devices
internal import Instrument
internal import LiveControl
internal import Logging
internal import Notation

extension CameraCommand {
    /// `framelock camera lock`: keeps what the camera has.
    struct Lock: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Locks the camera where it is, with its automatics off.")

        @OptionGroup var options: CameraOptions
        @OptionGroup var flags: SubjectFlags

        func run() throws {
            try Console.run(asJSON: options.json) {
                let camera = try options.open()
                let (identity, profile) = (camera.device.identity, camera.presentProfile)
                let subjects = flags.subjects(of: profile)
                let session = try camera.session()
                let done = try Waiting.for {
                    let done = try await session.lock(subjects)
                    await session.end()
                    return done
                }
                try CameraOutcome([(subjects, done.sync)], identity, profile, session.state)
                    .tell(asJSON: options.json)
            }
        }
    }

    /// `framelock camera unlock`: gives the camera back to its own automatics.
    struct Unlock: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Switches the camera's own automatics on again.")

        @OptionGroup var options: CameraOptions
        @OptionGroup var flags: SubjectFlags

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
