internal import Devices

/// Which sensor a capture node belongs to, and where it is.
///
/// Two sensors of a kind are distinguished by bus and address, since numbers of video and media devices change from one
/// start to the next.
struct SensorPlace: Hashable, Sendable {
    /// The sensor's name in the media graph, for example `imx219 10-0010`.
    var entity: String
    /// What kind of sensor it is, for example `imx219`.
    var model: String
    /// Where it is on which I²C bus, for example `10-0010`; nil for one that is not on such a bus.
    var address: String?
    /// Where the device tree has it; empty where there is none.
    var path: String
    /// The receiver's description, or the media device's driver where there is none.
    var receiver: String

    /// Takes the sensor's name apart, or asks sysfs where the name has no address.
    ///
    /// - Parameters:
    ///   - entity: the sensor's name in the media graph.
    ///   - device: the number of its device file; nil if it has none.
    ///   - receiver: the receiver's description, or the media device's driver.
    ///   - tree: where its bus and address are looked up.
    init(entity: String, device: DeviceNumber?, receiver: String, in tree: SystemTree) {
        self.entity = entity
        self.receiver = receiver
        let words = entity.split(separator: " ")
        let client: String
        if words.count > 1, let last = words.last, Self.isAddress(last) {
            let name = words.dropLast().joined(separator: " ")
            // Rockchip's kernels put the module's place before the name: m00_b_imx219.
            model = name.split(separator: "_").last.map(String.init) ?? name
            client = String(last)
        } else if let found = device.flatMap({ tree.client(of: $0) }) {
            // Raspberry Pi's imx708 calls itself after its lens and filter (`imx708_wide_noir`), without an address.
            model = tree.line("/sys/bus/i2c/devices/\(found)/name") ?? entity
            client = found
        } else {
            (model, address, path) = (entity, nil, "")
            return
        }
        address = client
        let node = tree.resolved("/sys/bus/i2c/devices/\(client)/of_node") ?? ""
        let base = "/sys/firmware/devicetree"
        path = node.hasPrefix(base) ? String(node.dropFirst(base.count)) : ""
    }

    /// The stable id of a camera with this sensor; nil where nothing but the driver's bus distinguishes it from others.
    ///
    /// The number of the bus comes from the device tree's aliases, so it is the same at each start.
    var id: String? { address.map { "csi:\(model):\($0)" } }

    /// A bus and an address as the kernel writes them: `10-0010`.
    fileprivate static func isAddress(_ word: Substring) -> Bool {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[0].allSatisfy(\.isWholeNumber)
            && parts[1].count == 4 && parts[1].allSatisfy(\.isHexDigit)
    }
}

extension SystemTree {
    /// The device on an I²C bus that a device file belongs to, for example `10-0010`; nil if it belongs to none.
    fileprivate func client(of device: DeviceNumber) -> String? {
        let folder = resolved("/sys/dev/char/\(device.major):\(device.minor)/device")
        guard let name = folder?.split(separator: "/").last, SensorPlace.isAddress(name) else {
            return nil
        }
        return String(name)
    }
}
