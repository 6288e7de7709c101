public import Devices
public import Timebase

/// The board's own temperature by the kernel: a thermal zone, or a sensor of hwmon.
///
/// Thousandths of a degree Celsius, as both have it (Documentation/ABI/testing/sysfs-class-thermal, sysfs-class-hwmon).
public struct BoardThermometer: Thermometer {
    /// Which one it is: `thermal_zone0 (cpu-thermal)`.
    public let name: String
    private let tree: SystemTree
    /// The attribute that is read, as a path below the tree's root.
    private let file: String

    private static let zones = "/sys/class/thermal"
    private static let monitors = "/sys/class/hwmon"
    /// Parts of the names of zones on the processor: `cpu-thermal`, `soc_thermal`, `x86_pkg_temp`.
    private static let processors = ["cpu", "soc", "pkg"]

    /// Finds the board's thermometer; nil if none can be read.
    ///
    /// A thermal zone of the processor comes first, then any other zone, then hwmon, each in the order of numbers.
    public init?() { self.init(tree: SystemTree(root: "")) }

    /// The same below another root.
    ///
    /// A candidate counts only if it can be read now. The choice is made once; the thermometer stays the same for the
    /// whole run.
    init?(tree: SystemTree) {
        let zones = tree.names(in: Self.zones).filter { $0.hasPrefix("thermal_zone") }.map { zone in
            let type = tree.line("\(Self.zones)/\(zone)/type") ?? "?"
            return (name: "\(zone) (\(type))", file: "\(Self.zones)/\(zone)/temp")
        }
        let isProcessor = { (name: String) in Self.processors.contains { name.contains($0) } }
        let sensors = tree.names(in: Self.monitors).flatMap { monitor in
            let folder = "\(Self.monitors)/\(monitor)"
            let name = tree.line("\(folder)/name") ?? "?"
            return tree.names(in: folder).filter { $0.hasPrefix("temp") && $0.hasSuffix("_input") }
                .map { (name: "\(monitor) (\(name) \($0))", file: "\(folder)/\($0)") }
        }
        let candidates =
            zones.filter { isProcessor($0.name) } + zones.filter { !isProcessor($0.name) } + sensors
        let found = candidates.first { Self.read(tree, $0.file) != nil }
        guard let found else { return nil }
        self.tree = tree
        (name, file) = found
    }

    /// The temperature now; nil if the kernel can't read it at the moment.
    ///
    /// - Parameter time: not used: the kernel knows the present only.
    public func read(at time: Instant<Session>) -> Temperature? { Self.read(tree, file) }

    private static func read(_ tree: SystemTree, _ file: String) -> Temperature? {
        tree.line(file).flatMap { Int64($0) }.map { Temperature(millidegrees: $0) }
    }
}
