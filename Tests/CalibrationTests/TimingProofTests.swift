import ProvingGround
import Testing

struct TimingProofTests {
    @Test func `the first cameras are timed within the bounds`() throws {
        var proof = TimingProof()
        #expect(try proof.run(cases: 0..<2) == [])
    }
}
