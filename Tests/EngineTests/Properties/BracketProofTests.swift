import ProvingGround
import Testing

struct BracketProofTests {
    /// Cases that once found something; they stay.
    private static let foundSomething: [Int] = []

    @Test(arguments: 0..<4)
    func `no picture contradicts its row`(_ part: Int) throws {
        var proof = BracketProof()
        #expect(try proof.run(cases: part * 3..<part * 3 + 3) == [])
    }

    @Test(arguments: foundSomething)
    func `what once went wrong does not go wrong again`(_ number: Int) throws {
        var proof = BracketProof()
        #expect(try proof.run(cases: number..<number + 1) == [])
    }
}
