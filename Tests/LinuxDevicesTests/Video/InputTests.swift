import CVideo
import Devices
import Imaging
import LinuxDevices
import Testing
import Timebase

@Suite struct InputTests {
    let fake = FakeCamera()

    /// Timings with a total of `width + 10` by `height + 2`.
    static func timings(_ width: UInt32, _ height: UInt32, clock: UInt64) -> v4l2_dv_timings {
        var timings = v4l2_dv_timings()
        timings.bt.width = width
        timings.bt.height = height
        timings.bt.hsync = 10
        timings.bt.vsync = 2
        timings.bt.pixelclock = clock
        return timings
    }

    static let sixty = timings(64, 48, clock: 74 * 50 * 60)
    static let fifty = timings(64, 48, clock: 74 * 50 * 50)
    static let small = timings(32, 24, clock: 42 * 26 * 60)

    init() {
        fake.device.inputs = [("Webcam 0", false), ("HDMI 0", true), ("HDMI 1", true)]
        fake.device.timings = [InputTests.small, InputTests.fifty, InputTests.sixty]
        fake.device.sourceTimings = InputTests.sixty
    }

    func rate(_ rate: Int64?, input: String = "HDMI 0") throws -> FrameRate? {
        try fake.use { camera in
            try camera.configure(FakeCamera.configuration(rate: rate, input: input)).rate
        }
    }

    func refusal(rate: Int64? = nil, input: String = "HDMI 0") throws -> String {
        try cameraError { _ = try self.rate(rate, input: input) }.message
    }

    @Test(arguments: ["HDMI 0", "1"]) func `an input is selected by name or number`(
        input: String
    ) throws {
        _ = try fake.use { camera in
            let accepted = try camera.configure(FakeCamera.configuration(rate: nil, input: input))
            #expect(fake.device.selectedInput == 1)
            return accepted
        }
    }

    @Test func `the input that was selected is selected again once the camera stops`() throws {
        for found: Int in [0, 2] {
            fake.device.selectedInput = Int32(found)
            _ = try rate(nil, input: "HDMI 0")
            #expect(fake.device.selectedInput == Int32(found))
        }
        // Also where the configuration is refused after the input was selected.
        _ = try refusal(rate: 50)
        #expect(fake.device.selectedInput == 2)
    }

    @Test func `an input that was selected already stays so`() throws {
        fake.device.selectedInput = 1
        _ = try rate(nil, input: "HDMI 0")
        #expect(fake.device.selectedInput == 1)
    }

    @Test func `the unique start of a name is enough`() throws {
        _ = try rate(nil, input: "Web")
        #expect(fake.device.selectedInput == 0)
    }

    @Test(arguments: ["HDMI", "SDI"]) func `any other name is an error that lists the inputs`(
        input: String
    ) throws {
        #expect(
            try refusal(input: input).hasSuffix(
                "has no input `\(input)`; it has `Webcam 0`, `HDMI 0`, `HDMI 1`"))
    }

    @Test func `what the source sends is what is captured`() throws {
        _ = try rate(nil)
        #expect(fake.device.currentTimings.bt.pixelclock == InputTests.sixty.bt.pixelclock)
    }

    @Test func `another rate than the source's is an error`() throws {
        #expect(
            try refusal(rate: 50).hasSuffix(
                "can't deliver 64x48 at 50 fps: the source sends 64x48 at 60 fps"))
        // The device is left on what is really sent.
        #expect(fake.device.currentTimings.bt.pixelclock == InputTests.sixty.bt.pixelclock)
    }

    @Test func `a device that follows what it is told is told`() throws {
        fake.device.sourceFollows = true
        fake.device.forcedInterval = (1, 50)
        #expect(try rate(50) == FrameRate(frames: 50))
        #expect(fake.device.currentTimings.bt.pixelclock == InputTests.fifty.bt.pixelclock)
    }

    @Test func `no signal is an error of its own`() throws {
        fake.device.sourceTimings = nil
        let error = try cameraError { _ = try rate(nil, input: "HDMI 0") }
        #expect(error.kind == .notReady)
        #expect(error.message.hasPrefix("no signal on input `HDMI 0` of Fake camera"))
    }

    @Test func `an HDMI input offers the timings that it knows`() throws {
        fake.device.selectedInput = 1
        let formats = try fake.use { try $0.describe() }.formats
        let yuyv = formats.filter { $0.fourCC == "YUYV" }
        #expect(yuyv.map(\.size.description) == ["32x24", "64x48", "64x48"])
        #expect(yuyv.flatMap(\.rates).map(\.description) == ["60 fps", "50 fps", "60 fps"])
    }

    @Test func `the reduced flag means a thousandth less`() throws {
        var reduced = InputTests.sixty
        reduced.bt.flags = 4
        fake.device.timings = [reduced]
        fake.device.selectedInput = 1
        let formats = try fake.use { try $0.describe() }.formats
        #expect(
            formats.first?.rates == [FrameRate(frames: 60_000, seconds: 1001)].compactMap { $0 })
    }

    @Test func `a camera with one input has none to name`() throws {
        fake.device.inputs = [("Camera 1", false)]
        #expect(try fake.use { try $0.describe() }.inputs == [])
    }
}
