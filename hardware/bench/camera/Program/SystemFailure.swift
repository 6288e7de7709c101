import Glibc

/// A system call that failed: what it was to do, on what, and why.
struct SystemFailure: Error, CustomStringConvertible {
    let operation: String
    let code: Int32

    /// - Parameter code: the error number; call this right after the system call.
    init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    var description: String { "\(operation): \(String(cString: strerror(code)))" }
}

/// Small files of sysfs.
enum SystemFile {
    /// The whole text, up to 64 KiB; nil if the file cannot be read.
    static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while text.count < 65536 {
            let count = Glibc.read(file, &chunk, chunk.count)
            guard count > 0 else { break }
            text += chunk[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes the text in one call, as attributes want it.
    static func write(_ text: String, to path: String) throws(SystemFailure) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemFailure("cannot open \(path)") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw SystemFailure("cannot write \"\(text)\" to \(path)")
        }
    }

    /// The names in a folder, sorted; empty if there is none.
    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
