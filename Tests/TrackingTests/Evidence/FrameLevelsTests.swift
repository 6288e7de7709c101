import Imaging
import TestSupport
import Testing

@testable import Tracking

/// How bright frames are to the evidence of their pixels: 64 x 64 samples of 8 bits, black at 16.
struct FrameLevelsTests {
    private static func frame(_ sample: (_ x: Int, _ y: Int) -> UInt8) throws -> FrameStatistics {
        let format = try #require(PixelFormat.named("GREY"))
        let size = try #require(FrameSize(width: 64, height: 64))
        let bytes = (0..<64).flatMap { y in (0..<64).map { x in sample(x, y) } }
        return bytes.withUnsafeBytes { FrameStatistics(of: $0, format: format, size: size) }
    }

    @Test func `twice the light above black is a factor of two`() throws {
        var levels = FrameLevels(black: 16, white: 255, isLinear: true)
        let dim = levels.level(of: try Self.frame { x, _ in UInt8(16 + 20 + x / 8) }, scene: 0)
        let bright = levels.level(
            of: try Self.frame { x, _ in UInt8(16 + 2 * (20 + x / 8)) }, scene: 0)
        let difference = try #require(bright.value) - (try #require(dim.value))
        #expect(abs(difference - 0.693_147) < 1e-6)
    }

    @Test
    func `cells at full scale are left out, and a frame of nothing else says no more than that`()
        throws
    {
        var levels = FrameLevels(black: 16, white: 255, isLinear: true)
        let white = levels.level(of: try Self.frame { _, _ in 255 }, scene: 0)
        #expect(white.value == nil && white.isSaturated)
        // A lamp in an eighth of the picture makes the rest no brighter.
        _ = levels.level(of: try Self.frame { _, _ in 100 }, scene: 1)
        let usual = levels.level(of: try Self.frame { _, _ in 100 }, scene: 1)
        let lit = levels.level(of: try Self.frame { x, _ in x < 8 ? 255 : 100 }, scene: 1)
        #expect(try #require(lit.value) == (try #require(usual.value)))
        #expect(!lit.isSaturated && lit.variance <= usual.variance)
    }

    @Test func `a frame that is saturated but for an eighth tells how bright those behind it are`()
        throws
    {
        var levels = FrameLevels(black: 16, white: 255, isLinear: true)
        func picture(_ light: Int) throws -> FrameStatistics {
            try Self.frame { x, y in
                UInt8(clamping: 16 + (light * ((x < 8 ? 40 : 400) + y)) / 4)
            }
        }
        let first = levels.level(of: try picture(4), scene: 0)
        // The law of a linear camera holds for the cells that are compared, and so for those that were saturated.
        for light in [2, 1, 2] {
            let next = levels.level(of: try picture(light), scene: 0)
            let ratio = try #require(next.value) - (try #require(first.value))
            #expect(abs(ratio - (light == 2 ? -0.693_147 : -1.386_294)) < 0.02)
        }
    }

    @Test func `a scene of dark and bright parts gets no darker where the bright ones are full`()
        throws
    {
        var levels = FrameLevels(black: 16, white: 255, isLinear: false)
        // Six cells of a row reflect from 0.06 to 0.45, two are paper.
        func picture(_ light: Int) throws -> FrameStatistics {
            try Self.frame { x, _ in
                UInt8(clamping: 16 + light * [6, 14, 22, 30, 38, 45, 90, 90][x / 8] / 100)
            }
        }
        var last = -Double.infinity
        for light in [100, 130, 170, 220, 280, 360, 460, 590, 750, 960] {
            let level = levels.level(of: try picture(light), scene: 0)
            // From 560 on fewer than eight in sixty-four are left that tell by themselves; light grows by 1.28.
            if let value = level.value {
                #expect(value > last - 2 * level.variance.squareRoot(), "\(light)")
                last = value
            } else {
                #expect(level.isSaturated)
            }
        }
    }

    @Test
    func `without a law the frame that a scene begins with is one that is mostly below full scale`()
        throws
    {
        var levels = FrameLevels(black: 0, white: 255, isLinear: false)
        func picture(_ light: Int) throws -> FrameStatistics {
            try Self.frame { x, y in UInt8(clamping: light * ((x < 24 ? 40 : 400) + y)) }
        }
        let first = levels.level(of: try picture(1), scene: 0)
        let again = levels.level(of: try picture(1), scene: 0)
        #expect(first.isProvisional && first.value != nil && again == first)
        let second = levels.level(of: try Self.frame { x, y in UInt8(60 + x + y) }, scene: 0)
        #expect(second.value != nil && !second.isProvisional)
        // Now it is known how bright its cells are beside each other.
        let third = levels.level(of: try picture(1), scene: 0)
        #expect(third.value != nil && !third.isProvisional)
    }

