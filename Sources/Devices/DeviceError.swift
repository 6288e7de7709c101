/// Why a camera, a line or a clock could not do what was asked, in words for the person at the instrument.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is; decides the exit code.
    public enum Kind: Hashable, Sendable {
        /// The device is not there, or went away.
        case notFound
        /// Somebody else uses it.
        case busy
        /// It can't now, and may later: what it looks at sends no signal.
        case notReady
        /// Rights are missing.
        case permission
        /// The device, or the kernel, can't do what was asked.
        case unsupported
        /// The device refused a value, or gave another one back.
        case refused
        /// Anything else that the kernel reported.
        case failed
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// What failed, on which device, the limit, and what to do.
    public var message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
