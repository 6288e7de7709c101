internal import CStorage

/// A file of the record that could not be made, written or read, in words for the person at the instrument.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, for example `create`.
    public var operation: String
    /// Which file or folder.
    public var path: String
    /// The kernel's reason: a positive errno.
    public var errno: Int32

    /// Creates an error.
    public init(_ operation: String, path: String, errno: Int32) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    /// What failed, on which file, why and what to do, for example `can't create /data/run: File exists (EEXIST): …`.
    public var description: String {
        let text = "can't \(operation) \(path): \(Self.text(errno))"
        // The numbers of Linux: EEXIST, ENOSPC and EDQUOT, EFBIG, ENODEV, EROFS.
        return switch errno {
        case 17 where operation == "create": text + "; nothing is overwritten: choose another name"
        case 28, 122: text + "; make room, or use another disk"
        case 27 where operation == "write": text + "; files may not be larger (ulimit -f)"
        case 19 where operation == "open": text + "; it is no regular file"
        case 30: text + "; choose a folder on a disk that can be written to"
        default: text
        }
    }

    /// An error number in the kernel's words: `No space left on device (ENOSPC)`.
    static func text(_ errno: Int32) -> String {
        "\(String(cString: fl_error_text(errno))) (\(String(cString: fl_error_name(errno))))"
    }
}

/// Throws what the shim reports as a negative errno.
///
/// - Parameters:
///   - result: of the call; negative is an errno.
///   - operation: what was tried, as ``StorageError/operation``.
///   - path: of what.
func check(_ result: Int32, _ operation: String, _ path: String) throws(StorageError) {
    if result < 0 { throw StorageError(operation, path: path, errno: -result) }
}
