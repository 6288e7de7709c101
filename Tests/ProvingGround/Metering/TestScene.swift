internal import Foundation
internal import TestSupport
package import Timebase

/// What a camera looks at, from a seed: luminance over twelve stops, one of three lamps, a sharp place of the lens.
///
/// A model of its own, in floating point, that shares nothing with the routines it tests.
package struct TestScene {
    /// Raw R/G and B/G of a grey under a lamp.
    package struct Lamp: Sendable {
        package var kelvin: Int64
        package var red: Double
        package var blue: Double

        package init(kelvin: Int64, red: Double, blue: Double) {
            self.kelvin = kelvin
            self.red = red
            self.blue = blue
        }
    }

    /// Tungsten, fluorescent and daylight.
    package static let lamps = [
        Lamp(kelvin: 2_900, red: 0.93, blue: 0.42), Lamp(kelvin: 4_100, red: 0.72, blue: 0.58),
        Lamp(kelvin: 6_500, red: 0.53, blue: 0.79),
    ]
    package static let black = 256.0
    package static let white = 4_095.0
    package static let width = 32
    package static let height = 24

    package let lamp: Lamp
    /// Codes of green over black per second at unity gain, for the brightest part.
    package let codesPerSecond: Double
    /// Where the lens is sharp, 0 to 1.
    package let focus: Double
    /// How far from there contrast has fallen to a half.
    package let depth: Double
    /// The share of the fine pattern.
    package let contrast: Double
    /// Luminance by place, 0.4 to 1.
    package let luminance: [Double]
    /// A fine pattern, −1 or 1.
    package let pattern: [Double]
    private var random: SeededGenerator

    package init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func unit() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
        lamp = Self.lamps[random.below(3)]
        // Middle grey between 0.1 ms and 400 ms at unity gain: 12 stops.
        codesPerSecond = 7_000_000 / exp2(unit() * 12)
        focus = unit()
        depth = 0.03 + 0.09 * unit()
        contrast = 0.1 + 0.3 * unit()
        let slope = unit()
        luminance = (0..<Self.width * Self.height).map { place in
            let (x, y) = (place % Self.width, place / Self.width)
            // The same all over a quad: a pixel stands for many.
            let across = Double(x / 2) / Double(Self.width / 2)
            let down = Double(y / 2) / Double(Self.height / 2)
            return 0.4 + 0.6 * (slope * across + (1 - slope) * down)
        }
        pattern = (0..<Self.width * Self.height).map { _ in random.next() & 1 == 0 ? -1 : 1 }
        self.random = random
    }

    /// The true level over the usual target, in EV: what a frame without noise and limits would meter.
    package func offset(exposure: Interval, gain: Double, target: Double = 0.18) -> Double {
        let mean = luminance.reduce(0, +) / Double(luminance.count)
        let codes = codesPerSecond * Double(exposure.nanoseconds) / 1e9 * gain * mean
        let weighted = 0.299 * lamp.red + 0.587 + 0.114 * lamp.blue
        return log2(codes * weighted / (Self.white - Self.black) / target)
    }

    /// A raw Bayer frame (SRGGB12), with the gains of a camera that balances by itself.
    package mutating func bayer(
        exposure: Interval, gain: Double, red: Double = 1, blue: Double = 1
    ) -> [UInt8] {
        let scale = codesPerSecond * Double(exposure.nanoseconds) / 1e9 * gain
        let colours = [lamp.red * red, 1, 1, lamp.blue * blue]
        let luminance = self.luminance
        return frame(gain: gain) { place in
            let (x, y) = (place % Self.width, place / Self.width)
            let colour = colours[(y & 1) * 2 + (x & 1)]
            return luminance[place] * scale * colour
        }
    }

    /// A grey frame (Y12) of middle brightness, of which only the focus window is filled.
    package mutating func grey(lens: Double) -> [UInt8] {
        let away = (lens - focus) / depth
        let sharp = contrast / (1 + away * away)
        let pattern = self.pattern
        return frame(gain: 1) { place in
            let (x, y) = (place % Self.width, place / Self.width)
            guard (8..<24).contains(x), (8..<16).contains(y) else { return 0 }
            return 900 * (1 + pattern[place] * sharp)
        }
    }

    /// Codes of 12 bits with noise; a pixel stands for 64 of a real frame, so noise is an eighth of a pixel's.
    private mutating func frame(gain: Double, signal: (Int) -> Double) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.width * Self.height * 2)
        for place in 0..<Self.width * Self.height {
            let codes = signal(place)
            // Four electrons a code, and five codes of read noise.
            let sigma = (codes * gain / 4 + 25).squareRoot() / 8
            let code = (Self.black + codes + sigma * normal()).rounded()
            let stored = Int(min(max(code, 0), Self.white))
            bytes[place * 2] = UInt8(stored & 0xff)
            bytes[place * 2 + 1] = UInt8(stored >> 8)
        }
        return bytes
    }

    /// Roughly normal, variance 1: the sum of four numbers of 16 bits.
    private mutating func normal() -> Double {
        let bits = random.next()
        let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + bits >> 48
        return (Double(sum) / 65_536 - 2) * 1.732
    }
}
