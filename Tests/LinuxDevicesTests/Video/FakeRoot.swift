import Foundation

/// A folder that looks like `/` to discovery: fixtures of /sys, device files that are plain files.
final class FakeRoot {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "framelock-" + UUID().uuidString
        make("/sys/class/video4linux")
        make("/dev")
        make("/run/lock")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func make(_ folder: String) {
        try? FileManager.default.createDirectory(
            atPath: path + folder, withIntermediateDirectories: true)
    }

    func write(_ file: String, _ text: String) {
        make((file as NSString).deletingLastPathComponent)
        try? Data(text.utf8).write(to: URL(fileURLWithPath: path + file))
    }

    func link(_ file: String, to target: String) {
        try? FileManager.default.createSymbolicLink(
            atPath: path + file, withDestinationPath: path + target)
    }

    /// Adds a node of a USB camera at a port, with the attributes that the kernel shows.
    func addUSBCamera(_ node: String, port: String, serial: String?, interface: Int = 0) {
        let device = "/sys/devices/pci0000:00/usb1/\(port)"
        write("\(device)/idVendor", "1d6b\n")
        write("\(device)/idProduct", "0102\n")
        write("\(device)/product", "Bench camera\n")
        if let serial { write("\(device)/serial", "\(serial)\n") }
        let folder = "\(device)/\(port):1.\(interface)"
        write("\(folder)/bInterfaceNumber", "0\(interface)\n")
        addNode(node, device: folder, label: "Bench camera")
    }

    /// Adds a node of any other device.
    func addNode(_ node: String, device: String, label: String) {
        let folder = "\(device)/video4linux/\(node)"
        write("\(folder)/name", "\(label)\n")
        link("\(folder)/device", to: device)
        link("/sys/class/video4linux/\(node)", to: folder)
        write("/dev/\(node)", "")
    }

    /// Gives a device file a length, so that buffers can be mapped from it.
    func extend(_ node: String, bytes: Int) {
        truncate(path + "/dev/\(node)", bytes)
    }
}
