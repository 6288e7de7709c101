internal import Devices

/// Gives capture nodes ids that survive a reboot.
///
/// A USB camera is its serial number, or its type and port where it has none or shares it with another one. A sensor
/// behind a receiver is its kind, I²C bus and address (`csi:imx219:10-0010`). Everything else is its driver and bus.
/// Further capture nodes of one device get `#1`, `#2` … in the order of their numbers.
enum StableNames {
    /// The identities of nodes, in the order given.
    ///
    /// - Parameter nodes: all nodes of the machine at once, since whether a serial number is shared shows only then.
    static func identities(of nodes: [VideoNode]) -> [CameraIdentity] {
        let bases = nodes.map { base(of: $0, among: nodes) }
        return nodes.indices.map { place in
            let node = nodes[place]
            let earlier = bases[..<place].count { $0 == bases[place] }
            let isOneOfSeveral = bases.count { $0 == bases[place] } > 1
            let capability = try? node.capability.get()
            let name = node.sensor?.entity ?? capability?.card ?? node.usb?.name ?? node.label
            var identity = CameraIdentity(
                id: earlier == 0 ? bases[place] : "\(bases[place])#\(earlier)",
                name: isOneOfSeveral && node.label != name ? "\(name), \(node.label)" : name,
                driver: capability?.driver ?? (node.usb == nil ? "" : "uvcvideo"),
                bus: capability?.bus ?? node.usb?.port ?? "", backend: "v4l2", path: node.path,
                location: node.usb.map { "USB port \($0.port)" } ?? location(of: node))
            identity.sensor = node.sensor?.model
            identity.receiver = node.sensor?.receiver
            return identity
        }
    }

    /// Where the device tree has the node's sensor; nil where it does not state it.
    private static func location(of node: VideoNode) -> String? {
        guard let path = node.sensor?.path, !path.isEmpty else { return nil }
        return "device tree \(path)"
    }

    /// The id without a number: nodes of one device have the same.
    ///
    /// A serial number counts only if no camera at another port has it too; else it would name both. Where the driver
    /// may not be asked, the folder in sysfs stands for driver and bus.
    private static func base(of node: VideoNode, among nodes: [VideoNode]) -> String {
        guard let usb = node.usb else {
            if let id = node.sensor?.id { return id }
            guard let capability = try? node.capability.get() else {
                return "platform:\(node.devicePath.split(separator: "/").last ?? "unknown")"
            }
            return "\(capability.driver):\(capability.bus)"
        }
        if let serial = usb.serial {
            let isShared = nodes.contains { $0.usb?.serial == serial && $0.usb?.port != usb.port }
            if !isShared { return "usb:\(serial)" }
        }
        return "usb:\(usb.vendor):\(usb.product)@\(usb.port)"
    }
}
