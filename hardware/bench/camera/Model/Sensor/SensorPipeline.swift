/// Delays each setting by its latency: what the host writes reaches a frame later.
package struct SensorPipeline: Sendable {
    private struct Pending: Sendable {
        let frame: Int
        let setting: Setting
        let value: Int
    }

    private var current: SettingValues
    private var pending: [Pending] = []

    package init(_ values: SettingValues) { current = values }

    /// Takes a value over for the frames from `frame` on.
    mutating func schedule(_ setting: Setting, _ value: Int, from frame: Int) {
        pending.append(Pending(frame: frame, setting: setting, value: value))
    }

    /// Takes a value over at once; earlier values still under way are overtaken.
    mutating func set(_ setting: Setting, _ value: Int) {
        pending.removeAll { $0.setting == setting }
        current[setting] = value
    }

    /// The settings of a frame; frames are asked for in order.
    mutating func settings(forFrame frame: Int) -> SettingValues {
        for change in pending where change.frame <= frame {
            current[change.setting] = change.value
        }
        pending.removeAll { $0.frame <= frame }
        return current
    }

    /// The settings of a coming frame as far as is known now.
    func forecast(frame: Int) -> SettingValues {
        var copy = self
        return copy.settings(forFrame: frame)
    }

    /// Whether a value of this setting is still on its way.
    func isPending(_ setting: Setting) -> Bool { pending.contains { $0.setting == setting } }

    /// Nothing is on its way any more: a stopped sensor takes over what it was told.
    mutating func settle() {
        for change in pending { current[change.setting] = change.value }
        pending.removeAll()
    }
}
