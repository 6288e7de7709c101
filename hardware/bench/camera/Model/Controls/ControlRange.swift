/// What a setting accepts, how it starts, and how late it shows.
package struct ControlRange: Sendable, Equatable {
    package var minimum: Int
    package var maximum: Int
    package var step: Int
    package var standard: Int
    /// Frames between the one being exposed when the value is written and the first that shows it.
    package var latencyFrames: Int

    init(_ values: ClosedRange<Int>, step: Int = 1, standard: Int, latency: Int = 1) {
        minimum = values.lowerBound
        maximum = values.upperBound
        self.step = step
        self.standard = standard
        latencyFrames = latency
    }

    /// The camera as it comes: see the table in the README beside this target.
    package static func ordinary(_ setting: Setting) -> ControlRange {
        switch setting {
        case .autoExposure: ControlRange(1...8, standard: Setting.aperturePriority, latency: 0)
        case .exposure: ControlRange(1...5000, standard: 156, latency: 2)
        case .dynamicFrameRate: ControlRange(0...1, standard: 0, latency: 0)
        case .focus: ControlRange(0...250, standard: 0)
        case .autoFocus, .autoWhiteBalance: ControlRange(0...1, standard: 1, latency: 0)
        case .brightness: ControlRange(-64...64, standard: 0)
        case .contrast: ControlRange(0...64, standard: 32)
        case .hue: ControlRange(-40...40, standard: 0)
        case .saturation: ControlRange(0...128, standard: 64)
        case .sharpness: ControlRange(0...6, standard: 3)
        case .gamma: ControlRange(72...500, standard: 100)
        case .temperature: ControlRange(2800...6500, step: 10, standard: 4600)
        case .red, .blue: ControlRange(256...4095, standard: 1024)
        case .backlight: ControlRange(0...2, standard: 0)
        case .gain: ControlRange(16...255, standard: 16)
        case .powerLine: ControlRange(0...2, standard: 1, latency: 0)
        }
    }

    /// The nearest value that the control can take.
    func nearest(_ value: Int) -> Int {
        let clamped = min(max(value, minimum), maximum)
        let steps = (clamped - minimum + step / 2) / step
        return min(minimum + steps * step, maximum)
    }
}
