internal import Devices
internal import Imaging
internal import Timebase

/// What the sensor's registers hold for a frame.
struct SensorState: Hashable {
    /// Of a raw sensor, lines of a microsecond.
    var exposureMicroseconds: Int64 = 5_000
    var gainCode: Int64 = 64
    var focusCode: Int64 = 600
    var redCode: Int64 = 1024
    var blueCode: Int64 = 1024
    var temperature: Int64 = 5_000
    /// How far the lens is from where it was sent, in codes.
    var lensError: Float = 0

    /// All values, for the record.
    var codes: [ControlValue] {
        [
            ControlValue(SimulatedControls.exposure, exposureMicroseconds),
            ControlValue(SimulatedControls.gain, gainCode),
            ControlValue(SimulatedControls.focus, focusCode),
            ControlValue(SimulatedControls.red, redCode),
            ControlValue(SimulatedControls.blue, blueCode),
            ControlValue(SimulatedControls.temperature, temperature),
        ]
    }

    subscript(control: CameraControl) -> Int64? {
        get {
            switch control {
            case SimulatedControls.exposure: exposureMicroseconds
            case SimulatedControls.gain: gainCode
            case SimulatedControls.focus: focusCode
            case SimulatedControls.red: redCode
            case SimulatedControls.blue: blueCode
            case SimulatedControls.temperature: temperature
            default: nil
            }
        }
        set {
            guard let newValue else { return }
            switch control {
            case SimulatedControls.exposure: exposureMicroseconds = newValue
            case SimulatedControls.gain: gainCode = newValue
            case SimulatedControls.focus: focusCode = newValue
            case SimulatedControls.red: redCode = newValue
            case SimulatedControls.blue: blueCode = newValue
            case SimulatedControls.temperature: temperature = newValue
            default: break
            }
        }
    }
}

/// The controls of the simulated camera: values are read back at once, and show some frames later.
///
/// Injected: per-control latency; values refused while their automatic is on (errno 13, as uvcvideo does); clamping
/// of codes out of range in silence, as V4L2 does; writes that fail (errno 5) for controls that are to refuse.
struct SimulatedRegisters {
    /// A value that is on its way to the sensor.
    private struct Write {
        let control: CameraControl
        let code: Int64
        let fromFrame: Int64
    }

    /// What reads back: the last value of each control, also before the sensor shows it.
    private(set) var written = SensorState()
    /// What the frame that was asked for last was exposed with.
    private var shown = SensorState()
    private var pending: [Write] = []
    /// The automatics, which show at once; all are on at first.
    private var automatics: [CameraControl: Int64] = [
        SimulatedControls.exposureAutomatic: 3, SimulatedControls.focusAutomatic: 1,
        SimulatedControls.balanceAutomatic: 1,
    ]

    private let refused: Set<CameraControl>
    private let ignored: Set<CameraControl>
    private let extraLatency: Int64
    private let delays: SimulatedDelays
    /// The size whose line and frame a raw sensor's blanking is after; nil for a camera that keeps its own time.
    var rawSize: FrameSize?
    private(set) var blankingLines = SimulatedRawTiming.usualBlanking

    init(_ faults: SimulatedFaults, _ delays: SimulatedDelays) {
        refused = faults.refusedControls
        ignored = Set(faults.injected.ignoredControls.map(\.control))
        extraLatency = faults.injected.extraLatency
        self.delays = delays
    }

    /// Writes a control while frame `exposing` is being exposed.
    ///
    /// EIO for a control that is to refuse, EINVAL for one that is not there, EACCES while its automatic is on.
    ///
    /// - Returns: 0 or a negative errno.
    mutating func write(_ value: ControlValue, exposing frame: Int64) -> Int32 {
        if refused.contains(value.control) { return -5 }
        if automatics[value.control] != nil {
            automatics[value.control] = value.code
            return 0
        }
        if rawSize != nil, value.control == .verticalBlanking {
            let range = SimulatedRawTiming.blankingLines
            blankingLines = min(max(value.code, range.minimum), range.maximum)
            return 0
        }
        guard let description = Self.descriptions.first(where: { $0.control == value.control })
        else { return -22 }
        if isAutomatic(value.control) { return -13 }
        let code = min(max(value.code, description.minimum), description.maximum)
        written[value.control] = code
        // What is written before the stream starts has time to take hold.
        let isStreaming = frame >= 0
        if isStreaming, ignored.contains(value.control) { return 0 }
        let latency = delays.latency(of: value.control) + (isStreaming ? extraLatency : 0)
        pending.append(
            Write(control: value.control, code: code, fromFrame: frame + latency))
        return 0
    }

