/// The camera's registers: what the host wrote, or an automatic moved, last.
///
/// What frames show lags behind.
package struct ControlBank: Sendable {
    package private(set) var values: SettingValues
    private let behaviour: ControlBehaviour
    private var chance: SeededGenerator
    /// Answer to the next request for the error code: why the last control request was stalled.
    package private(set) var lastRefusal: ControlRefusal?

    package init(behaviour: ControlBehaviour) {
        self.behaviour = behaviour
        chance = SeededGenerator(seed: behaviour.seed)
        values = SettingValues { behaviour.range($0).standard }
    }

    /// Back to the values of a camera that was just plugged in.
    mutating func reset() { values = SettingValues { behaviour.range($0).standard } }

    /// The camera itself moves a setting.
    mutating func move(_ setting: Setting, to value: Int) { values[setting] = value }

    /// Answers a GET request of the UVC class.
    mutating func read(
        _ request: UVCRequest, of control: UVCControl
    ) throws(ControlRefusal) -> [UInt8] {
        lastRefusal = nil
        switch request {
        case .getCurrent: return encode(control) { values[$0] }
        case .getMinimum: return encode(control) { behaviour.range($0).minimum }
        case .getMaximum: return encode(control) { behaviour.range($0).maximum }
        case .getResolution: return encode(control, resolution)
        case .getDefault: return encode(control) { behaviour.range($0).standard }
        case .getLength: return [UInt8(control.byteCount), 0]
        case .getInformation: return [information(control)]
        case .setCurrent: throw refuse(.invalidRequest)
        }
    }

    /// Accepts or refuses a SET_CUR request.
    ///
    /// - Returns: the settings that the sensor is to take over, with their values.
    mutating func write(
        _ bytes: [UInt8], to control: UVCControl
    ) throws(ControlRefusal) -> [(setting: Setting, value: Int)] {
        lastRefusal = nil
        guard bytes.count == control.byteCount else { throw refuse(.invalidRequest) }
        var accepted: [(setting: Setting, value: Int)] = []
        var position = 0
        for field in control.fields {
            let part = bytes[position..<(position + field.byteCount)]
            let value = field.isSigned ? part.littleEndianSigned : part.littleEndianUnsigned
            position += field.byteCount
            if let refusal = reasonToRefuse(field.setting, value) { throw refuse(refusal) }
            accepted.append((field.setting, value))
        }
        let isMoot = accepted.contains { isAutomatic($0.setting) }
        if isMoot, behaviour.whileAutomatic == .ignore { return [] }
        for (setting, value) in accepted { values[setting] = value }
        return accepted.filter { !behaviour.ignored.contains($0.setting) && !isLost($0.setting) }
    }

    private mutating func isLost(_ setting: Setting) -> Bool {
        guard let loss = behaviour.losses.first(where: { $0.setting == setting }) else {
            return false
        }
        return Int(chance.next() % 1000) < loss.perThousand
    }

    /// Remembers why a request is stalled, for the host to ask.
    mutating func refuse(_ reason: ControlRefusal) -> ControlRefusal {
        lastRefusal = reason
        return reason
    }

    private func reasonToRefuse(_ setting: Setting, _ value: Int) -> ControlRefusal? {
        if let always = behaviour.refusals.first(where: { $0.setting == setting }) {
            return always.reason
        }
        if behaviour.whileAutomatic == .refuse, isAutomatic(setting) { return .wrongState }
        let range = behaviour.range(setting)
        let isKnown =
            setting == .autoExposure
            ? value == Setting.manualExposure || value == Setting.aperturePriority
            : (range.minimum...range.maximum).contains(value)
        return isKnown ? nil : .outOfRange
    }

    private func isAutomatic(_ setting: Setting) -> Bool {
        setting.master.map { values.isOn($0) } ?? false
    }

    private func resolution(_ setting: Setting) -> Int {
        // For the exposure mode the resolution is the mask of the modes that exist.
        setting == .autoExposure
            ? Setting.manualExposure | Setting.aperturePriority : behaviour.range(setting).step
    }

    /// GET and SET, "disabled by an automatic" and "changes by itself".
    private func information(_ control: UVCControl) -> UInt8 {
        var flags: UInt8 = 0x03
        if control.fields.contains(where: { isAutomatic($0.setting) }) { flags |= 0x04 }
        if control.fields.contains(where: { $0.setting.master != nil || $0.setting == .gain }) {
            flags |= 0x08
        }
        return flags
    }

    func encode(_ control: UVCControl, _ value: (Setting) -> Int) -> [UInt8] {
        var builder = ByteBuilder()
        for field in control.fields {
            builder.littleEndian(value(field.setting), bytes: field.byteCount)
        }
        return builder.bytes
    }
}

/// The class requests of UVC, by their codes.
package enum UVCRequest: UInt8, Sendable {
    case setCurrent = 0x01
    case getCurrent = 0x81
    case getMinimum = 0x82
    case getMaximum = 0x83
    case getResolution = 0x84
    case getLength = 0x85
    case getInformation = 0x86
    case getDefault = 0x87
}
