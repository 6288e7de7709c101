/// Where a limit comes from, for the message to the person who met it.
public enum LimitOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A camera profile, by its name and its file where it has one.
    case profile(String, file: String?)
    /// The attached camera's own word, by the camera's stable id.
    case device(String)
    /// The frame length that a rate leaves, in a mode of a raw sensor.
    indirect case frameLength(rate: String, mode: String, of: LimitOrigin)
    /// What the registers of a raw sensor can count in frames that are longer than they hold.
    indirect case frameCount(lines: Int64, of: LimitOrigin)

    /// For example "camera profile `imx477` (hardware/cameras/imx477.yaml)", or "camera usb:0001 itself".
    public var description: String {
        switch self {
        case .profile(let name, let file):
            "camera profile `\(name)`" + (file.map { " (\($0))" } ?? "")
        case .device(let id): "camera \(id) itself"
        case .frameLength(let rate, let mode, let origin): "\(origin), \(mode) at \(rate)"
        case .frameCount(let lines, let origin):
            "\(origin), in steps of \(lines) lines because the frame is so long"
        }
    }
}
