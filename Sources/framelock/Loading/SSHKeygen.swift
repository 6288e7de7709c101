internal import Glibc
internal import Instrument

/// OpenSSH's `ssh-keygen`, which signs files and checks signatures (ssh-keygen(1), `-Y`).
enum SSHKeygen {
    /// What signatures of runs are for: one that was made for something else is none.
    static let namespace = "framelock"

    /// Runs it.
    ///
    /// - Parameters:
    ///   - input: the file that it reads; nil for the terminal, on which it may ask for a passphrase.
    /// - Returns: its exit status, and what it printed on either stream.
    /// - Throws: ``Failure`` where it can't be run.
    static func run(
        _ arguments: [String], input: String? = nil
    ) throws(Failure) -> (status: Int32, text: String) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw failure(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input { posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        let words = (["ssh-keygen"] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, "ssh-keygen", &actions, nil, words + [nil], environ)
        close(ends[1])
        guard error == 0 else { throw failure(error) }
        let text = read(from: ends[0])
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1, errno == EINTR {}
        // The exit status by wait(2); a signal counts as a failure.
        return (status & 0x7F == 0 ? status >> 8 & 0xFF : 128, text)
    }

    private static func read(from descriptor: Int32) -> String {
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func failure(_ error: Int32) -> Failure {
        Failure(
            exitCode: 69,
            message: "can't run ssh-keygen: \(String(cString: strerror(error)));"
                + " it is in Debian's package openssh-client")
    }
}