    /// The value that a control reads back.
    func read(_ control: CameraControl) -> Int64? {
        if let code = written[control] ?? automatics[control] { return code }
        guard let size = rawSize else { return nil }
        switch control {
        case .verticalBlanking: return blankingLines
        case .horizontalBlanking: return SimulatedRawTiming.linePixels - Int64(size.width)
        case .pixelRate: return SimulatedRawTiming.pixelRate
        default: return nil
        }
    }

    /// What a raw sensor reports of its timing.
    private var timing: [ControlDescription] {
        guard rawSize != nil else { return [] }
        let range = SimulatedRawTiming.blankingLines
        var list = [
            Self.describe(
                .verticalBlanking, "Vertical Blanking", range.minimum, range.maximum,
                SimulatedRawTiming.usualBlanking)
        ]
        for (control, label) in [
            (CameraControl.horizontalBlanking, "Horizontal Blanking"), (.pixelRate, "Pixel Rate"),
        ] {
            let code = read(control) ?? 0
            list.append(Self.describe(control, label, code, code, code))
        }
        return list
    }

    /// What frame `frame` is exposed with; frames are asked for in order.
    mutating func state(ofFrame frame: Int64) -> SensorState {
        for write in pending where write.fromFrame <= frame { shown[write.control] = write.code }
        pending.removeAll { $0.fromFrame <= frame }
        return shown
    }

    /// Lets the camera's own automatics, where they are on, go a quarter of the way that is left.
    mutating func runAutomatics(_ scene: SimulatedScene) {
        let gray = SimulatedAutomatics(scene, gainCode: shown.gainCode)
        func nearer(_ code: Int64, _ aim: Int64) -> Int64 {
            abs(aim - code) < 4 ? aim : code + (aim - code) / 4
        }
        for (control, aim) in gray.aims where isAutomatic(control) {
            guard let code = shown[control] else { continue }
            shown[control] = nearer(code, aim)
            written[control] = shown[control]
        }
    }

    /// All controls as a device lists them.
    func describe() -> [ControlDescription] {
        (Self.descriptions + timing).map { description in
            var description = description
            description.code = read(description.control)
            description.isInactive = isAutomatic(description.control)
            return description
        }
    }

    /// Whether a control belongs to an automatic that is on.
    private func isAutomatic(_ control: CameraControl) -> Bool {
        switch control {
        case SimulatedControls.exposure: automatics[SimulatedControls.exposureAutomatic] != 1
        case SimulatedControls.focus: automatics[SimulatedControls.focusAutomatic] != 0
        case SimulatedControls.red, SimulatedControls.blue, SimulatedControls.temperature:
            automatics[SimulatedControls.balanceAutomatic] != 0
        default: false
        }
    }

    private static let descriptions: [ControlDescription] = [
        describe(SimulatedControls.exposureAutomatic, "Auto Exposure", 0, 3, 3),
        describe(SimulatedControls.exposure, "Exposure Time (us)", 20, 2_000_000, 5_000),
        describe(SimulatedControls.gain, "Gain (64 = 1x)", 64, 1024, 64),
        describe(SimulatedControls.focusAutomatic, "Focus, Automatic", 0, 1, 1),
        describe(SimulatedControls.focus, "Focus, Absolute", 0, 1_000, 600),
        describe(SimulatedControls.balanceAutomatic, "White Balance, Automatic", 0, 1, 1),
        describe(SimulatedControls.red, "Red Balance", 256, 4096, 1024),
        describe(SimulatedControls.blue, "Blue Balance", 256, 4096, 1024),
        describe(SimulatedControls.temperature, "White Balance Temperature", 2_800, 6_500, 5_000),
    ]

    private static func describe(
        _ control: CameraControl, _ label: String, _ minimum: Int64, _ maximum: Int64,
        _ standard: Int64
    ) -> ControlDescription {
        ControlDescription(
            control: control, label: label, minimum: minimum, maximum: maximum, step: 1,
            defaultCode: standard, code: nil)
    }
}
