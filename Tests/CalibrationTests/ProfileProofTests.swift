import ProvingGround
import Testing

struct ProfileProofTests {
    @Test func `edits say what was meant and leave every other line alone`() throws {
        var proof = ProfileProof()
        #expect(try proof.run(cases: 0..<4) == [])
    }
}
