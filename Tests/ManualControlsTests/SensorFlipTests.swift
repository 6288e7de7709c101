import Devices
import Imaging
import Notation
import Recipes
import Testing

/// Flips of a raw sensor move the order of colours, and the plan knows.
struct SensorFlipTests {
    private static func refusals(
        _ pixels: String, _ profile: CameraProfile
    ) -> [Diagnostic] {
        ProjectProfiles.refusals(
            ProjectProfiles.recipe(
                format: "pixels: \(pixels), size: 1640x1232", lock: "exposure: {duration: 5 ms}"),
            for: profile)
    }

    private static func pinned(_ name: String) throws -> CameraProfile {
        var profile = try ProjectProfiles.named(name)
        profile.pinned += [
            ControlValue(.horizontalFlip, 1), ControlValue(.verticalFlip, 1),
        ]
        return profile
    }

    @Test func `what is pinned flipped is planned flipped, with the mode's own timing`() throws {
        var profile = try Self.pinned("imx219")
        profile.formats = []
        #expect(Self.refusals("SBGGR10P", profile).isEmpty)
        let refusal = try #require(Self.refusals("SRGGB10P", profile).first)
        #expect(refusal.id == "mode-not-offered")
        #expect(refusal.hint == "its flips make SBGGR10P of it: ask for that")
        // The last row is read first then.
        #expect(profile.readout(rows: 1_232, rate: nil).isBottomUp)
    }

    @Test func `a flip that somebody left on moves nothing that is offered`() throws {
        let pixels = try #require(PixelFormat.named("SBGGR10P"))
        let size = try #require(FrameSize(width: 1640, height: 1232))
        let device = CameraDescription(
            identity: CameraIdentity(
                id: "test", name: "", driver: "", bus: "", backend: "v4l2", path: ""),
            formats: [
                CameraFormat(fourCC: "pBAA", pixelFormat: pixels, size: size, rates: [])
            ],
            controls: [CameraControl.horizontalFlip, .verticalFlip].map { flip in
                ControlDescription(
                    control: flip, label: "", minimum: 0, maximum: 1, step: 1, defaultCode: 0,
                    code: 1, changesLayout: true)
            })
        let native = device.withoutFlips
        #expect(native.formats.map { $0.pixelFormat?.name } == ["SRGGB10P"])
        #expect(native.formats.map(\.fourCC) == ["pRAA"])
        let profile = try Self.pinned("imx219")
        #expect(native.delivered(by: profile).formats == device.formats)
    }

    @Test func `a sensor that moves its readout keeps its order`() throws {
        let profile = try Self.pinned("imx290")
        let pixels = try #require(PixelFormat.named("SRGGB12P"))
        let size = try #require(FrameSize(width: 1920, height: 1080))
        #expect(profile.sensorMode(pixels, size) != nil)
    }

    @Test func `a profile that pins flips offers what comes of them`() throws {
        let text = """
            framelock_camera: 1
            name: flipped
            shutter: rolling
            timestamps: {point: start_of_readout, max_delay: 0 us, readout: unknown}
            sensor:
              vertical_blanking: {control: vertical_blanking, latency: {libcamera: 2}}
              margin: 4
              modes:
                - {size: 1640x1232, pixels: [SRGGB10P], pixel_rate: 182.4 MHz, line: 3448, blanking: 32..64302}
            exposure: {control: exposure, unit: lines, codes: 4..65530, latency: {libcamera: 2}}
            pinned: {horizontal_flip: 1}

            """
        let profile = try CameraProfileDecoder.decode(SourceFile(name: "f.yaml", text: text))
        #expect(profile.formats.map { $0.pixelFormat?.name } == ["SGRBG10P"])
        #expect(Self.refusals("SGRBG10P", profile).isEmpty)
        #expect(Self.refusals("SRGGB10P", profile).map(\.id) == ["pixel-format-not-offered"])
    }
}
