internal import Glibc

/// A program that is run and waited for.
enum ChildProcess {
    /// Runs a program of the search path.
    ///
    /// - Returns: its exit status.
    static func run(_ arguments: [String]) throws -> Int32 {
        var words = arguments.map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var child = pid_t()
        let refused = posix_spawnp(&child, arguments[0], nil, nil, words, environ)
        guard refused == 0 else {
            throw BenchmarkProblem(
                "can't run \(arguments[0]): \(String(cString: strerror(refused)))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        return status
    }
}

/// Why a measurement could not be made.
struct BenchmarkProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
