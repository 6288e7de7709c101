/// Why an export could not be made, in words for the person who asked for it.
public struct ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed, and what to do.
    public var description: String
    /// What `framelock` exits with: 64 for what can't be meant, 74 for a file that could not be written.
    public var exitCode: Int32

    static func usage(_ message: String) -> ExportError {
        ExportError(description: message, exitCode: 64)
    }

    static func inputOutput(_ message: String) -> ExportError {
        ExportError(description: message, exitCode: 74)
    }

    /// A file that a library in C could not make, with its message.
    static func inputOutput(_ what: String, _ message: [CChar]) -> ExportError {
        let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return .inputOutput("\(what): \(String(decoding: text, as: UTF8.self))")
    }

    /// A frame that was there when the export began is another one now.
    static func changed(_ slot: Int64) -> ExportError {
        .inputOutput("the frame of slot \(slot) has changed since the export began")
    }
}
