import Notation
import Testing

/// Each thing that the reader refuses, and the words in which it does.
@Suite struct `YAML is refused in clear words` {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let complaint: String

        init(_ testDescription: String, _ text: String, _ complaint: String) {
            self.testDescription = testDescription
            self.text = text
            self.complaint = complaint
        }
    }

    @Test(arguments: cases)
    func `a refusal`(refusal: Case) {
        #expect(yamlComplaint(refusal.text) == refusal.complaint)
    }

    static let cases: [Case] = []
}
