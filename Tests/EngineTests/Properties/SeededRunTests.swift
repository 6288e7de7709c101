import ProvingGround
import Testing

/// Whole runs from seeds, with every fault that a rig can have, against an oracle that knows the truth.
struct SeededRunTests {
    private static let batch = 80

    @Test(arguments: 0..<4)
    func `no seed makes a record that is not true`(_ number: Int) throws {
        var proof = RunProof()
        let first = number * Self.batch + 1
        for complaint in try proof.run(cases: first..<first + Self.batch) {
            Issue.record("\(complaint)")
        }
    }

    @Test(arguments: RunProof.foundSomething)
    func `what once went wrong does not go wrong again`(_ seed: UInt64, _ what: String) throws {
        var proof = RunProof()
        for complaint in try proof.run(cases: Int(seed)..<Int(seed) + 1) {
            Issue.record("\(complaint) (once: \(what))")
        }
    }
}
