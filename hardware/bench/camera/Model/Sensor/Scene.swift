/// What the camera looks at, and the light that falls on the sensor.
package struct Scene: Sendable, Equatable {
    /// Luma counts per 100 µs of exposure at gain 16 (×1).
    package var lumaPerUnit = 0.6
    /// Luma of a pixel that got no light.
    package var blackLevel = 16
    /// The focus value at which the texture is sharpest.
    package var bestFocus = 120
    /// The temperature setting that shows no cast, in kelvin.
    package var illuminantKelvin = 4600
    /// Standard deviation of the noise in luma counts; 0 for none.
    package var noise = 0.0
    /// Whether the truth pattern covers the first rows.
    package var hasPattern = true

    package init() {}

    /// The luma of the flat field before rounding and clipping.
    package func luma(exposureNanoseconds: Int64, gain: Int, brightness: Int) -> Double {
        let units = Double(exposureNanoseconds) / 100_000
        return Double(blackLevel + brightness) + lumaPerUnit * units * Double(gain) / 16
    }

    /// How much contrast of a texture with the given period survives the defocus; 1 at best focus.
    package func contrast(focus: Int, periodPixels: Int) -> Double {
        let blur = Double(focus - bestFocus) / Double(5 * periodPixels)
        return 1 / (1 + blur * blur)
    }

    /// Chroma (Cb, Cr) of the flat field for a light of `signal` luma counts above black.
    package func chroma(signal: Double, _ settings: SettingValues) -> (blue: UInt8, red: UInt8) {
        // A setting below the illuminant's temperature makes the picture blue, one above makes it red.
        let warmth = Double(settings[.temperature]) / Double(illuminantKelvin)
        let red = Double(settings[.red]) / 1024 * warmth - 1
        let blue = Double(settings[.blue]) / 1024 / warmth - 1
        let scale = max(0, signal) * Double(settings[.saturation]) / 64
        return (
            Scene.clipped(128 + 0.564 * scale * blue, 16...240),
            Scene.clipped(128 + 0.713 * scale * red, 16...240)
        )
    }

    static func clipped(_ value: Double, _ range: ClosedRange<Double>) -> UInt8 {
        UInt8(min(max(value.rounded(), range.lowerBound), range.upperBound))
    }
}
