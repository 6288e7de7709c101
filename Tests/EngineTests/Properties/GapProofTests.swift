import ProvingGround
import Testing

/// Some of the streams that `framelock-prove gaps` tries all of.
struct GapProofTests {
    @Test(arguments: 0..<4)
    func `what the evidence is sure of is true, whatever the driver says`(_ part: Int) throws {
        var proof = GapProof()
        for complaint in try proof.run(cases: part * 500..<part * 500 + 500) {
            Issue.record("\(complaint)")
        }
    }

    @Test(arguments: GapProof.foundSomething)
    func `what once went wrong does not go wrong again`(_ seed: UInt64, _ what: String) throws {
        var proof = GapProof()
        for complaint in try proof.run(cases: Int(seed) - 1..<Int(seed)) {
            Issue.record("\(complaint) (once: \(what))")
        }
    }
}
