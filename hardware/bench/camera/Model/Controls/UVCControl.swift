/// One control of the camera terminal or the processing unit, as the UVC class knows it.
package struct UVCControl: Sendable {
    package let unit: UInt8
    package let selector: UInt8
    /// Its bit in the unit's `bmControls`.
    ///
    /// The driver writes the controls of a batch in this order.
    let bit: Int
    package let fields: [Field]

    package struct Field: Sendable {
        let setting: Setting
        let byteCount: Int
        var isSigned = false
    }

    package static let cameraTerminal: UInt8 = 1
    package static let processingUnit: UInt8 = 2
    package static let outputTerminal: UInt8 = 3

    package var byteCount: Int { fields.reduce(0) { $0 + $1.byteCount } }

    static func find(unit: UInt8, selector: UInt8) -> UVCControl? {
        all.first { $0.unit == unit && $0.selector == selector }
    }

    static func holding(_ setting: Setting) -> UVCControl? {
        all.first { $0.fields.contains { $0.setting == setting } }
    }

    /// The `bmControls` of a unit.
    static func bitmap(unit: UInt8, bytes count: Int) -> [UInt8] {
        var bits = 0
        for control in all where control.unit == unit { bits |= 1 << control.bit }
        var builder = ByteBuilder()
        builder.littleEndian(bits, bytes: count)
        return builder.bytes
    }

    private static func camera(
        _ selector: UInt8, bit: Int, _ setting: Setting, bytes: Int
    ) -> UVCControl {
        UVCControl(
            unit: cameraTerminal, selector: selector, bit: bit,
            fields: [Field(setting: setting, byteCount: bytes)])
    }

    private static func processing(
        _ selector: UInt8, bit: Int, _ setting: Setting, bytes: Int = 2, signed: Bool = false
    ) -> UVCControl {
        UVCControl(
            unit: processingUnit, selector: selector, bit: bit,
            fields: [Field(setting: setting, byteCount: bytes, isSigned: signed)])
    }

    /// Selectors and bits: USB Device Class Definition for Video Devices 1.1, tables 3-6, 3-8, A-12, A-13.
    package static let all: [UVCControl] = [
        camera(0x02, bit: 1, .autoExposure, bytes: 1),
        camera(0x03, bit: 2, .dynamicFrameRate, bytes: 1),
        camera(0x04, bit: 3, .exposure, bytes: 4),
        camera(0x06, bit: 5, .focus, bytes: 2),
        camera(0x08, bit: 17, .autoFocus, bytes: 1),
        processing(0x02, bit: 0, .brightness, signed: true),
        processing(0x03, bit: 1, .contrast),
        processing(0x06, bit: 2, .hue, signed: true),
        processing(0x07, bit: 3, .saturation),
        processing(0x08, bit: 4, .sharpness),
        processing(0x09, bit: 5, .gamma),
        processing(0x0A, bit: 6, .temperature),
        UVCControl(
            unit: processingUnit, selector: 0x0C, bit: 7,
            fields: [Field(setting: .blue, byteCount: 2), Field(setting: .red, byteCount: 2)]),
        processing(0x01, bit: 8, .backlight),
        processing(0x04, bit: 9, .gain),
        processing(0x05, bit: 10, .powerLine, bytes: 1),
        processing(0x0B, bit: 12, .autoWhiteBalance, bytes: 1),
    ]
}
