internal import Glibc

/// A new folder for one measurement, gone with everything in it afterwards.
enum ScratchFolder {
    /// Runs `body` with the path of a new folder inside `parent`, which is made if it is not there.
    static func inside<Result>(
        _ parent: String, _ body: (String) throws -> Result
    ) throws -> Result {
        try make(parent)
        let path = "\(parent)/benchmark-\(getpid())"
        guard mkdir(path, 0o777) == 0 else {
            throw BenchmarkProblem("can't make \(path): \(String(cString: strerror(errno)))")
        }
        defer { remove(path) }
        return try body(path)
    }

    /// Removes a folder with everything in it.
    static func remove(_ path: String) {
        _ = try? ChildProcess.run(["rm", "-rf", "--", path])
    }

    private static func make(_ path: String) throws {
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/\(name)"
            guard mkdir(made, 0o777) == 0 || errno == EEXIST else {
                throw BenchmarkProblem(
                    "can't make \(made): \(String(cString: strerror(errno)))")
            }
        }
    }
}
