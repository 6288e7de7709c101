internal import Glibc

/// An errno with the words that people know it by.
package struct KernelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The positive errno.
    package let code: Int32

    /// The error of a call that returned `result`; nil if it succeeded.
    package init?(result: Int32) {
        guard result < 0 else { return nil }
        code = -result
    }

    package init(code: Int32) {
        self.code = code
    }

    /// The symbol, for example `ENODEV`; `errno 133` for a number without one in the table.
    package var symbol: String {
        KernelError.symbols.first { $0.code == code }?.symbol ?? "errno \(code)"
    }

    /// For example `ENODEV, no such device`.
    package var description: String {
        // glibc answers known numbers from a constant table; framelock never sets a locale.
        let message = String(cString: strerror(code))
        return "\(symbol), \(message.prefix(1).lowercased())\(message.dropFirst())"
    }

    /// Those that V4L2, GPIO and the media controller return (kernel documentation of each).
    private static let symbols: [(code: Int32, symbol: String)] = [
        (EPERM, "EPERM"), (ENOENT, "ENOENT"), (EINTR, "EINTR"), (EIO, "EIO"), (ENXIO, "ENXIO"),
        (E2BIG, "E2BIG"), (EBADF, "EBADF"), (EAGAIN, "EAGAIN"), (ENOMEM, "ENOMEM"),
        (EACCES, "EACCES"), (EFAULT, "EFAULT"), (EBUSY, "EBUSY"), (EEXIST, "EEXIST"),
        (ENODEV, "ENODEV"), (EINVAL, "EINVAL"), (EMFILE, "EMFILE"), (ENFILE, "ENFILE"),
        (ENOTTY, "ENOTTY"), (ENOSPC, "ENOSPC"), (EROFS, "EROFS"), (EPIPE, "EPIPE"),
        (ERANGE, "ERANGE"), (ENODATA, "ENODATA"), (ENOLINK, "ENOLINK"), (EPROTO, "EPROTO"),
        (EILSEQ, "EILSEQ"), (EOPNOTSUPP, "EOPNOTSUPP"), (ETIMEDOUT, "ETIMEDOUT"),
        (ENOLCK, "ENOLCK"), (ESHUTDOWN, "ESHUTDOWN"), (EOVERFLOW, "EOVERFLOW"),
        (EREMOTEIO, "EREMOTEIO"),
    ]
}
