internal import Glibc

/// Read access to /sys and /dev below a root: `/` in earnest, a folder of fixtures in tests.
///
/// Paths begin with a slash and are those of the real system; the root is put before them here alone.
struct SystemTree: Hashable, Sendable {
    /// The root without a slash at its end; empty for `/`.
    let root: String

    /// More than any attribute of sysfs that is read here.
    private static let fileBytesMaximum = 4096

    init(root: String) {
        self.root = root.hasSuffix("/") ? String(root.dropLast()) : root
    }

    /// The path to give to the kernel for a path below the root.
    func path(_ path: String) -> String { root + path }

    /// The names in a folder, by their letters and then by the number at their end; empty if it can't be read.
    func names(in folder: String) -> [String] {
        guard let stream = opendir(path(folder)) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = fixedText(entry.pointee.d_name)
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { SystemTree.isBefore($0, $1) }
    }

    /// The first line of a file, without the line's end; nil if it can't be read.
    ///
    /// Bytes that are no UTF-8 are replaced: names of devices are whatever their makers wrote.
    func line(_ file: String) -> String? {
        bytes(file).map { String(decoding: $0.prefix { $0 != 10 }, as: UTF8.self) }
    }

    /// The bytes of a file, of which the first 4096 are read; nil if it can't be read.
    func bytes(_ file: some StringProtocol) -> [UInt8]? {
        let descriptor = open(path(String(file)), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: SystemTree.fileBytesMaximum)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    /// Where a path really lies once all links are followed, relative to the root; nil if it does not exist.
    func resolved(_ link: String) -> String? {
        guard let real = realpath(path(link), nil) else { return nil }
        defer { free(real) }
        let text = String(cString: real)
        guard !root.isEmpty else { return text }
        guard let realRoot = realpath(root, nil) else { return nil }
        defer { free(realRoot) }
        let prefix = String(cString: realRoot)
        return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    /// Whether something is there; links are followed, so one that leads nowhere is not.
    func exists(_ file: String) -> Bool { access(path(file), F_OK) == 0 }

    /// `video2` before `video10`.
    static func isBefore(_ a: String, _ b: String) -> Bool {
        let (left, right) = (split(a), split(b))
        return left.letters == right.letters
            ? (left.number, a) < (right.number, b) : left.letters < right.letters
    }

    /// A name as its letters and the number at its end; −1 for a name without one, which so comes first.
    private static func split(_ name: String) -> (letters: Substring, number: Int) {
        let digits = name.reversed().prefix { ("0"..."9").contains($0) }.count
        return (name.dropLast(digits), Int(name.suffix(digits)) ?? -1)
    }
}

extension String {
    /// Without the spaces around it, which makers of devices leave in their texts.
    var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
