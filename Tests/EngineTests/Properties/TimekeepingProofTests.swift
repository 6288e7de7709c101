import ProvingGround
import Testing

struct TimekeepingProofTests {
    /// Cases that once found something; they stay.
    private static let foundSomething: [Int] = []

    @Test(arguments: 0..<4)
    func `times hold the truth, whatever clocks do`(_ part: Int) throws {
        var proof = TimekeepingProof()
        #expect(try proof.run(cases: part * 8..<part * 8 + 8) == [])
    }

    @Test(arguments: foundSomething)
    func `what once went wrong does not go wrong again`(_ number: Int) throws {
        var proof = TimekeepingProof()
        #expect(try proof.run(cases: number..<number + 1) == [])
    }
}
