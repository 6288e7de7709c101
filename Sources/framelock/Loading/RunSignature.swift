internal import Instrument
internal import Notation
internal import Records

/// The signature of a run: of its `checksums`, beside that.
struct RunSignature {
    private let checksums: String
    private var path: String { "\(checksums).sig" }

    /// Whether a run has a signature, whatever it is worth.
    static func isThere(in folder: String) -> Bool {
        WholeFile.exists("\(RunFolder(path: folder).checksums).sig")
    }

    /// - Throws: ``Failure`` for a run that has not ended, whose `checksums` lists nothing yet; `UnreadableRun` where
    ///   there is none.
    init(_ folder: String) throws {
        let run = try RecordedRun(path: folder)
        guard run.isFinalised else {
            throw Failure(
                exitCode: 84,
                message:
                    "the run still goes on, or was cut: there is nothing to sign until it ended"
                    + " (`framelock recover` ends the record of one that was cut)")
        }
        checksums = run.folder.checksums
    }

    /// Signs, with a passphrase asked for on the terminal where the key has one.
    ///
    /// - Returns: the signature's path.
    func sign(key: String) throws -> String {
        let (status, text) = try SSHKeygen.run(
            ["-Y", "sign", "-q", "-f", key, "-n", SSHKeygen.namespace], input: checksums)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard status == 0, let first = lines.firstIndex(of: "-----BEGIN SSH SIGNATURE-----") else {
            throw Failure(
                exitCode: 74, message: "ssh-keygen could not sign: \(Self.onOneLine(text))")
        }
        try WholeFile.replace(path, Array(lines[first...].joined(separator: "\n").utf8))
        return path
    }

    /// Who signed the run.
    ///
    /// - Parameter allowed: a file of people and their public keys (ssh-keygen(1), ALLOWED SIGNERS).
    /// - Returns: the name that the file has for the key, or what is wrong with the signature.
    func signer(allowed: String) throws -> Result<String, SignatureProblem> {
        for (file, what) in [(allowed, "allowed signers"), (checksums, "checksums")]
        where !WholeFile.exists(file) {
            throw Failure(exitCode: 74, message: "there is no file of \(what): \(file)")
        }
        guard WholeFile.exists(path) else {
            return .failure(SignatureProblem(text: "the run is not signed"))
        }
        let found = try SSHKeygen.run(
            ["-Y", "find-principals", "-q", "-f", allowed, "-s", path], input: checksums)
        let name = found.text.split(separator: "\n").first.map(String.init) ?? ""
        guard found.status == 0, !name.isEmpty else {
            return .failure(
                SignatureProblem(
                    text:
                        "the key that signed is none of the allowed signers' (lines of a name and a public key, as"
                        + " `laboratory@example.org ssh-ed25519 AAAA…`): \(Self.onOneLine(found.text))"
                ))
        }
        let checked = try SSHKeygen.run(
            [
                "-Y", "verify", "-q", "-f", allowed, "-I", name, "-n", SSHKeygen.namespace, "-s",
                path,
            ], input: checksums)
        guard checked.status == 0 else {
            return .failure(
                SignatureProblem(
                    text:
                        "the signature is not one of these checksums: \(Self.onOneLine(checked.text))"
                ))
        }
        return .success(name)
    }

    private static func onOneLine(_ text: String) -> String {
        text.split { $0.isNewline }.joined(separator: "; ")
    }
}

/// What is wrong with a signature.
struct SignatureProblem: Error {
    let text: String
}
