import Records
import Testing

@testable import Exports

/// What the command line selects rows by.
struct ExportSelectionTests {
    @Test func `slots are numbers and ranges, the last one open where it wants`() throws {
        let selection = try ExportSelection(slots: "0-9,12,20-", conditions: [])
        #expect(selection.slots == [0...9, 12...12, 20...Int64.max])
    }

    @Test(arguments: ["", "a", "-3", "5-3", "1,,2", "1-2-3", " 1", "99999999999999999999", "+1"])
    func `what is no slot is refused`(text: String) {
        let error = #expect(throws: ExportError.self) {
            try ExportSelection(slots: text, conditions: [])
        }
        #expect(error?.exitCode == 64)
    }

    @Test func `a condition names a column, and its text may hold anything`() throws {
        let selection = try ExportSelection(slots: nil, conditions: ["label=a=b", "lights="])
        #expect(selection.conditions.map(\.text) == ["a=b", ""])
        #expect(selection.conditions.map(\.column.name) == ["label", "lights"])
    }

    @Test(arguments: [
        ("light=red", "`lights`"), ("lable=x", "`label`"),
        ("lens_position=0.5", "`applied_lens_position` or `requested_lens_position`"),
    ])
    func `a column that is mistyped is guessed`(text: String, meant: String) {
        let error = #expect(throws: ExportError.self) {
            try ExportSelection(slots: nil, conditions: [text])
        }
        #expect(error?.description.contains("did you mean \(meant)?") == true)
    }
}
