import Devices
import LinuxDevices
import Testing

@Suite struct MediaGraphTests {
    typealias PadFormat = FakeMediaGraph.PadFormat

    let root = FakeRoot()
    let device = FakeVideoDevice()
    let graph = FakeMediaGraph()

    /// SRGGB8 in memory (`RGGB`) and on the bus (`MEDIA_BUS_FMT_SRGGB8_1X8`).
    static let inMemory: UInt32 = 0x4247_4752
    static let onBus: UInt32 = 0x3014

    init() {
        graph.install(in: root)
        root.extend("video0", bytes: 1 << 20)
        device.graph = graph
        // Capture, streaming, and formats decided in the graph.
        device.capabilities = 0x2400_0001
        device.formats = [(MediaGraphTests.inMemory, [.init(width: 64, height: 48)])]
        device.hasRates = false
    }

    func configure(_ pixels: String = "SRGGB8") throws {
        try device.attached {
            let camera = try CameraDiscovery(root: root.path).open("fakevideo:platform:fake-0")
            _ = try camera.configure(try FakeCamera.configuration(pixels))
        }
    }

    func refusal(_ pixels: String = "SRGGB8") throws -> DeviceError {
        try cameraError { try configure(pixels) }
    }

    @Test func `the sensor and what hangs on it get the format that is captured`() throws {
        try configure()
        #expect(
            graph.formats.prefix(2) == [
                PadFormat(entity: "sensor", pad: 0, code: MediaGraphTests.onBus, width: 64),
                PadFormat(entity: "converter", pad: 0, code: MediaGraphTests.onBus, width: 64),
            ])
    }

    @Test func `what follows a converter is cut off while the camera is used, and nothing else`()
        throws
    {
        try configure()
        #expect(
            graph.links == [
                .init(source: FakeMediaGraph.converter, sink: FakeMediaGraph.scaler, flags: 0),
                .init(source: FakeMediaGraph.converter, sink: FakeMediaGraph.scaler, flags: 1),
            ])
    }

    @Test func `a way that is not enabled is enabled`() throws {
        graph.sensorLinkIsEnabled = false
        try configure()
        let link = FakeMediaGraph.LinkChange(
            source: FakeMediaGraph.sensor, sink: FakeMediaGraph.capture, flags: 1)
        #expect(graph.links.contains(link))
        // Cut again when the camera goes.
        #expect(graph.links.contains(.init(source: link.source, sink: link.sink, flags: 0)))
    }

    @Test func `a sensor that gives another size is named`() throws {
        graph.sensorWidth = 80
        let error = try refusal()
        #expect(error.kind == .unsupported)
        #expect(error.message.hasPrefix("`Sensor A` (pad 0) of "))
        #expect(error.message.contains("can't deliver 64x48"))
        #expect(error.message.contains("the nearest is 80x48"))
    }

    @Test func `a graph that streams elsewhere is busy`() throws {
        graph.linkFailure = 16
        let error = try refusal()
        #expect(error.kind == .busy)
        #expect(error.message.contains("the link from `Debayer A`:1 to `Scaler`:0"))
    }

    @Test func `pixels that no sensor makes are refused before anything is touched`() throws {
        #expect(try refusal("RGB24").message.contains("raw Bayer and grey formats can"))
        #expect(graph.formats.isEmpty)
        #expect(graph.links.isEmpty)
    }
}
