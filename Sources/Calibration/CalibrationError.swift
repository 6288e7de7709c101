/// Why a calibration could not find its figure, in words for the person at the instrument.
public struct CalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was measured, what stood in the way, and what to do.
    public var message: String

    /// Creates an error.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