    @Test
    func
        `where something moves through half of the picture its brightness is known no better than that`()
        throws
    {
        var levels = FrameLevels(black: 16, white: 255, isLinear: false)
        // A surface that gets brighter to the right, and something darker before some of its columns.
        func picture(_ columns: [Int]) throws -> FrameStatistics {
            try Self.frame { x, y in
                UInt8((columns.contains((x / 8 + y / 8 * 3) % 8) ? 30 : 100) + x)
            }
        }
        for _ in 0..<3 { _ = levels.level(of: try picture([]), scene: 0) }
        #expect(levels.level(of: try picture([]), scene: 0).variance < 0.001)
        let moved = levels.level(of: try picture([0, 3, 5]), scene: 0)
        // A factor of two in three of eight cells.
        #expect(moved.value == nil || moved.variance > 0.05)
    }

    @Test func `what is not saturated because it became darker does not speak for the picture`()
        throws
    {
        var levels = FrameLevels(black: 16, white: 255, isLinear: false)
        for _ in 0..<3 { _ = levels.level(of: try Self.frame { _, _ in 240 }, scene: 0) }
        // Twice the exposure: all would be at full scale but for something dark in a third of the picture.
        let covered = levels.level(of: try Self.frame { x, _ in x < 24 ? 90 : 255 }, scene: 0)
        #expect(covered.value == nil)
    }

    @Test
    func `a display that stays bright in a corner does not speak for a picture that is too dark`()
        throws
    {
        var levels = FrameLevels(black: 16, white: 255, isLinear: false)
        func picture(_ light: UInt8) throws -> FrameStatistics {
            try Self.frame { _, y in y < 8 ? (y & 1 == 0 ? 180 : 60) : 16 + light }
        }
        #expect(levels.level(of: try picture(0), scene: 0).value == nil)
        let first = levels.level(of: try picture(20), scene: 0)
        let second = levels.level(of: try picture(40), scene: 0)
        #expect(levels.level(of: try picture(0), scene: 0).value == nil)
        let difference = try #require(second.value) - (try #require(first.value))
        #expect(abs(difference - 0.693_147) < 1e-6)
    }

    @Test
    func
        `the mean of a few codes is not known to a hundredth where nothing hides that codes are whole`()
        throws
    {
        var levels = FrameLevels(black: 16, white: 255, isLinear: false)
        let flat = levels.level(of: try Self.frame { _, _ in 18 }, scene: 0)
        #expect(flat.variance > 0.1 * 0.1)
        let noisy = levels.level(
            of: try Self.frame { x, y in UInt8(17 + (x * 7 + y * 3) % 3) }, scene: 1)
        #expect(noisy.variance < 0.02 * 0.02)
    }

    @Test func `noise that is cut off at code 0 leaves a bound and no level`() throws {
        var generator = SeededGenerator(seed: 1)
        func picture(_ light: Int) throws -> FrameStatistics {
            // Twelve uniform numbers have a variance of 1 each, and nearly a normal distribution.
            try Self.frame { _, _ in
                let noise = (0..<12).reduce(0.0) { sum, _ in
                    sum + Double.random(in: -2...2, using: &generator)
                }
                return UInt8(max(0, Double(light) + noise).rounded())
            }
        }
        var levels = FrameLevels(black: 0, white: 255, isLinear: false)
        let dark = levels.level(of: try picture(1), scene: 0)
        #expect(dark.value == nil)
        #expect(try abs(#require(dark.atMost) - -4.40) < 0.1, "ln(1.5 · 2.1 / 255)")
        let bright = levels.level(of: try picture(20), scene: 0)
        #expect(bright.atMost == nil)
        #expect(try abs(#require(bright.value) - -2.55) < 0.02, "ln(20 / 255)")
    }

    @Test func `a black frame is darker than what can be measured`() throws {
        var levels = FrameLevels(black: 16, white: 255, isLinear: true)
        let black = levels.level(of: try Self.frame { _, _ in 16 }, scene: 0)
        #expect(black.value == nil)
        #expect(try abs(#require(black.atMost) - -5.58) < 0.01, "ln(1.5 · 0.6 / 239)")
    }
}
