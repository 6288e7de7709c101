import Devices
import Imaging
import LinuxDevices
import Testing
import Timebase

/// A played USB camera with its fixtures, ready to be opened: YUYV and a format that framelock does not record.
final class FakeCamera {
    let root = FakeRoot()
    let device = FakeVideoDevice()
    let serial = "FL-0001"

    var discovery: CameraDiscovery { CameraDiscovery(root: root.path) }
    var id: String { "usb:\(serial)" }

    static let yuyv: UInt32 = 0x5659_5559
    static let mjpeg: UInt32 = 0x4750_4a4d

    init() {
        root.addUSBCamera("video0", port: "1-1", serial: serial)
        root.extend("video0", bytes: 1 << 20)
        device.driver = "uvcvideo"
        device.formats = [
            (FakeCamera.yuyv, [.init(width: 64, height: 48), .init(width: 32, height: 24)]),
            (FakeCamera.mjpeg, [.init(width: 128, height: 96)]),
        ]
    }

    /// Opens the camera in the place of the kernel's, and hands it over.
    func use<Result>(_ body: (V4L2Camera) throws -> Result) throws -> Result {
        try device.attached { try body(try discovery.open(id)) }
    }

    /// Opens, configures and starts the camera.
    func stream<Result>(_ body: (V4L2Camera) throws -> Result) throws -> Result {
        try use { camera in
            _ = try camera.configure(try FakeCamera.configuration())
            try camera.start()
            return try body(camera)
        }
    }

    static func configuration(
        _ pixels: String = "YUYV", width: Int = 64, height: Int = 48, rate: Int64? = nil,
        input: String? = nil, region: FrameRegion? = nil
    ) throws -> CaptureConfiguration {
        CaptureConfiguration(
            pixelFormat: try #require(PixelFormat.named(pixels)),
            size: try #require(FrameSize(width: width, height: height)),
            rate: rate.flatMap { FrameRate(frames: $0) }, region: region, input: input)
    }
}

/// The error that `body` ends with; fails the test if it ends otherwise.
func cameraError(_ body: () throws -> Void) throws -> DeviceError {
    try #require(throws: DeviceError.self) { try body() }
}
