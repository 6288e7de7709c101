import Imaging
import Testing

@Suite("Focus score")
struct FocusScoreTests {
    /// Stripes of so many pixels, blurred over so many.
    private static func frame(
        _ format: String = "Y12", stripe: Int = 4, blur: Int, light: Int = 1_000, black: Int = 0
    ) -> SmallFrame? {
        SmallFrame(format, 96, 72) { x, _, _ in
            let sum = (x - blur...x + blur).reduce(0) {
                $0 + (($1 + 96) / stripe % 2 == 0 ? light : light / 2)
            }
            return black + sum / (2 * blur + 1)
        }
    }

    private static func score(_ frame: SmallFrame?, black: Int = 0) throws -> Int64 {
        let frame = try #require(frame)
        return try #require(frame.read(black: black, subjects: .focus).focus).millionths
    }

    @Test(arguments: ["Y12", "SRGGB12", "RGB24", "YUYV"])
    func `the less blurred, the higher`(format: String) throws {
        let light = format.hasSuffix("12") ? 1_000 : 200
        let scores = try [0, 1, 2, 3].map {
            try Self.score(Self.frame(format, stripe: 8, blur: $0, light: light))
        }
        #expect(scores == scores.sorted(by: >))
        #expect(scores[3] < scores[0])
    }

    @Test func `light and black level do not count`() throws {
        let one = try Self.score(Self.frame(blur: 0, light: 1_000))
        let other = try Self.score(Self.frame(blur: 0, light: 3_000))
        #expect(abs(one - other) * 1_000 < one)
        let raised = try Self.score(Self.frame(blur: 0, light: 1_000, black: 240), black: 240)
        #expect(raised == one)
    }

    @Test func `the finest pattern counts most`() throws {
        let fine = try #require(
            SmallFrame("Y12", 96, 72) { x, y, _ in (x + y) % 2 == 0 ? 1_000 : 500 })
        #expect(try Self.score(fine) > Self.score(Self.frame(blur: 0)))
    }

    @Test func `only the window counts`() throws {
        let corner = try #require(
            SmallFrame("Y12", 96, 72) { x, y, _ in x < 20 && y < 20 && x % 2 == 0 ? 1_000 : 500 })
        #expect(try Self.score(corner) == 0)
        let point = try #require(FramePoint(xMillionths: 100_000, yMillionths: 100_000))
        let seen = try #require(corner.read(subjects: .focus, point: point).focus)
        #expect(seen.millionths > 0)
    }

    @Test func `a black window has no score, an even one none of detail`() throws {
        let black = try #require(SmallFrame("Y12", 96, 72) { _, _, _ in 0 })
        #expect(black.read().focus == nil)
        #expect(try Self.score(SmallFrame("Y12", 96, 72) { _, _, _ in 700 }) == 0)
    }
}
