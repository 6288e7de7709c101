import Devices
import Notation
import Testing

/// Analogue gain ends where the sensor's own amplifier ends: what follows is a multiplication, which is not planned.
struct SensorGainTests {
    /// The largest code of analogue gain (drivers of Linux 6.12 and of the Raspberry Pi).
    @Test(
        arguments: [
            ("imx219", 232), ("imx290", 100), ("imx327", 98), ("imx462", 98), ("imx296", 239),
            ("imx477", 978), ("imx708", 960), ("ov5647", 1023), ("ov7251", 255), ("ov9281", 255),
        ])
    func `no profile plans digital gain`(name: String, largest: Int64) throws {
        let gain = try #require(try ProjectProfiles.named(name).gain)
        #expect(gain.codes.maximum == largest)
    }

    @Test func `a gain beyond the analogue range is refused`() throws {
        let profile = try ProjectProfiles.named("imx290")
        func recipe(_ gain: String) -> String {
            ProjectProfiles.recipe(
                format: "pixels: SRGGB12P, size: 1920x1080",
                lock: "exposure: {duration: 5 ms, gain: \(gain)}")
        }
        // 30 dB is 31.6x.
        #expect(ProjectProfiles.refusals(recipe("31x"), for: profile).isEmpty)
        let refusals = ProjectProfiles.refusals(recipe("40x"), for: profile)
        #expect(refusals.map(\.id) == ["gain-out-of-range"])
    }

    @Test func `a kernel that calls the gain otherwise is understood`() throws {
        let profile = try ProjectProfiles.named("ov7251")
        let gain = try #require(CameraControl(name: "gain"))
        let device = CameraDescription(
            identity: CameraIdentity(
                id: "test", name: "ov7251", driver: "test", bus: "", backend: "v4l2", path: ""),
            formats: [],
            controls: [
                ControlDescription(
                    control: gain, label: "Gain", minimum: 16, maximum: 1023, step: 1,
                    defaultCode: 16, code: 16)
            ])
        let narrowed = profile.narrowed(to: device)
        #expect(narrowed.gain?.control == gain)
        #expect(narrowed.gain?.codes == CodeRange(16, 255))
    }
}
