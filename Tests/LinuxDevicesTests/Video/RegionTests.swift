import CVideo
import Devices
import Imaging
import LinuxDevices
import Testing

@Suite struct RegionTests {
    let fake = FakeCamera()

    init() {
        fake.device.image = v4l2_rect(left: 0, top: 0, width: 320, height: 240)
    }

    func configure(left: Int?, width: Int = 64, height: Int = 48) throws {
        let size = try #require(FrameSize(width: width, height: height))
        let region = left.flatMap { FrameRegion(left: $0, top: 10, size: size) }
        _ = try fake.use {
            try $0.configure(
                FakeCamera.configuration(width: width, height: height, region: region))
        }
    }

    @Test func `a region is cut where it was asked`() throws {
        try configure(left: 100)
        #expect(fake.device.crop.left == 100)
        #expect(fake.device.crop.top == 10)
        #expect(fake.device.crop.width == 64)
        #expect(fake.device.crop.height == 48)
    }

    @Test func `a region that the driver moves is an error that says where to`() throws {
        fake.device.cropGrain = 16
        let error = try cameraError { try configure(left: 100) }
        #expect(error.kind == .unsupported)
        #expect(
            error.message.hasSuffix(
                "can't deliver the region 64x48+100+10, the nearest is 64x48+96+10 within "
                    + "320x240+0+0"))
    }

    @Test func `a region beyond the image is an error that names the image`() throws {
        let error = try cameraError { try configure(left: 300) }
        #expect(error.message.contains("the nearest is 64x48+256+10 within 320x240+0+0"))
    }

    @Test func `a region that another program left is undone`() throws {
        fake.device.crop = v4l2_rect(left: 8, top: 8, width: 64, height: 48)
        try configure(left: nil)
        #expect(fake.device.crop.left == 0)
        #expect(fake.device.crop.width == 320)
    }

    @Test func `a region that does not survive the format is an error`() throws {
        fake.device.losesCropWithFormat = true
        let error = try cameraError { try configure(left: 100) }
        #expect(error.message.contains("can't deliver the region 64x48+100+10"))
    }
}
