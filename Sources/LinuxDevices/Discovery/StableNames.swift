internal import Cameras

/// Gives capture nodes ids that survive a reboot.
///
/// A USB camera is its serial number, or its type and port where it has none or shares it with another one; everything
/// else is its driver and bus. Further capture nodes of one device get `#1`, `#2` … in the order of their numbers.
enum StableNames {
    /// The identities of nodes, in the order given.
    static func identities(of nodes: [VideoNode]) -> [CameraIdentity] {
        let bases = nodes.map { base(of: $0, among: nodes) }
        return nodes.indices.map { place in
            let node = nodes[place]
            let earlier = bases[..<place].count { $0 == bases[place] }
            let isOneOfSeveral = bases.count { $0 == bases[place] } > 1
            let capability = try? node.capability.get()
            let name = capability?.card ?? node.usb?.name ?? node.label
            return CameraIdentity(
                id: earlier == 0 ? bases[place] : "\(bases[place])#\(earlier)",
                name: isOneOfSeveral && node.label != name ? "\(name), \(node.label)" : name,
                driver: capability?.driver ?? (node.usb == nil ? "" : "uvcvideo"),
                bus: capability?.bus ?? node.usb?.port ?? "", backend: "v4l2", path: node.path,
                location: node.usb.map { "USB port \($0.port)" })
        }
    }

    private static func base(of node: VideoNode, among nodes: [VideoNode]) -> String {
        guard let usb = node.usb else {
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
