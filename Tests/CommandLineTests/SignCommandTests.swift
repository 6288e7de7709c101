import Foundation
import Testing

/// SSH signatures of runs, made and checked by ssh-keygen itself too.
struct SignCommandTests {
    private let folder: TemporaryFolder
    private var run: String { "\(folder.path)/run" }
    private var key: String { "\(folder.path)/key" }
    private var allowed: String { "\(folder.path)/allowed" }

    /// A run, a key and a file that allows it.
    init() throws {
        folder = try TemporaryFolder()
        let recorded = try FramelockProgram.run(
            "simulate", "recipes/first-light.yaml", "--output", "\(folder.path)/run")
        try #require(recorded.status == 0)
        try Self.keygen("-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key)
        try allow("laboratory@example.org", key)
    }

    @discardableResult
    private static func keygen(_ arguments: String...) throws -> FramelockProgram.Result {
        try FramelockProgram.Started(URL(filePath: "/usr/bin/ssh-keygen"), arguments).result()
    }

    private func allow(_ name: String, _ key: String) throws {
        let line = "\(name) \(try folder.text("\(key.split(separator: "/").last ?? "").pub"))"
        try Data(line.utf8).write(to: URL(filePath: allowed))
    }

    private func verify() throws -> FramelockProgram.Result {
        try FramelockProgram.run("verify", run, "--allowed-signers", allowed)
    }

    @Test func `a signed run says who signed it`() throws {
        let signed = try FramelockProgram.run("sign", run, "--key", key)
        try #require(signed.status == 0, "\(signed.stderr)")
        #expect(signed.stdout == "\(run)/checksums.sig\n")
        let verified = try verify()
        #expect(verified.status == 0)
        #expect(verified.stdout.contains("signed by laboratory@example.org"), "\(verified.stdout)")
        // Again, over the old one; and a run without the question is what it was.
        #expect(try FramelockProgram.run("sign", run, "--key", key, "--json").status == 0)
        #expect(try verify().status == 0)
        #expect(try FramelockProgram.run("verify", run).status == 0)
    }

    @Test func `a run that nobody signed, or somebody else, is not what was asked for`() throws {
        var verified = try verify()
        #expect(verified.status == 65 && verified.stdout.contains("the run is not signed"))
        #expect(try FramelockProgram.run("sign", run, "--key", key).status == 0)
        try Self.keygen("-q", "-t", "ed25519", "-N", "", "-f", "\(folder.path)/other")
        try allow("somebody@example.org", "other")
        verified = try verify()
        #expect(verified.status == 65)
        #expect(verified.stdout.contains("none of the allowed signers'"), "\(verified.stdout)")
    }

    @Test
    func `a run that does not agree with itself is not signed, and its signature says nothing`()
        throws
    {
        #expect(try FramelockProgram.run("sign", run, "--key", key).status == 0)
        let plain = try FramelockProgram.run("verify", run)
        #expect(plain.stdout.contains("its signature was not checked"), "\(plain.stdout)")
        let ledger = URL(filePath: "\(run)/ledger.csv")
        let text = try String(contentsOf: ledger, encoding: .utf8)
        try Data(text.replacing(",frame,", with: ",hole,").utf8).write(to: ledger)
        let verified = try verify()
        #expect(verified.status == 65 && verified.stdout.contains("not what was signed"))
        #expect(!verified.stdout.contains("laboratory@example.org"))
        let again = try FramelockProgram.run("sign", run, "--key", key)
        #expect(again.status == 65 && again.stderr.contains("is not signed"), "\(again.stderr)")
    }

    @Test func `hashes that are made anew lose the signature`() throws {
        #expect(try FramelockProgram.run("sign", run, "--key", key).status == 0)
        let ledger = URL(filePath: "\(run)/ledger.csv")
        let checksums = URL(filePath: "\(run)/checksums")
        let text = try String(contentsOf: checksums, encoding: .utf8)
        let old = try #require(text.split(separator: "\n").first { $0.hasSuffix("  ledger.csv") })
        try Data((String(contentsOf: ledger, encoding: .utf8) + "\n").utf8).write(to: ledger)
        let hash = try FramelockProgram.Started(
            URL(filePath: "/usr/bin/sha256sum"), [ledger.path]
        ).result().stdout.prefix(64)
        try Data(text.replacing(old, with: "\(hash)  ledger.csv").utf8).write(to: checksums)
        let verified = try verify()
        #expect(verified.status == 65)
        #expect(
            verified.stdout.contains("checksums.sig: the signature is not one of these checksums"),
            "\(verified.stdout)")
    }

    @Test func `a signature for something else is none of a run`() throws {
        try Self.keygen("-q", "-Y", "sign", "-f", key, "-n", "file", "\(run)/checksums")
        let verified = try verify()
        #expect(verified.status == 65, "\(verified.stdout)")
    }

    @Test func `files that are not there, and runs that have not ended, are said to be so`() throws
    {
        let missing = try FramelockProgram.run(
            "verify", run, "--allowed-signers", "\(allowed)-none")
        #expect(missing.status == 74 && missing.stderr.contains("no file of allowed signers"))
        let keyless = try FramelockProgram.run("sign", run, "--key", "\(key)-none")
        #expect(keyless.status == 74 && keyless.stderr.contains("ssh-keygen could not sign"))
        let path = URL(filePath: "\(run)/run.json")
        let text = try String(contentsOf: path, encoding: .utf8)
        try Data(text.replacing("\"finalised\"", with: "\"running\"").utf8).write(to: path)
        #expect(try FramelockProgram.run("sign", run, "--key", key).status == 84)
    }
}
