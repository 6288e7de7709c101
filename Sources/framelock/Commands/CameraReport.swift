internal import Devices
internal import LiveControl
internal import Notation
internal import Recipes
internal import Timebase

/// How a camera stands, for people as a `lock:` block that a recipe takes as it is, and for programs.
///
/// What is printed can be pasted: durations, gains and positions are exact, in the units of recipes.
struct CameraReport {
    private let identity: CameraIdentity
    private let profile: CameraProfile
    /// What was read back from the device; a setting that can't be read is nil, and left out.
    private let state: ManualState
    /// Subjects that an automatic of the camera decides on now, so that their values may be others a moment later.
    private let automatic: Set<ManualSubject>

    init(
        _ identity: CameraIdentity, _ profile: CameraProfile, _ state: ManualState,
        automatic: Set<ManualSubject>
    ) {
        self.identity = identity
        self.profile = profile
        self.state = state
        self.automatic = automatic
    }

    /// A block of YAML, with comments on top: which camera and profile, and which values may move by themselves.
    var text: String {
        var lines = ["# camera \(identity.id), profile \(profile.name)"]
        let subjects = ManualSubject.allCases.filter { automatic.contains($0) }
        if !subjects.isEmpty {
            let list = subjects.map(\.rawValue).joined(separator: ", ")
            lines.append("# on automatic, so these may move: \(list)")
        }
        let block = Self.lock(state)
        lines += block.isEmpty ? ["# nothing that could be locked"] : ["lock:"] + block
        return lines.joined(separator: "\n")
    }

    /// The lines under `lock:`.
    ///
    /// Gain is written as a gain and never as ISO, which depends on the profile; empty where nothing could be read.
    private static func lock(_ state: ManualState) -> [String] {
        var lines: [String] = []
        if let lens = state.lens { lines.append("  focus: {lens: \(lens.decimal)}") }
        let exposure = [
            state.duration.map { "duration: \($0)" }, state.gain.map { "gain: \($0)" },
        ].compactMap { $0 }
        if !exposure.isEmpty {
            lines.append("  exposure: {\(exposure.joined(separator: ", "))}")
        }
        if let balance = state.balance { lines.append("  white_balance: \(text(balance))") }
        return lines
    }

    /// A white balance as a mapping of recipes; a tint of 0 is left out.
    private static func text(_ balance: WhiteBalance) -> String {
        switch balance {
        case .gains(let red, let green, let blue):
            return "{red: \(red.decimal), green: \(green.decimal), blue: \(blue.decimal)}"
        case .temperature(let kelvin, let tint):
            return tint == 0
                ? "{temperature: \(kelvin) K}"
                : "{temperature: \(kelvin) K, tint: \(signed(tint, unit: 1_000))}"
        case .chromaticity(let x, let y):
            return "{x: \(signed(x, unit: 1_000_000)), y: \(signed(y, unit: 1_000_000))}"
        }
    }

    /// A signed count of parts as an exact decimal.
    private static func signed(_ parts: Int64, unit: UInt64) -> String {
        (parts < 0 ? "-" : "") + decimalText(parts.magnitude, unit: unit)
    }

    /// One object.
    var json: JSONValue {
        [
            "camera": .string(identity.id),
            "profile": .string(profile.name),
            "settings": Self.settings(state),
            "automatic": Self.names(automatic),
        ]
    }

    /// The names of subjects, in the order in which all are declared.
    static func names(_ subjects: Set<ManualSubject>) -> JSONValue {
        .array(ManualSubject.allCases.filter(subjects.contains).map { .string($0.rawValue) })
    }

    /// The settings, as plans write them.
    ///
    /// What could not be read is `free`, as in a plan that leaves it to the camera.
    static func settings(_ state: ManualState) -> JSONValue {
        FrameSettings(
            exposure: state.duration.map { .value($0) } ?? .free,
            gain: state.gain.map { .value($0) } ?? .free,
            lens: state.lens.map { .value($0) } ?? .free,
            whiteBalance: state.balance.map { .value($0) } ?? .free
        ).json
    }
}

extension SyncTime {
    /// The frame, as programs read it: the driver's number and its timestamp, with the clock that it is of.
    var json: JSONValue {
        [
            "sequence": .integer(Int64(sequence)),
            "clock": .string("\(Monotonic.clockName)"),
            "timestamp_ns": .integer(deviceTime.nanoseconds),
        ]
    }
}
