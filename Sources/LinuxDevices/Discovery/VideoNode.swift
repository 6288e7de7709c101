internal import Devices

/// A capture node as sysfs and the driver describe it.
struct VideoNode: Hashable, Sendable {
    /// The node's name in sysfs and /dev, for example `video0`.
    var name: String
    /// The device file to open.
    var path: String
    /// What the driver calls this node, for example `Raw Capture 0`.
    var label: String
    /// The folder in sysfs of the device that the node belongs to.
    var devicePath: String
    /// The USB device behind it; nil for others.
    var usb: USBDevice?
    /// What the node answered; an error if it may not be opened.
    var capability: Result<VideoCapability, DeviceError>
    /// The sensor whose frames it gives; nil for all that are no sensors behind a receiver.
    var sensor: SensorPlace?
}

/// What sysfs has of a USB device.
struct USBDevice: Hashable, Sendable {
    /// The USB ids in hexadecimal, for example `046d`.
    var vendor: String
    /// The product id, likewise.
    var product: String
    /// What the device calls itself.
    var name: String
    /// The serial number; nil if it has none.
    var serial: String?
    /// Bus and ports, for example `1-1.2`.
    var port: String
}

extension SystemTree {
    /// Where the kernel lists its V4L2 devices, sub-devices among them.
    private static let videoClass = "/sys/class/video4linux"

    /// The nodes that frames can be captured from, by number.
    ///
    /// Nodes that may not be opened stay in, because the message names the remedy; those that answer and do not stream
    /// frames (metadata, output, codecs) go.
    ///
    /// - Parameter probe: asks the device file of a node; a failure other than missing rights leaves the node out.
    func videoNodes(probe: (String) -> Result<VideoCapability, DeviceError>) -> [VideoNode] {
        names(in: SystemTree.videoClass).compactMap { name in
            guard name.hasPrefix("video") else { return nil }
            let file = path("/dev/\(name)")
            let answer = probe(file)
            switch answer {
            case .success(let capability):
                guard capability.isCapture, capability.isStreaming else { return nil }
            case .failure(let error):
                guard error.kind == .permission else { return nil }
            }
            return node(name: name, file: file, answer)
        }
    }

    private func node(
        name: String, file: String, _ answer: Result<VideoCapability, DeviceError>
    ) -> VideoNode {
        let folder = "\(SystemTree.videoClass)/\(name)"
        let device = resolved("\(folder)/device") ?? folder
        return VideoNode(
            name: name, path: file, label: line("\(folder)/name") ?? name, devicePath: device,
            usb: usbDevice(aboveInterface: device), capability: answer)
    }

    /// The USB device that an interface belongs to; nil if the folder is no USB interface.
    ///
    /// The serial number is taken without the spaces around it; one of nothing but spaces counts as none.
    private func usbDevice(aboveInterface interface: String) -> USBDevice? {
        guard exists("\(interface)/bInterfaceNumber"), let slash = interface.lastIndex(of: "/")
        else { return nil }
        let folder = String(interface[..<slash])
        guard let vendor = line("\(folder)/idVendor"), let product = line("\(folder)/idProduct")
        else { return nil }
        let serial = line("\(folder)/serial")?.trimmed
        return USBDevice(
            vendor: vendor, product: product, name: line("\(folder)/product") ?? "USB camera",
            serial: serial == "" ? nil : serial,
            port: folder.split(separator: "/").last.map(String.init) ?? folder)
    }
}
