import Testing

@testable import LinuxDevices

@Suite struct EmptyReceiverTests {
    @Test func `a sensor of the device tree that no driver took is named`() {
        let root = FakeRoot()
        let sensor = "/sys/bus/i2c/devices/10-0010"
        root.write("\(sensor)/name", "imx219\n")
        root.make("\(sensor)/of_node/port")
        // One that has its driver, and a device that is no sensor.
        root.write("/sys/bus/i2c/devices/10-001a/name", "imx477\n")
        root.make("/sys/bus/i2c/devices/10-001a/of_node/port")
        root.make("/sys/bus/i2c/devices/10-001a/driver")
        root.write("/sys/bus/i2c/devices/10-0068/name", "ds3231\n")
        #expect(SystemTree(root: root.path).untakenSensors == ["imx219 10-0010"])
    }

    @Test func `what a receiver lacks is said as far as it is known`() {
        var receiver = EmptyReceiver(
            driver: "rp1-cfe", path: "/dev/media0", bus: "platform:1f00110000.csi", untaken: [])
        #expect(
            receiver.message
                == "the receiver `rp1-cfe` (/dev/media0, platform:1f00110000.csi) has no sensor: its ribbon cable, its"
                + " overlay in config.txt, or its driver is missing; `dmesg` shows which")
        receiver.untaken = ["imx219 10-0010"]
        #expect(receiver.message.contains("has imx219 10-0010, which no driver took: it does not"))
    }

    @Test(arguments: [("1", true), ("0", false), ("N", false), (nil, false)])
    func `a sensor whose driver was told to wait for a trigger is said to wait`(
        mode: String?, waits: Bool
    ) {
        let root = FakeRoot()
        let file = "/sys/module/imx296/parameters/trigger_mode"
        if let mode { root.write(file, "\(mode)\n") }
        let reason = SystemTree(root: root.path).triggerMode(of: "imx296")
        #expect((reason != nil) == waits)
        if let reason { #expect(reason.contains("\(file) is 1; look at the wire")) }
    }
}
