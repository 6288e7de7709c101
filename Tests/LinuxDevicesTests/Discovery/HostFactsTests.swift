import Devices
import Notation
import Testing

@testable import LinuxDevices

/// What a host says of itself, for the record.
struct HostFactsTests {
    private static let camera = CameraIdentity(
        id: "usb:1", name: "camera", driver: "uvcvideo", bus: "usb", backend: "v4l2",
        path: "/dev/video2")

    private static func texts(_ object: JSONObject) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: object.members.map { ($0.name, $0.value.text(.compact)) })
    }

    @Test func `a host that says nothing has no facts`() {
        #expect(
            Self.texts(
                HostFacts(tree: SystemTree(root: FakeRoot().path)).atStart(camera: Self.camera))
                == ["clock_keepers": "[]"])
    }

    @Test func `a board, its clock and its camera are named`() {
        let root = FakeRoot()
        root.write("/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
        root.write("/proc/device-tree/chosen/bootloader/version", "3f2a\0")
        root.write("/sys/class/dmi/id/bios_version", "never looked at\n")
        root.write(
            "/sys/devices/system/clocksource/clocksource0/current_clocksource", "arch_sys_counter\n"
        )
        root.write("/sys/module/uvcvideo/version", "1.1.1\n")
        root.addUSBCamera("video2", port: "1-2", serial: nil)
        root.write("/sys/devices/pci0000:00/usb1/1-2/bcdDevice", "0107\n")
        for (process, name) in [(1, "systemd"), (312, "chronyd"), (99, "ptp4l")] {
            root.write("/proc/\(process)/comm", "\(name)\n")
        }
        let facts = Self.texts(
            HostFacts(tree: SystemTree(root: root.path)).atStart(camera: Self.camera))
        #expect(
            facts == [
                "board": "\"Raspberry Pi 5 Model B Rev 1.0\"", "firmware": "\"3f2a\"",
                "clocksource": "\"arch_sys_counter\"", "camera_driver_version": "\"1.1.1\"",
                "camera_firmware": "\"1.07\"", "clock_keepers": "[\"chronyd\",\"ptp4l\"]",
            ])
    }

    @Test func `what slowed the processor is counted over its cores`() {
        let root = FakeRoot()
        let processors = "/sys/devices/system/cpu"
        for (core, governor, count) in [
            (0, "ondemand", 3), (1, "ondemand", 4), (10, "performance", 1),
        ] {
            root.write("\(processors)/cpu\(core)/cpufreq/scaling_governor", "\(governor)\n")
            root.write(
                "\(processors)/cpu\(core)/thermal_throttle/core_throttle_count", "\(count)\n")
        }
        root.write("\(processors)/cpufreq/scaling_governor", "no core's\n")
        root.write("/sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n")
        #expect(
            Self.texts(HostFacts(tree: SystemTree(root: root.path)).changing) == [
                "cpu_governors": "[\"ondemand\",\"performance\"]", "thermal_throttles": "8",
                "firmware_throttled": "\"0x50005\"",
            ])
    }
}
