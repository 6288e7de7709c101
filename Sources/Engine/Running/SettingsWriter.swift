internal import Devices
internal import Glibc
internal import Recipes
internal import Records
internal import Timebase

/// Writes a plan's settings to the camera and reads them back.
///
/// Allocates nothing once created.
///
/// Unsafe memory: the codes of all settings lie in one block that is made before the run.
///
/// Made while the run is prepared; ``keep(_:)`` comes before the stream, and then nothing changes but ``scratch``.
final class SettingsWriter {
    private let camera: any CameraDriver
    private let profile: CameraProfile
    /// The codes of all sets, one set behind the other.
    private var codes: UnsafeMutablePointer<ControlValue>
    /// By index of settings, where its codes lie.
    private let ranges: UnsafeMutablePointer<Range<Int>>
    /// One batch, as long as the longest set.
    private var scratch: UnsafeMutablePointer<ControlValue>
    /// By index, for where lenses come from.
    private let settings: [PlannedSettings]

    init(plan: Plan, camera: any CameraDriver) {
        self.camera = camera
        profile = plan.camera.profile
        settings = plan.settings
        codes = .allocate(capacity: 1)
        ranges = .allocate(capacity: max(1, plan.settings.count))
        scratch = .allocate(capacity: 1)
        fill { _ in [] }
    }

    /// Adds the codes of what is locked at `current`, once they are read: to each set that locks it so, since another
    /// set may have changed it in between.
    func keep(_ kept: [SavedControl]) {
        fill { settings in kept.filter { $0.isLocked(by: settings.requested) }.map(\.value) }
    }

    /// Lays all codes out again; allocates.
    private func fill(_ kept: (PlannedSettings) -> [ControlValue]) {
        let lists = settings.map { $0.codes + kept($0) }
        codes.deallocate()
        scratch.deallocate()
        codes = .allocate(capacity: max(1, lists.reduce(0) { $0 + $1.count }))
        scratch = .allocate(capacity: max(1, lists.map(\.count).max() ?? 0))
        var end = 0
        for (index, list) in lists.enumerated() {
            (ranges + index).initialize(to: end..<end + list.count)
            for code in list {
                (codes + end).initialize(to: code)
                end += 1
            }
        }
    }

    deinit {
        codes.deallocate()
        ranges.deallocate()
        scratch.deallocate()
    }

    /// The codes of a set of settings, in the order in which they are written; valid until ``keep(_:)`` is called.
    func codes(of settings: Int32) -> UnsafeBufferPointer<ControlValue> {
        let range = ranges[Int(settings)]
        return UnsafeBufferPointer(start: codes + range.lowerBound, count: range.count)
    }

    /// Where the lens goes before its place, for a set of settings; nil where it goes there at once.
    func approach(of settings: Int32) -> ControlValue? { self.settings[Int(settings)].lensApproach }

    /// Writes the codes of some groups of a set of settings, in one call.
    ///
    /// A write that the bus refuses (EIO, EILSEQ) is made once more, and reported.
    ///
    /// - Parameters:
    ///   - settings: the set.
    ///   - groups: which controls of it.
    ///   - isApproach: whether the lens goes beyond its place instead of there.
    ///   - report: receives a write that was made again.
    /// - Returns: 0, or the positive errno.
    func write(
        _ settings: Int32, _ groups: ControlGroups, isApproach: Bool = false,
        _ report: (RunEvent) -> Void
    ) -> Int32 {
        let start = isApproach ? approach(of: settings) : nil
        var count = 0
        for code in codes(of: settings) where groups.has(profile.group(of: code.control)) {
            let isStart = code.control == start?.control
            (scratch + count).initialize(to: isStart ? start ?? code : code)
            count += 1
        }
        if count == 0 { return 0 }
        let batch = UnsafeBufferPointer(start: scratch, count: count)
        return camera.writeTwice(batch) { report(.writeRepeated(settings: settings, errno: $0)) }
    }

    /// Reads back the controls of some groups of a set of settings.
    ///
    /// Not the mode of a trigger nor pins: only what a set of settings locks.
    ///
    /// - Parameters:
    ///   - settings: the set that was written.
    ///   - groups: which controls of it.
    ///   - isApproach: whether the lens was sent beyond its place instead of there.
    ///   - applied: takes what the device reads back.
    ///   - report: receives every control.
    func readBack(
        _ settings: Int32, _ groups: ControlGroups, isApproach: Bool = false,
        into applied: inout AppliedSettings, _ report: (RunEvent) -> Void
    ) {
        let start = isApproach ? approach(of: settings) : nil
        for code in codes(of: settings) where groups.has(profile.group(of: code.control)) {
            switch camera.read(code.control) {
            case .success(let found) where code.control == start?.control:
                report(
                    .lensApproach(
                        settings: settings, control: code.control,
                        asked: start?.code ?? code.code, found: found))
            case .success(let found):
                report(
                    .readBack(
                        settings: settings, control: code.control, asked: code.code, found: found))
                if let component = profile.component(of: code.control) {
                    applied[component] = profile.value(of: component, code: found)
                }
            case .failure:
                report(.readBackFailed(settings: settings, control: code.control))
                // A control that can't be read has an unknown value.
                if let component = profile.component(of: code.control) { applied[component] = nil }
            }
        }
    }
}
