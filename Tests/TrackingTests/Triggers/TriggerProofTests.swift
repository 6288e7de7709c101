import ProvingGround
import Testing

struct TriggerProofTests {
    @Test func `30,000 triggers with faults are classed as what they were`() throws {
        var proof = TriggerProof()
        #expect(try proof.run(cases: 0..<3) == [])
        #expect(proof.figures.contains { $0.hasPrefix("edge matched") })
    }
}
