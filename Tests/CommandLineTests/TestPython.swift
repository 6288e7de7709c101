import Foundation

/// The Python that independent readers run in.
enum TestPython {
    /// `FRAMELOCK_PYTHON`, or the interpreter that the tests' set-up keeps in the cache and that has these modules.
    static func with(_ modules: String) throws -> URL {
        let environment = ProcessInfo.processInfo.environment
        if let given = environment["FRAMELOCK_PYTHON"] { return URL(filePath: given) }
        let cache =
            environment["FRAMELOCK_CACHE"]
            ?? (environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "/root") + "/.cache")
            + "/framelock"
        let names = try FileManager.default.contentsOfDirectory(atPath: cache).sorted()
        for name in names where name.hasPrefix("python-") {
            let python = URL(filePath: "\(cache)/\(name)/bin/python")
            let asked = try? FramelockProgram.Started(python, ["-c", "import \(modules)"]).result()
            if asked?.status == 0 { return python }
        }
        throw FramelockProgram.Missing(
            description: "no Python with \(modules) in \(cache): run deploy/bootstrap test, or set"
                + " FRAMELOCK_PYTHON to an interpreter or `off`")
    }
}
