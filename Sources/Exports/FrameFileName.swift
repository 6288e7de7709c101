internal import Devices
internal import Recipes
internal import Records

/// What the file of a frame is called: its slot, then what tells it from others: label, lights, rounds, and the
/// settings in which the plan's differ.
///
/// For example `000012_dark_red+uv_round-2-0_exposure-2.5ms_gain-2.tif`. The slot alone makes it the only one.
struct FrameFileName {
    /// File systems take 255 bytes, extension included.
    private static let longestStem = 200
    /// The settings in which frames differ, white balance only as a temperature or as gains.
    private let components: [SettingComponent]
    private let run: RecordedRun

    init(_ run: RecordedRun) {
        self.run = run
        let settings = run.plan.settings
        components = SettingComponent.all.filter { component in
            Set(settings.map { $0.requested.asked(component) }).count > 1
        }
    }

    /// The name without its extension.
    func stem(of entry: LedgerEntry) -> String {
        let row = entry.row
        let digits = "\(row.slot)"
        var parts = [String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits]
        if let label = run.label(ofStep: row.step) { parts.append(Self.portable(label)) }
        let lights = run.lights(of: entry.place)
        if !lights.isEmpty { parts.append(Self.portable(lights)) }
        if !entry.place.rounds.isEmpty {
            parts.append("round-" + entry.place.rounds.map(String.init).joined(separator: "-"))
        }
        let requested = run.plan.settings[Int(row.settings)].requested
        for component in components {
            guard let value = requested.asked(component) else { continue }
            parts.append("\(Self.portable(component.name))-\(Self.text(component, value))")
        }
        return String(parts.joined(separator: "_").prefix(Self.longestStem))
    }

    private static func text(_ component: SettingComponent, _ value: Int64) -> String {
        switch component {
        case .exposure: FixedPoint.shortText(value, places: 6) + "ms"
        case .temperature: "\(value)K"
        case .gain, .lens, .redGain, .blueGain: FixedPoint.shortText(value, places: 6)
        }
    }

    /// ASCII letters, digits, `+`, `.` and `-`: what every file system and every shell takes as it is.
    private static func portable(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar -> Character in
                let isPlain =
                    scalar.isASCII
                    && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                return isPlain || "+.-".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
            })
    }
}
