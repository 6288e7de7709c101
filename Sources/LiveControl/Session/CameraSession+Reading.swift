public import Devices
internal import Timebase

extension CameraSession {
    /// How a camera stands, read from its controls without a stream.
    ///
    /// - Parameters:
    ///   - world: the camera; it stays the caller's.
    ///   - profile: what is known of it.
    /// - Throws: `DeviceError` if a control that the profile names can't be read.
    public static func reading(
        of world: any World, profile: CameraProfile
    ) throws(DeviceError) -> ManualState {
        var machine = ManualCamera(
            profile: profile, options: ManualOptions(cameraID: world.camera.identity.id))
        for action in machine.begin() {
            guard case .perform(let exchange) = action else { continue }
            let result = ControlPort(world: world).perform(exchange)
            if let failure = result.failure { throw failure }
            _ = machine.handle(.performed(result), at: world.now())
        }
        return machine.state
    }

    /// Gives subjects back to the camera's own automatics, without a stream.
    ///
    /// An automatic is switched on by the value that its control starts with, where that is another one than the
    /// profile's for "off".
    ///
    /// - Returns: the subjects that have an automatic and have it on now.
    /// - Throws: `DeviceError` if the camera refuses.
    public static func release(
        _ subjects: Set<ManualSubject>, of world: any World, profile: CameraProfile
    ) throws -> Set<ManualSubject> {
        let controls = try world.camera.describe().controls
        var released: Set<ManualSubject> = []
        for subject in ManualSubject.allCases where subjects.contains(subject) {
            for off in profile.automaticsOff(of: subject) {
                guard let control = controls.first(where: { $0.control == off.control }),
                    control.defaultCode != off.code
                else { continue }
                let on = ControlValue(control.control, control.defaultCode)
                let result = ControlPort(world: world).perform(
                    ControlExchange([.write([on], isOptional: false)]))
                if let failure = result.failure { throw failure }
                released.insert(subject)
            }
        }
        return released
    }

    /// The subjects that an automatic of the camera decides on at the moment.
    public static func automatic(
        in controls: [ControlDescription], profile: CameraProfile
    ) -> Set<ManualSubject> {
        Set(
            ManualSubject.allCases.filter { subject in
                profile.automaticsOff(of: subject).contains { off in
                    controls.contains {
                        $0.control == off.control && $0.code != nil && $0.code != off.code
                    }
                }
            })
    }
}
