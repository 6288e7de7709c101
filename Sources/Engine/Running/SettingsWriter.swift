internal import Cameras
internal import Glibc
internal import Recipes
internal import Records
internal import Timebase

/// Writes a plan's settings to the camera and reads them back.
///
/// Allocates nothing once created.
///
/// Unsafe memory: the codes of all settings lie in one block that is made before the run.
final class SettingsWriter {
    private let camera: any CameraDriver
    private let profile: CameraProfile
    private let codes: UnsafeMutablePointer<ControlValue>
    private let ranges: UnsafeMutablePointer<Range<Int>>
    private let scratch: UnsafeMutablePointer<ControlValue>
    private let settingsCount: Int

    init(plan: Plan, camera: any CameraDriver) {
        self.camera = camera
        profile = plan.camera.profile
        settingsCount = plan.settings.count
        codes = .allocate(capacity: max(1, plan.settings.reduce(0) { $0 + $1.codes.count }))
        ranges = .allocate(capacity: max(1, settingsCount))
        scratch = .allocate(capacity: max(1, plan.settings.map(\.codes.count).max() ?? 0))
        var end = 0
        for (index, settings) in plan.settings.enumerated() {
            let start = end
            for code in settings.codes {
                (codes + end).initialize(to: code)
                end += 1
            }
            (ranges + index).initialize(to: start..<end)
        }
    }

    deinit {
        codes.deallocate()
        ranges.deallocate()
        scratch.deallocate()
    }

    /// The codes of a set of settings.
    func codes(of settings: Int32) -> UnsafeBufferPointer<ControlValue> {
        let range = ranges[Int(settings)]
        return UnsafeBufferPointer(start: codes + range.lowerBound, count: range.count)
    }

    /// Writes the codes in which two sets differ; all if `previous` is −1.
    ///
    /// A refusal on the bus (EIO, EILSEQ) is tried once more.
    ///
    /// - Returns: 0, or the positive errno.
    func write(_ settings: Int32, after previous: Int32) -> Int32 {
        var count = 0
        for code in codes(of: settings) where previous < 0 || !codes(of: previous).contains(code) {
            (scratch + count).initialize(to: code)
            count += 1
        }
        if count == 0 { return 0 }
        let batch = UnsafeBufferPointer(start: scratch, count: count)
        let status = camera.write(batch)
        if status == -EIO || status == -EILSEQ { return -camera.write(batch) }
        return -status
    }

    /// Reads back every control of a set of settings.
    ///
    /// - Parameters:
    ///   - settings: the set that was written.
    ///   - applied: takes what the device says it has.
    ///   - report: is told of every control.
    func readBack(
        _ settings: Int32, into applied: inout AppliedSettings, _ report: (RunEvent) -> Void
    ) {
        for code in codes(of: settings) {
            switch camera.read(code.control) {
            case .success(let found):
                report(
                    .readBack(
                        settings: settings, control: code.control, asked: code.code, found: found))
                note(ControlValue(code.control, found), in: &applied)
            case .failure:
                report(.readBackFailed(settings: settings, control: code.control))
            }
        }
    }

    /// Turns a code that the device has into the value that it stands for.
    func note(_ value: ControlValue, in applied: inout AppliedSettings) {
        if let exposure = profile.exposure, exposure.control == value.control {
            applied.exposure = exposure.duration(ofCode: value.code)
        }
        if let gain = profile.gain, gain.control == value.control {
            applied.gainMillionths = gain.gain(ofCode: value.code).millionths
        }
        if let focus = profile.focus, focus.control == value.control {
            applied.lensMillionths = focus.position(ofCode: value.code)?.millionths
        }
    }
}
