/// A SHA-256 digest, 32 bytes; its text is what `sha256sum` prints.
public struct FileDigest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    init(bytes: [UInt8]) {
        precondition(bytes.count == 32, "a SHA-256 has 32 bytes")
        self.bytes = bytes
    }

    /// The digest of bytes.
    public init(of content: [UInt8]) {
        self.init(bytes: SHA256.hash(content))
    }

    /// The digest of 64 hexadecimal digits, small letters; nil for anything else.
    public init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1])
            else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(bytes: bytes)
    }

    /// The digest of a file's content.
    ///
    /// A megabyte at a time.
    ///
    /// - Throws: ``StorageError`` if the file can't be opened or read.
    package static func ofFile(_ path: String) throws(StorageError) -> FileDigest {
        let file = try OpenFile.open(path)
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: Int64 = 0
        while true {
            let count = try file.read(into: &buffer, at: offset)
            if count == 0 { break }
            buffer.withUnsafeBytes { hash.update(.init(rebasing: $0[..<count])) }
            offset += Int64(count)
        }
        return FileDigest(bytes: hash.finalize())
    }

    /// 64 hexadecimal digits.
    public var description: String {
        var text = ""
        for byte in bytes {
            text += byte < 16 ? "0" : ""
            text += String(byte, radix: 16)
        }
        return text
    }

    /// The value of a hexadecimal digit; nil for capital letters and anything else.
    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
