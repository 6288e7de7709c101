import ProvingGround
import Testing

/// Whole runs from seeds, with every fault that a rig can have, against an oracle that knows the truth.
struct SeededRunTests {
    private static let batch = 80

    /// From 20,000 on host, disk, lines, controls and driver have faults too; from 31,000,000 on most cameras are raw
    /// sensors, whose interrupts come late or not at all.
    @Test(arguments: [1, 81, 20_000, 20_080, 31_000_000, 31_000_080])
    func `no seed makes a record that is not true`(_ first: Int) throws {
        var proof = RunProof()
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

    @Test(arguments: RunProof.foundTheSame)
    func `nor where it went wrong too`(_ seed: UInt64) throws {
        var proof = RunProof()
        for complaint in try proof.run(cases: Int(seed)..<Int(seed) + 1) {
            Issue.record("\(complaint)")
        }
    }
}
