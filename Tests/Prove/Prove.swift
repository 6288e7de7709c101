internal import ArgumentParser
internal import ProvingGround

/// Tries every property on all its cases and says what does not hold.
@main
struct Prove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "framelock-prove",
        abstract: "Tries properties of framelock on many thousand seeded cases.")

    @Argument(help: "Only these; all if none is named.")
    var proofs: [String] = []
    @Option(help: "Instead of as many cases as each proof has.")
    var cases: Int?
    @Option(help: "The first case.")
    var from = 0

    func validate() throws {
        let known = Proofs.all.map { $0.name }
        for name in proofs where !known.contains(name) {
            throw ValidationError(
                "`\(name)` is no proof; choose from \(known.joined(separator: ", "))")
        }
        if let cases, cases < 1 { throw ValidationError("--cases takes 1 or more") }
        if from < 0 { throw ValidationError("--from takes 0 or more") }
    }

    func run() throws {
        var hasFailed = false
        for proof in Proofs.all where proofs.isEmpty || proofs.contains(proof.name) {
            hasFailed = try !holds(proof) || hasFailed
        }
        if hasFailed { throw ExitCode.failure }
    }

    private func holds(_ type: any Proof.Type) throws -> Bool {
        var proof = type.init()
        let count = cases ?? type.caseCount
        let start = ContinuousClock.now
        let complaints = try proof.run(cases: from..<from + count)
        let seconds = (ContinuousClock.now - start).components.seconds
        print("\(type.name): \(type.claim): \(count) cases in \(seconds) s")
        for line in proof.figures { print("  \(line)") }
        for line in complaints.prefix(20) { print("! \(line)") }
        if complaints.count > 20 { print("! and \(complaints.count - 20) more") }
        if !complaints.isEmpty {
            print("  one of them again: framelock-prove \(type.name) --from SEED --cases 1")
        }
        return complaints.isEmpty
    }
}
