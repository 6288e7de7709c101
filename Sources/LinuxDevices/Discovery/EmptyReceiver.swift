/// A receiver of a raw sensor that has none: no driver took a sensor on its ribbon cable.
///
/// Listed by `framelock devices`, and named in the error for a camera that is not there.
public struct EmptyReceiver: Hashable, Sendable {
    /// The driver of its media device, for example `rp1-cfe`.
    public var driver: String
    /// Its device file, for example `/dev/media0`.
    public var path: String
    /// Where it is, as its driver reports it.
    public var bus: String
    /// Sensors of the device tree that no driver took, for example `imx219 10-0010`.
    public var untaken: [String]

    /// What it lacks and what to look at.
    public var message: String {
        let known =
            untaken.isEmpty
            ? "its ribbon cable, its overlay in config.txt, or its driver is missing"
            : "the device tree has \(untaken.joined(separator: " and ")), which no driver took: it does"
                + " not answer (ribbon cable, power), is another sensor than the overlay in config.txt"
                + " names, or its driver is missing"
        return
            "the receiver `\(driver)` (\(path), \(bus)) has no sensor: \(known); `dmesg` shows which"
    }
}

extension SystemTree {
    /// Devices on I²C buses that have pixels to send, by the device tree, and no driver.
    ///
    /// A sensor's node in the device tree has a `port` that leads to its receiver. Without a device tree there are
    /// none.
    var untakenSensors: [String] {
        let folder = "/sys/bus/i2c/devices"
        return names(in: folder).compactMap { place in
            guard exists("\(folder)/\(place)/of_node/port"), !exists("\(folder)/\(place)/driver"),
                let name = line("\(folder)/\(place)/name")
            else { return nil }
            return "\(name) \(place)"
        }
    }
}
