import CVideo
import Devices
import Imaging
import LinuxDevices
import Testing
import Timebase

@Suite struct ConfigurationTests {
    let fake = FakeCamera()

    func accepted(_ configuration: CaptureConfiguration) throws -> AcceptedConfiguration {
        try fake.use { try $0.configure(configuration) }
    }

    func refusal(_ configuration: CaptureConfiguration) throws -> DeviceError {
        try cameraError { _ = try fake.use { try $0.configure(configuration) } }
    }

    @Test func `what is asked is what is set`() throws {
        let accepted = try accepted(FakeCamera.configuration(rate: 30))
        #expect(accepted.layout.bytesPerRow == 128)
        #expect(accepted.layout.byteCount == 128 * 48)
        #expect(accepted.rate == FrameRate(frames: 30))
        #expect(accepted.bufferCount == 8)
        #expect(fake.device.format.fmt.pix.pixelformat == FakeCamera.yuyv)
    }

    @Test func `padding after each row is part of the layout`() throws {
        fake.device.rowPadding = 32
        let accepted = try accepted(FakeCamera.configuration())
        #expect(accepted.layout.bytesPerRow == 160)
    }

    @Test func `a driver that grants fewer buffers is taken at its word`() throws {
        fake.device.bufferCountLimit = 3
        #expect(try accepted(FakeCamera.configuration()).bufferCount == 3)
    }

    @Test func `a single buffer can't carry a stream`() throws {
        fake.device.bufferCountLimit = 1
        #expect(try refusal(FakeCamera.configuration()).message.contains("granted 1 frame buffers"))
    }

    @Test func `another size than asked is an error that lists the sizes`() throws {
        let error = try refusal(FakeCamera.configuration(width: 60, height: 40))
        #expect(error.kind == .unsupported)
        #expect(
            error.message.hasSuffix(
                "has no format YUYV 60x40, the nearest is YUYV 64x48; it offers YUYV 64x48 32x24, "
                    + "MJPG 128x96"))
        #expect(error.message.contains("Fake camera"))
    }

    @Test func `other pixels than asked are an error`() throws {
        let error = try refusal(FakeCamera.configuration("GREY"))
        #expect(error.kind == .unsupported)
        #expect(error.message.contains("no format GREY 64x48, the nearest is YUYV 64x48"))
    }

    @Test func `half-frames are refused`() throws {
        fake.device.field = 4
        #expect(try refusal(FakeCamera.configuration()).message.contains("interlaced"))
    }

    @Test func `a frame that its own buffer could not hold is refused`() throws {
        fake.device.imageBytes = 128 * 48 - 1
        #expect(try refusal(FakeCamera.configuration()).message.contains("its driver is broken"))
    }

    @Test func `another rate than asked is an error that lists the rates`() throws {
        fake.device.forcedInterval = (1, 15)
        let error = try refusal(FakeCamera.configuration(rate: 30))
        #expect(error.kind == .unsupported)
        #expect(
            error.message.hasSuffix(
                "does not deliver YUYV 64x48 at 30 fps, but at 15 fps; it offers 30 fps, 15 fps"))
    }

    @Test func `a rate in the hundred-nanosecond grain of USB is the rate asked`() throws {
        fake.device.forcedInterval = (333_333, 10_000_000)
        #expect(
            try accepted(FakeCamera.configuration(rate: 30)).rate
                == FrameRate(frames: 10_000_000, seconds: 333_333))
    }

    @Test func `sixty is not fifty-nine point nine four`() throws {
        fake.device.forcedInterval = (1001, 60_000)
        #expect(
            try refusal(FakeCamera.configuration(rate: 60)).message.contains("at 60000/1001 fps"))
    }

    @Test func `a rate asked of a driver without rates is an error, none asked is not`() throws {
        fake.device.hasRates = false
        #expect(
            try refusal(FakeCamera.configuration(rate: 30)).message.contains("leave `rate` out"))
        #expect(try accepted(FakeCamera.configuration()).rate == nil)
    }

    @Test(arguments: [UInt32(0), 0x4000]) func `timestamps of another clock are refused`(
        flags: UInt32
    ) throws {
        fake.device.bufferFlags = flags
        let error = try refusal(FakeCamera.configuration())
        #expect(error.kind == .unsupported)
        #expect(error.message.contains("CLOCK_MONOTONIC is needed"))
    }

    @Test func `what the driver claims of its timestamps is kept for the record`() throws {
        let ends = try fake.use { camera in
            _ = try camera.configure(try FakeCamera.configuration())
            return camera.timestampSource?.claimedPoint
        }
        #expect(ends == "end_of_frame")
        fake.device.bufferFlags = 0x1_2000
        let starts = try fake.use { camera in
            _ = try camera.configure(try FakeCamera.configuration())
            return camera.timestampSource?.claimedPoint
        }
        #expect(starts == "start_of_exposure")
    }

    @Test func `a region asked of a camera that can't crop is an error`() throws {
        let size = try #require(FrameSize(width: 64, height: 48))
        let region = try #require(FrameRegion(left: 8, top: 8, size: size))
        let error = try refusal(FakeCamera.configuration(region: region))
        #expect(error.message.contains("leave `region` out"))
    }

    @Test func `a region of another size than the frames would have to be scaled`() throws {
        let size = try #require(FrameSize(width: 32, height: 24))
        let region = try #require(FrameRegion(left: 0, top: 0, size: size))
        #expect(
            try refusal(FakeCamera.configuration(region: region)).message.contains(
                "does not record scaled frames"))
    }

    @Test func `buffers go back before a camera is configured again`() throws {
        try fake.use { camera in
            _ = try camera.configure(try FakeCamera.configuration())
            let first = fake.device.requests.count
            _ = try camera.configure(try FakeCamera.configuration(width: 32, height: 24))
            let second = fake.device.requests[first...]
            let released = try #require(
                second.firstIndex(of: FakeVideoDevice.Request.requestBuffers))
            let formatted = try #require(second.firstIndex(of: FakeVideoDevice.Request.setFormat))
            #expect(released < formatted)
        }
    }

    @Test func `a camera in use elsewhere is reported as busy`() throws {
        fake.device.failures[FakeVideoDevice.Request.setFormat] = 16
        let error = try refusal(FakeCamera.configuration())
        #expect(error.kind == .busy)
        #expect(error.message.contains("EBUSY"))
        #expect(error.message.contains("it is in use by another program"))
    }

    @Test func `a USB bus without room says what helps`() throws {
        fake.device.failures[FakeVideoDevice.Request.streamOn] = 28
        let error = try cameraError { try fake.stream { _ in } }
        #expect(error.message.contains("the USB bus has no bandwidth left"))
    }
}
