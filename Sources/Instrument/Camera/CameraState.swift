internal import Devices
internal import Logging

/// How a camera stood before it was looked at: its format and the values of its controls.
///
/// To ask a raw sensor for its timing it has to be put in its mode, and that moves its blanking and its exposure too.
/// What can't be restored is reported and does not fail the command: its answer is right all the same.
struct CameraState {
    private let camera: any CameraDriver
    private let found: CameraDescription

    /// Takes down how a camera stands.
    init(of camera: any CameraDriver) throws(DeviceError) {
        self.camera = camera
        found = try camera.describe()
    }

    /// Gives the camera back as it was: links and formats, then flips, the frame length, and the rest.
    func putBack() {
        camera.stop()
        write { $0.changesLayout }
        write { !$0.changesLayout && $0.control.isBlanking }
        write { !$0.changesLayout && !$0.control.isBlanking }
    }

    /// Writes those that have another value now.
    ///
    /// Left alone are controls that are gone, can't be written at the moment or move by themselves; a refusal is
    /// logged, not thrown.
    private func write(where isMeant: (ControlDescription) -> Bool) {
        guard let now = try? camera.controls() else { return }
        for control in found.controls
        where isMeant(control) && !control.isReadOnly && !control.isVolatile {
            guard let code = control.code,
                let present = now.first(where: { $0.control == control.control }),
                let other = present.code, other != code, !present.isReadOnly, !present.isInactive
            else { continue }
            let value = ControlValue(control.control, code)
            let status = withUnsafePointer(to: value) { pointer in
                camera.write(UnsafeBufferPointer(start: pointer, count: 1))
            }
            if status < 0 {
                Log.framelock.notice("\(control.control.name) could not be put back to \(code)")
            }
        }
    }
}
