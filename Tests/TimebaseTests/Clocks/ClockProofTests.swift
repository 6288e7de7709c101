import ProvingGround
import Testing

struct ClockProofTests {
    @Test func `stated intervals hold the truth, while readings come in and afterwards`() throws {
        var proof = ClockProof()
        #expect(try proof.run(cases: 1..<4) == [])
        #expect(proof.figures.count == 2)
    }
}
