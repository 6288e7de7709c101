import Devices
import Imaging
import Recipes
import TestSupport
import Testing
import Timebase

/// Quantities against figures worked out by hand, and against an oracle that counts digits instead of multiplying.
@Suite struct QuantityTests {
    @Test(arguments: [
        ("8 ms", 8_000_000), ("8ms", 8_000_000), ("200 us", 200_000), ("200 \u{B5}s", 200_000),
        ("200 \u{3BC}s", 200_000), ("1.5 s", 1_500_000_000), ("2 min", 120_000_000_000),
        ("1 h", 3_600_000_000_000), ("500 ns", 500), ("0 s", 0), ("0.000000001 s", 1),
        ("0.5 us", 500), ("1.50000000000 s", 1_500_000_000), ("10000 h", 36_000_000_000_000_000),
        // Fractions are rounded to the nearest nanosecond, half upwards.
        ("1/125 s", 8_000_000), ("1/3 s", 333_333_333), ("2/3 s", 666_666_667),
        ("1/60 s", 16_666_667),
        ("1/2 ns", 1), ("3/2 ns", 2), ("1/3 ns", 0), ("1001/30000 s", 33_366_667),
    ])
    func `a duration is exact`(text: String, nanoseconds: Int64) throws {
        #expect(try Quantity.duration(text).nanoseconds == nanoseconds)
    }

    @Test(arguments: [
        "", " ", "8", "8 ", "ms", "8  ms", " 8 ms", "8 ms ", "8 Ms", "-8 ms", "\u{2212}8 ms",
        "+8 ms",
        ".5 s", "5. s", "1e3 us", "1E-3 s", "0x10 ms", "0b1 s", "1_000 us", "1'000 us", "1,5 ms",
        "08 ms", "00 s", "nan", "NaN s", ".nan", "inf", ".inf", "-.inf", "1/0 s", "1.5/2 s",
        "1/2.5 s",
        "1//2 s", "1/2/3 s", "1/ s", "/2 s", "8 ms 3 us", "8m", "8 sec", "8 fps", "0.5 ns",
        "0.0000000001 s", "10000.1 h", "99999999999999999999999 h", "1.0000000000000000000000000 s",
        "99999999999999999999999999999999999999999999 s", "8 m\u{301}s", "\u{661} s", "８ ms", "８ms",
    ])
    func `what is no duration is refused with a right example`(text: String) {
        do throws(QuantityProblem) {
            let interval = try Quantity.duration(text)
            Issue.record("`\(text)` was read as \(interval)")
        } catch {
            #expect(error.hint != nil)
            #expect(error.part.upperBound <= text.unicodeScalars.count)
            #expect(!error.message.isEmpty)
        }
    }

    @Test(arguments: [
        ("30 fps", 30, 1), ("29.97 fps", 2997, 100), ("30000/1001 fps", 30000, 1001),
        ("60/2 fps", 30, 1), ("0.5 fps", 1, 2), ("1000000 fps", 1_000_000, 1),
        ("0.0001 fps", 1, 10_000), ("119.880119 fps", 119_880_119, 1_000_000),
    ])
    func `a rate is an exact ratio`(text: String, frames: Int64, seconds: Int64) throws {
        #expect(try Quantity.rate(text) == FrameRate(frames: frames, seconds: seconds))
    }

    @Test(arguments: [
        "0 fps", "0.00001 fps", "1000001 fps", "30", "30 Hz", "30/0 fps", "30000/1001",
        "0.123456789012 fps",
    ])
    func `a rate out of range or without unit is refused`(text: String) {
        #expect(throws: QuantityProblem.self) { try Quantity.rate(text) }
    }

