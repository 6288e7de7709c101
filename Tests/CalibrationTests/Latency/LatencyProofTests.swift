import ProvingGround
import Testing

struct LatencyProofTests {
    @Test func `latencies of simulated cameras are found exactly`() throws {
        var proof = LatencyProof()
        #expect(try proof.run(cases: 0..<3) == [])
    }
}
