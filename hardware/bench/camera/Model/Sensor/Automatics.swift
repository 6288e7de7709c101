/// The camera's automatic exposure, focus and white balance: each moves its values while it is on.
package struct Automatics: Sendable {
    /// The flat-field luma that auto exposure aims at.
    package static let targetLuma = 118.0
    /// Auto exposure rests within this many counts of its aim.
    static let toleranceLuma = 3.0

    let scene: Scene
    let behaviour: ControlBehaviour
    /// Frame period, the longest exposure unless the frame rate may drop.
    let periodNanoseconds: Int64

    /// What the automatics that are on change after a frame.
    ///
    /// - Parameters:
    ///   - values: the camera's registers.
    ///   - frame: the frame just read out; its picture is what they judge by.
    ///   - isPending: whether an earlier change of a setting has not reached the sensor yet.
    func changes(
        _ values: SettingValues, after frame: FrameTruth, isPending: (Setting) -> Bool
    ) -> [(setting: Setting, value: Int)] {
        var changes: [(setting: Setting, value: Int)] = []
        if values.isOn(.autoExposure), !isPending(.exposure), !isPending(.gain) {
            changes += exposureChanges(values, frame)
        }
        if values.isOn(.autoFocus), !isPending(.focus) {
            changes.append((.focus, approach(values[.focus], scene.bestFocus, .focus)))
        }
        if values.isOn(.autoWhiteBalance) {
            let aims: [(Setting, Int)] = [
                (.temperature, scene.illuminantKelvin), (.red, 1024), (.blue, 1024),
            ]
            for (setting, aim) in aims where !isPending(setting) {
                changes.append((setting, approach(values[setting], aim, setting)))
            }
        }
        return changes.filter { values[$0.setting] != $0.value }
    }

    /// Corrects half of the error each time, by at most a factor of two; exposure first, gain for the rest.
    private func exposureChanges(
        _ values: SettingValues, _ frame: FrameTruth
    ) -> [(setting: Setting, value: Int)] {
        let base = Double(scene.blackLevel + frame.brightness)
        let seen = min(
            scene.luma(
                exposureNanoseconds: frame.exposureNanoseconds, gain: frame.gain,
                brightness: frame.brightness), 255)
        guard abs(seen - Self.targetLuma) > Self.toleranceLuma else { return [] }
        let ratio = (Self.targetLuma - base) / max(seen - base, 1)
        let factor = 1 + (min(max(ratio, 0.25), 3) - 1) / 2
        let units = Double(frame.exposureNanoseconds) / 100_000
        let wanted = units * Double(frame.gain) / 16 * factor
        let exposures = behaviour.range(.exposure)
        let longest =
            values[.dynamicFrameRate] == 1
            ? exposures.maximum : max(1, Int(periodNanoseconds / 100_000))
        let exposure = min(exposures.nearest(Int(wanted.rounded(.up))), longest)
        let gain = behaviour.range(.gain).nearest(Int((16 * wanted / Double(exposure)).rounded()))
        return [(.exposure, exposure), (.gain, gain)]
    }

    /// A quarter of the way to the aim, at least one step.
    private func approach(_ value: Int, _ aim: Int, _ setting: Setting) -> Int {
        let range = behaviour.range(setting)
        let distance = aim - value
        guard abs(distance) >= range.step else { return value }
        let stride = max(abs(distance) / 4, range.step)
        return range.nearest(value + (distance > 0 ? stride : -stride))
    }
}
