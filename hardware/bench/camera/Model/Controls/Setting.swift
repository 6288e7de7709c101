/// A value that the host can set, by its V4L2 name.
package enum Setting: Int, CaseIterable, Sendable {
    case autoExposure, exposure, dynamicFrameRate, focus, autoFocus
    case brightness, contrast, hue, saturation, sharpness, gamma
    case temperature, blue, red, backlight, gain, powerLine, autoWhiteBalance

    /// The name under which v4l2-ctl shows it.
    package var name: String {
        switch self {
        case .autoExposure: "auto_exposure"
        case .exposure: "exposure_time_absolute"
        case .dynamicFrameRate: "exposure_dynamic_framerate"
        case .focus: "focus_absolute"
        case .autoFocus: "focus_automatic_continuous"
        case .brightness: "brightness"
        case .contrast: "contrast"
        case .hue: "hue"
        case .saturation: "saturation"
        case .sharpness: "sharpness"
        case .gamma: "gamma"
        case .temperature: "white_balance_temperature"
        case .blue: "blue_balance"
        case .red: "red_balance"
        case .backlight: "backlight_compensation"
        case .gain: "gain"
        case .powerLine: "power_line_frequency"
        case .autoWhiteBalance: "white_balance_automatic"
        }
    }

    /// The setting with this V4L2 name or short name (`exposure`, `focus`, `temperature`, `red`, `blue`).
    package init?(named text: String) {
        let short: [(String, Setting)] = [
            ("exposure", .exposure), ("focus", .focus), ("temperature", .temperature),
            ("red", .red), ("blue", .blue),
        ]
        if let match = short.first(where: { $0.0 == text }) {
            self = match.1
        } else if let match = Setting.allCases.first(where: { $0.name == text }) {
            self = match
        } else {
            return nil
        }
    }

    /// The automatic that moves this setting while it is on.
    var master: Setting? {
        switch self {
        case .exposure: .autoExposure
        case .focus: .autoFocus
        case .temperature, .red, .blue: .autoWhiteBalance
        default: nil
        }
    }

    /// UVC auto-exposure modes are a bit mask: 1 manual, 8 aperture priority.
    package static let manualExposure = 1
    package static let aperturePriority = 8
}

/// A value for every setting.
package struct SettingValues: Sendable, Equatable {
    private var values: [Int]

    /// All settings as the given function says.
    package init(_ value: (Setting) -> Int) { values = Setting.allCases.map(value) }

    package subscript(_ setting: Setting) -> Int {
        get { values[setting.rawValue] }
        set { values[setting.rawValue] = newValue }
    }

    /// Whether an automatic (`autoExposure`, `autoFocus`, `autoWhiteBalance`) is on.
    package func isOn(_ automatic: Setting) -> Bool {
        automatic == .autoExposure
            ? self[.autoExposure] != Setting.manualExposure : self[automatic] != 0
    }
}
