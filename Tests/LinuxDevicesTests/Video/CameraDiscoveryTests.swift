import Devices
import LinuxDevices
import Testing

@Suite struct CameraDiscoveryTests {
    let root = FakeRoot()
    let device = FakeVideoDevice()

    func ids() -> [String] {
        device.attached { CameraDiscovery(root: root.path).cameras().map(\.identity.id) }
    }

    @Test func `a USB camera is known by its serial number`() {
        root.addUSBCamera("video0", port: "1-1", serial: "FL-0001")
        #expect(ids() == ["usb:FL-0001"])
    }

    @Test func `a USB camera without serial number is known by its type and port`() {
        root.addUSBCamera("video0", port: "1-1.4", serial: nil)
        root.addUSBCamera("video2", port: "1-2", serial: "  ")
        #expect(ids() == ["usb:1d6b:0102@1-1.4", "usb:1d6b:0102@1-2"])
    }

    @Test func `a serial number that two cameras share names neither of them`() {
        root.addUSBCamera("video0", port: "1-1", serial: "0001")
        root.addUSBCamera("video2", port: "1-2", serial: "0001")
        #expect(ids() == ["usb:1d6b:0102@1-1", "usb:1d6b:0102@1-2"])
    }

    @Test func `two sensors in one USB device are numbered in the order of their nodes`() {
        root.addUSBCamera("video10", port: "1-1", serial: "FL-0001", interface: 2)
        root.addUSBCamera("video2", port: "1-1", serial: "FL-0001", interface: 0)
        let cameras = device.attached { CameraDiscovery(root: root.path).cameras() }
        #expect(cameras.map(\.identity.id) == ["usb:FL-0001", "usb:FL-0001#1"])
        #expect(
            cameras.map(\.identity.path) == ["video2", "video10"].map { root.path + "/dev/\($0)" })
    }

    @Test func `any other camera is known by its driver and bus`() {
        root.addNode("video0", device: "/sys/devices/platform/fake-0", label: "fake-cap")
        root.addNode("video1", device: "/sys/devices/platform/fake-0", label: "fake-cap-2")
        let cameras = device.attached { CameraDiscovery(root: root.path).cameras() }
        #expect(
            cameras.map(\.identity.id)
                == ["fakevideo:platform:fake-0", "fakevideo:platform:fake-0#1"])
        #expect(
            cameras.map(\.identity.name) == ["Fake camera, fake-cap", "Fake camera, fake-cap-2"])
        #expect(cameras.allSatisfy { $0.identity.backend == "v4l2" })
    }

    @Test(arguments: [
        UInt32(0x0080_0000), 0x0400_0002, 0x0420_0000, 0x0000_0001,
    ]) func `a node that gives no frames is left out`(capabilities: UInt32) {
        // Metadata; output; sensor radio; capture by read() alone.
        device.capabilities = capabilities
        root.addUSBCamera("video0", port: "1-1", serial: "FL-0001")
        #expect(ids() == [])
    }

    @Test func `a camera that is not there is answered with those that are`() throws {
        root.addUSBCamera("video0", port: "1-1", serial: "FL-0001")
        let error = try cameraError {
            _ = try device.attached { try CameraDiscovery(root: root.path).open("usb:FL-0002") }
        }
        #expect(error.kind == .notFound)
        #expect(error.message == "there is no camera `usb:FL-0002`; attached: usb:FL-0001")
    }

    @Test func `without any camera the answer says so`() throws {
        let error = try cameraError {
            _ = try device.attached { try CameraDiscovery(root: root.path).open("/dev/video0") }
        }
        #expect(error.message == "there is no camera `/dev/video0`; no camera is attached")
    }

    @Test func `at the bench a device file does for an id`() throws {
        root.addUSBCamera("video0", port: "1-1", serial: "FL-0001")
        let id = try device.attached {
            try CameraDiscovery(root: root.path).open("/dev/video0").identity.id
        }
        #expect(id == "usb:FL-0001")
    }

    @Test func `a second owner is told who has the camera`() throws {
        root.addUSBCamera("video0", port: "1-1", serial: "FL-0001")
        try device.attached {
            let discovery = CameraDiscovery(root: root.path)
            let first = try discovery.open("usb:FL-0001")
            let error = try cameraError { _ = try discovery.open("usb:FL-0001") }
            #expect(error.kind == .busy)
            #expect(error.message.contains("in use by process \(ProcessNumber.own)"))
            withExtendedLifetime(first) {}
        }
        // Given back with the camera.
        _ = try device.attached { try CameraDiscovery(root: root.path).open("usb:FL-0001") }
    }

    @Test(
        "D5 others can't write while a camera is configured, or for as long as it is open",
        arguments: [(PriorityClaim.never, []), (.untilStart, [3, 2]), (.always, [3])])
    func claimedPriority(claim: PriorityClaim, priorities: [UInt32]) throws {
        let fake = FakeCamera()
        try fake.device.attached {
            let camera = try fake.discovery.open(fake.id, priority: claim)
            _ = try camera.configure(try FakeCamera.configuration())
            #expect(fake.device.priorities == Array(priorities.prefix(1)))
            try camera.start()
            #expect(fake.device.priorities == priorities)
        }
    }

    @Test("D5 a camera that another program records from is refused")
    func recordedByAnother() throws {
        root.addUSBCamera("video0", port: "1-1", serial: "FL-0001")
        device.failures[FakeVideoDevice.Request.setPriority] = 16
        let error = try cameraError {
            try device.attached { _ = try CameraDiscovery(root: root.path).open("usb:FL-0001") }
        }
        #expect(error.kind == .busy)
        #expect(error.message.contains("recorded from by another program"))
    }
}
