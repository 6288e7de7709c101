import ProvingGround
import Testing

struct TriggerProofTests {
    @Test func `30,000 triggers with faults are classed as what they were`() throws {
        var proof = TriggerProof()
        #expect(try proof.run(cases: 0..<3) == [])
        #expect(proof.figures.contains { $0.hasPrefix("edge matched") })
    }

    @Test(arguments: TriggerProof.foundSomething)
    func `what once went wrong does not go wrong again`(_ number: Int, _ what: String) throws {
        var proof = TriggerProof()
        for complaint in try proof.run(cases: number..<number + 1) {
            Issue.record("\(complaint) (once: \(what))")
        }
    }
}