    @Test func `gains, numbers and temperatures are exact`() throws {
        #expect(try Quantity.gain("2.0x").millionths == 2_000_000)
        #expect(try Quantity.gain("1.995262 x").millionths == 1_995_262)
        #expect(try Quantity.millionths("0.42") == 420_000)
        #expect(try Quantity.millionths("0.333333") == 333_333)
        #expect(try Quantity.signedThousandths("-4.5") == -4_500)
        #expect(try Quantity.temperature("5200 K") == 5_200)
        #expect(try Quantity.iso("ISO 100") == 100)
        #expect(try Quantity.iso("ISO100") == 100)
        #expect(try Quantity.iso("100") == 100)
        #expect(try Quantity.signedInteger("-64") == -64)
        #expect(try Quantity.integer("9223372036854775807") == .max)
        #expect(try Quantity.size("1456x1088") == FrameSize(width: 1456, height: 1088))
        let region = try Quantity.region("640x480+100+50")
        #expect((region.left, region.top, region.size.width) == (100, 50, 640))
    }

    @Test(arguments: ["2.0", "2 X", "2×", "1.9952623 x", "9223372036854775807x", "-1x"])
    func `a gain needs its x, and millionths are the end`(text: String) {
        #expect(throws: QuantityProblem.self) { try Quantity.gain(text) }
    }

    @Test(arguments: [
        "9223372036854775808", "1.0", "1e3", "0x10", "1_000", "007", "", "five", "--1",
    ])
    func `what is no whole number is refused`(text: String) {
        #expect(throws: QuantityProblem.self) { try Quantity.integer(text) }
        #expect(throws: QuantityProblem.self) { try Quantity.signedInteger(text) }
    }

    @Test(arguments: [
        "640", "640x", "x480", "0x480", "640x0", "65536x1", "640×480", "640x480x3", "-1x1",
    ])
    func `what is no size is refused`(text: String) {
        #expect(throws: QuantityProblem.self) { try Quantity.size(text) }
    }

    @Test(arguments: ["640x480", "640x480+1", "640x480+1+", "640x480+65536+0", "640x480-1+0"])
    func `what is no region is refused`(text: String) {
        #expect(throws: QuantityProblem.self) { try Quantity.region(text) }
    }

    // MARK: Properties

    private static let units = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]

    @Test func `writing a duration out and reading it gives the same duration`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<5_000 {
            let interval = Interval(nanoseconds: random.number(0...36_000_000_000_000_000))
            #expect(try Quantity.duration("\(interval)") == interval, "\(interval)")
        }
    }

    @Test func `a decimal is its digits with the point moved`() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<5_000 {
            let (unit, places) = Self.units[Int(random.number(0...3))]
            let whole = random.number(0...29_999_999)
            let scale = Int(random.below(places + 1))
            let fraction = String(
                (0..<scale).map { _ in Character("\(random.number(0...9))") })
            let text = "\(whole)" + (scale > 0 ? ".\(fraction)" : "") + " \(unit)"
            // The oracle moves the point by writing zeros, and never multiplies.
            let zeros = String(repeating: "0", count: places - scale)
            #expect(
                try Quantity.duration(text).nanoseconds == Int64("\(whole)\(fraction)\(zeros)"),
                "\(text)")
        }
    }

    @Test func `a fraction is the nearest nanosecond`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let (a, b) = (random.number(0...999_999), random.number(0...99_999) + 1)
            let found = Int128(try Quantity.duration("\(a)/\(b) s").nanoseconds)
            // |found − a/b·10⁹| ≤ ½, compared without dividing; at exactly half it lies above.
            let distance = 2 * (found * Int128(b) - Int128(a) * 1_000_000_000)
            #expect(-Int128(b) < distance && distance <= Int128(b), "\(a)/\(b)")
        }
    }

    @Test func `no text of the usual characters traps, and what is accepted is a duration`() {
        var random = SeededGenerator(seed: 4)
        let letters = Array("0123456789./ -+eExnumshixKfp_,'µ×\u{301}")
        for _ in 0..<10_000 {
            let text = String(
                (0..<random.number(0...11)).map { _ in
                    letters[Int(random.below(letters.count))]
                })
            if let interval = try? Quantity.duration(text) { #expect(interval >= .zero, "\(text)") }
            _ = try? Quantity.rate(text)
            _ = try? Quantity.region(text)
            _ = try? Quantity.signedMillionths(text)
            _ = try? Quantity.iso(text)
            _ = try? Quantity.gain(text)
        }
    }
}
