import CVideo
import Devices
import Imaging
import LinuxDevices
import Testing

/// An imx219 behind a receiver that lists whatever it knows: its modes and flips (imx219.c of Linux 6.12) count.
@Suite struct SensorModeTests {
    private static let packed: UInt32 = 0x4141_4270  // pBAA
    private static let unpacked: UInt32 = 0x3031_4742  // BG10
    private static let packedRGGB: UInt32 = 0x4141_5270  // pRAA
    private static let sbggr10: UInt32 = 0x3007

    let raw = RawSensorTests()

    init() {
        let any = [FakeVideoDevice.Size(width: 640, height: 480)]
        raw.device.formats = [
            (FakeCamera.yuyv, any), (Self.packedRGGB, any), (Self.packed, any),
            (Self.unpacked, any),
        ]
        raw.device.takesAnySize = true
        // Ten bits a pixel.
        raw.device.rowPadding = 410
        raw.root.extend("video0", bytes: 32 << 20)
        raw.device.listedOnly = [Self.unpacked]
        // Both flips are on.
        raw.graph.codes = [Self.sbggr10]
        raw.graph.modes = [
            (3280, 2464, v4l2_rect(left: 8, top: 8, width: 3280, height: 2464)),
            (1920, 1080, v4l2_rect(left: 688, top: 700, width: 1920, height: 1080)),
            (1640, 1232, v4l2_rect(left: 8, top: 8, width: 3280, height: 2464)),
            // A driver that keeps another mode's crop.
            (640, 480, v4l2_rect(left: 8, top: 8, width: 3280, height: 2464)),
        ]
    }

    @Test func `a raw sensor's own modes are offered, in the formats that its receiver takes`()
        throws
    {
        let formats = try raw.use { try $0.describe().formats }
        #expect(
            formats.map(\.size.description)
                == ["3280x2464", "1920x1080", "1640x1232", "640x480"])
        // The receiver lists the unpacked format and can't set it; no other order comes from these flips.
        #expect(Set(formats.map(\.pixelFormat?.name)) == ["SBGGR10P"])
        #expect(
            formats.map { $0.crop?.description }
                == ["3280x2464+8+8", "1920x1080+688+700", "3280x2464+8+8", nil])
        // Nothing was set to find out.
        #expect(raw.graph.formats.isEmpty)
    }

    @Test func `a receiver without sensor keeps its range, and any size in it`() throws {
        raw.graph.codes = []
        let formats = try raw.use { try $0.describe().formats }
        let range = try #require(formats.first?.range)
        #expect(range.description == "16x16 to 16376x16376")
        let odd = try #require(FrameSize(width: 1456, height: 1088))
        let tooLarge = try #require(FrameSize(width: 16_380, height: 1088))
        #expect(formats.allSatisfy { $0.offers(odd) && !$0.offers(tooLarge) })
    }

    @Test func `the format that is set is the sensor's, not the receiver's default`() throws {
        raw.device.formats.append((FakeCamera.mjpeg, [.init(width: 640, height: 480)]))
        try raw.use { camera in
            // A receiver begins with a format of its own.
            #expect(try camera.describe().selected == nil)
            _ = try camera.configure(
                try FakeCamera.configuration("SBGGR10P", width: 1640, height: 1232))
            let selected = try #require(try camera.describe().selected)
            #expect(selected.pixelFormat?.name == "SBGGR10P")
            #expect(selected.size.description == "1640x1232")
        }
    }
}
