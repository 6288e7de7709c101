import Foundation
import Testing

@testable import Records
@testable import Reports

/// The pictures of a report's page.
struct PictureTests {
    private static func entry(
        _ slot: Int64, step: Int32 = 0, settings: Int32 = 0, isHole: Bool = false
    ) -> LedgerEntry {
        LedgerEntry(
            LedgerRow(
                slot: slot, step: step, settings: settings, reason: isHole ? .dropped : nil),
            at: SlotPlace(), measure: nil)
    }

    private static func slots(_ entries: [LedgerEntry]) -> [Int64] {
        var choice = PictureChoice()
        for entry in entries { choice.add(entry) }
        return choice.chosen.map(\.row.slot)
    }

    @Test func `a series of equal frames is shown from all over the run, the last one too`() {
        let shown = Self.slots((0..<100_000).map { Self.entry($0) })
        #expect(shown.count == 8 && shown.first == 0 && shown.last == 99_999)
        let gaps = zip(shown, shown.dropFirst()).map { $1 - $0 }
        #expect((gaps.min() ?? 0) > 4_000 && (gaps.max() ?? 0) < 30_000, "\(shown)")
    }

    @Test func `of many settings no more are shown than a page has room for`() {
        let shown = Self.slots((0..<5_000).map { Self.entry($0, settings: Int32($0)) })
        #expect(shown.count == 24 && shown.first == 0)
    }

    @Test func `each step has its first frame, and holes are not shown`() {
        let rows = (0..<40).map {
            Self.entry($0, step: Int32($0 / 4), isHole: $0 % 4 == 0)
        }
        #expect(Self.slots(rows) == (0..<10).map { $0 * 4 + 1 })
        #expect(Self.slots([Self.entry(0, isHole: true)]) == [])
        #expect(Self.slots([Self.entry(7)]) == [7])
    }

    @Test func `a page has the frames as JPEG, and what each of them had`() throws {
        let run = try SampleRecord(slots: 4)
        for slot in 0..<3 as Range<Int64> { run.frame(SampleRecord.row(slot)) }
        run.hole(3, .dropped)
        try run.finish()
        let page = try PageCheck(RunReport(run.path).page)
        let pictures = page.attributes.filter { $0.element == "img" }.map(\.values)
        #expect(pictures.count == 3)
        for picture in pictures {
            let source = try #require(picture["src"])
            let data = try #require(
                Data(base64Encoded: String(source.dropFirst("data:image/jpeg;base64,".count))))
            #expect(data.starts(with: [0xFF, 0xD8]) && data.suffix(2) == Data([0xFF, 0xD9]))
            #expect(picture["width"] == "8" && picture["height"] == "4")
        }
        #expect(page.words.contains("slot 2"))
    }

    @Test func `a frame that is not the row's is not shown as its picture`() throws {
        let run = try SampleRecord(slots: 3)
        for slot in 0..<3 as Range<Int64> {
            run.frame(SampleRecord.row(slot), level: UInt8(50 * (slot + 1)))
        }
        try run.finish()
        let shard = run.path + "/frames.zarr/0/c/0/0/0"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: shard))
        let place = try #require(bytes.range(of: Data(repeating: 100, count: 32)))
        bytes.replaceSubrange(place, with: Data(repeating: 50, count: 32))
        try bytes.write(to: URL(fileURLWithPath: shard))
        let page = try PageCheck(RunReport(run.path).page)
        #expect(page.elements["img"] == 2)
        #expect(page.words.contains("another one than was recorded"))
    }
}
