import ProvingGround
import Testing

/// Runs of the engine that are cut anywhere, and whose record is ended afterwards.
struct RecoveryProofTests {
    @Test func `the record of a run that was cut anywhere is ended without losing a row`() throws {
        var proof = RecoveryProof()
        #expect(try proof.run(cases: 2_026_112_500_000..<2_026_112_500_250) == [])
    }

    @Test(arguments: RecoveryProof.foundSomething)
    func `what a cut found once holds`(seed: UInt64, what: String) throws {
        var proof = RecoveryProof()
        #expect(try proof.run(cases: Int(seed)..<Int(seed) + 1) == [], "\(what)")
    }
}
