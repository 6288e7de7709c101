/// Which camera it is, in terms that survive a reboot.
public struct CameraIdentity: Hashable, Sendable {
    /// The id of the camera that needs no hardware.
    public static let simulatedID = "simulated"

    /// The stable id: `simulated`, `usb:SERIAL`, `usb:PRODUCT@PORT`, `platform:…`; never a device file.
    public var id: String
    /// What the device calls itself.
    public var name: String
    /// The kernel driver, or `simulated`.
    public var driver: String
    /// Where it is attached, as the driver reports it.
    public var bus: String
    /// Where that is, for people: `USB port 1-1.2`; the bus where nothing better is known.
    public var location: String
    /// The back-end that drives it: `simulated` or `v4l2`.
    public var backend: String
    /// The device file of today, for example `/dev/video0`; empty for a simulated camera.
    public var path: String
    /// The kind of a raw sensor, for example `imx219`; nil where the camera is no sensor behind a receiver.
    public var sensor: String?
    /// What the sensor is attached to: the name of the receiver's description, or the media device's driver.
    public var receiver: String?

    /// Creates an identity.
    public init(
        id: String, name: String, driver: String, bus: String, backend: String, path: String,
        location: String? = nil
    ) {
        self.id = id
        self.name = name
        self.driver = driver
        self.bus = bus
        self.backend = backend
        self.path = path
        self.location = location ?? bus
    }
}
