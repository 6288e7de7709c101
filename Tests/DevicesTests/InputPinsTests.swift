import Devices
import Testing
import Timebase

/// What is pinned on one input of a device that has several.
struct InputPinsTests {
    private static let brightness = CameraControl(rawValue: 0x0098_0900)
    private static let contrast = CameraControl(rawValue: 0x0098_0901)

    private static var grabber: CameraProfile {
        var profile = CameraProfile(
            name: "grabber",
            timestamps: TimestampModel(point: .endOfReadout, delay: .zero, readout: .zero))
        profile.pinned = [ControlValue(brightness, 1), ControlValue(contrast, 128)]
        profile.inputs = [
            InputPins(name: "Webcam", pinned: [ControlValue(brightness, 128)]),
            InputPins(name: "HDMI", pinned: [ControlValue(brightness, 512)]),
            InputPins(name: "HDMI 000-1", pinned: [ControlValue(brightness, 640)]),
        ]
        return profile
    }

    @Test(
        arguments: [
            ("HDMI 000-0", 512), ("HDMI 000-1", 640), ("Webcam 000-0", 128), ("Webc", 128),
            ("TV", 1),
        ] as [(String, Int64)])
    func `an input's own pins take the place of those of any`(input: String, code: Int64) {
        let profile = Self.grabber.pinned(on: input)
        #expect(profile.pinned.first { $0.control == Self.brightness }?.code == code)
        #expect(profile.pinned.first { $0.control == Self.contrast }?.code == 128)
        #expect(profile.pinned.count == 2)
        #expect(profile.inputs.isEmpty, "chosen once")
        #expect(profile.pinned(on: "Webcam").pinned == profile.pinned)
    }

    @Test func `without an input nothing is pinned that holds for one`() {
        let profile = Self.grabber.pinned(on: nil)
        #expect(profile.pinned == Self.grabber.pinned && profile.inputs.isEmpty)
    }

    @Test(
        arguments: [
            ("HDMI 000-1", "HDMI 000-1"), ("2", "HDMI 000-1"), ("Web", "Webcam 000-0"),
            ("HDMI", nil),
            ("5", nil), (nil, "Webcam 000-0"),
        ] as [(String?, String?)])
    func `a name, its unique start or a number means an input`(wanted: String?, found: String?) {
        var device = CameraDescription(
            identity: CameraIdentity(
                id: "x", name: "", driver: "", bus: "", backend: "", path: ""),
            formats: [], controls: [], inputs: ["Webcam 000-0", "HDMI 000-0", "HDMI 000-1"])
        device.selectedInput = "Webcam 000-0"
        #expect(device.inputName(wanted) == found)
    }
}
