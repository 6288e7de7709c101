import Glibc

/// This process, as lock files name it.
enum ProcessNumber {
    static var own: Int32 { getpid() }
}

/// The files that this process has open.
func openFiles() -> [String] {
    (0..<256).compactMap { number in
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(number)", &bytes, bytes.count - 1)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
