public import Devices
public import Notation

/// What a host says of itself in /proc and /sys, for the record: what explains a measurement that comes out otherwise
/// on another machine, or on the same one on a hot day.
///
/// What a host does not say is left out.
public struct HostFacts {
    private let tree: SystemTree

    private static let firmware = "/sys/class/dmi/id"
    private static let deviceTree = "/proc/device-tree"
    private static let processors = "/sys/devices/system/cpu"
    /// The programs that discipline a Linux host's clock.
    private static let clockKeepers = [
        "chronyd", "ntpd", "ntpd-rs", "phc2sys", "ptp4l", "systemd-timesyn", "timemaster", "ts2phc",
    ]

    /// The facts of this host.
    public init() { self.init(tree: SystemTree(root: "")) }

    /// The same below another root.
    init(tree: SystemTree) { self.tree = tree }

    /// What stays the same during a run, and what the camera's driver and device call their versions.
    ///
    /// - Parameter camera: its device file and driver are looked up.
    public func atStart(camera: CameraIdentity) -> JSONObject {
        var facts = JSONObject()
        func note(_ name: String, _ text: String?) {
            let plain = text.map { String($0.prefix { $0 != "\0" }).trimmed } ?? ""
            if !plain.isEmpty { facts[name] = .string(plain) }
        }
        note("board", tree.line("\(Self.deviceTree)/model") ?? joined("sys_vendor", "product_name"))
        note("processor", processor)
        note(
            "firmware",
            tree.line("\(Self.deviceTree)/chosen/bootloader/version")
                ?? joined("bios_vendor", "bios_version", "bios_date"))
        note(
            "clocksource",
            tree.line("/sys/devices/system/clocksource/clocksource0/current_clocksource"))
        note("camera_driver_version", tree.line("/sys/module/\(camera.driver)/version"))
        note("camera_driver_source", tree.line("/sys/module/\(camera.driver)/srcversion"))
        note("camera_firmware", cameraFirmware(camera))
        facts["clock_keepers"] = .array(clockKeepers.map { .string($0) })
        for member in changing.members { facts[member.name] = member.value }
        return facts
    }

    /// What may change during a run: how fast processors may go, and whether heat or a weak supply slowed them.
    ///
    /// `cpu_governors`; `thermal_throttles`, how often the processor slowed itself since the host started, all cores
    /// together; `firmware_throttled`, a Raspberry Pi's bits (0: the voltage is low, 1: frequency capped, 2: throttled,
    /// 3: soft limit of temperature; 16 to 19 the same since the host started).
    public var changing: JSONObject {
        var facts = JSONObject()
        let cores = tree.names(in: Self.processors).filter { name in
            name.hasPrefix("cpu") && name.dropFirst(3).allSatisfy(\.isNumber) && name.count > 3
        }
        let governors = cores.compactMap {
            tree.line("\(Self.processors)/\($0)/cpufreq/scaling_governor")
        }
        if !governors.isEmpty {
            facts["cpu_governors"] = .array(Set(governors).sorted().map { .string($0) })
        }
        let throttles = cores.compactMap {
            tree.line("\(Self.processors)/\($0)/thermal_throttle/core_throttle_count")
                .flatMap { Int64($0) }
        }
        if !throttles.isEmpty {
            facts["thermal_throttles"] = .integer(throttles.reduce(0, &+))
        }
        if let bits = tree.line("/sys/devices/platform/soc/soc:firmware/get_throttled") {
            facts["firmware_throttled"] = .string("0x\(bits)")
        }
        return facts
    }

    private func joined(_ names: String...) -> String {
        names.compactMap { tree.line("\(Self.firmware)/\($0)")?.trimmed }.joined(separator: " ")
    }

    private var processor: String? {
        let text = String(decoding: tree.bytes("/proc/cpuinfo") ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":", maxSplits: 1).last.map(String.init)
    }

    /// The release of a USB device by its descriptor: binary-coded decimals, `1.07` for 0107.
    private func cameraFirmware(_ camera: CameraIdentity) -> String? {
        guard let node = camera.path.split(separator: "/").last,
            let interface = tree.resolved("/sys/class/video4linux/\(node)/device"),
            let digits = tree.line("\(interface)/../bcdDevice")?.trimmed, digits.count == 4
        else { return nil }
        return "\(Int(digits.prefix(2)) ?? 0).\(digits.suffix(2))"
    }

    private var clockKeepers: [String] {
        let running = Set(
            tree.names(in: "/proc").filter { $0.allSatisfy(\.isNumber) }
                .compactMap { tree.line("/proc/\($0)/comm") })
        return Self.clockKeepers.filter(running.contains)
    }
}
