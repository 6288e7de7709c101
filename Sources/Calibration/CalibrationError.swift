/// Why a calibration could not find its figure, in words for the person at the instrument.
public struct CalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What stood in the way.
    public enum Kind: Hashable, Sendable {
        /// The scene, its light or the wiring: another try may succeed.
        case scene
        /// The camera or its format can't be measured in this way.
        case camera
        /// The profile's text can't take the figures.
        case profile
        /// Somebody asked to stop.
        case stopped
    }

    /// What was measured, what stood in the way, and what to do.
    public var message: String
    /// What stood in the way.
    public var kind: Kind

    /// Creates an error.
    public init(_ message: String, _ kind: Kind = .scene) {
        (self.message, self.kind) = (message, kind)
    }

    /// The message.
    public var description: String { message }
}
