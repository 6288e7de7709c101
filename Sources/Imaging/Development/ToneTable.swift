/// Tables of a tone curve, made once for each development.
///
/// Computed in doubles by addition, multiplication, division and square root alone, whose results IEEE 754 fixes to the
/// last bit, and rounded to integers: the same tables on every machine.
enum ToneTable {
    /// The code of each of `count` evenly spaced lights from none to full, rounded to the nearest.
    ///
    /// - Parameters:
    ///   - count: entries, at least 2; the table is indexed by lane, or by lane over 8.
    ///   - maximum: the code of full light, 255 or 65,535; no light is 0.
    static func codes(_ tone: DevelopmentSettings.Tone, count: Int, maximum: Int) -> [Int] {
        (0..<count).map { index in
            let light = Double(index) / Double(count - 1)
            let value = tone == .linear ? light : sRGB(light)
            return Int(value * Double(maximum) + 0.5)
        }
    }

    /// The transfer function of sRGB, IEC 61966-2-1: from linear light to signal, both 0…1.
    private static func sRGB(_ light: Double) -> Double {
        guard light > 0.003_130_8 else { return light * 12.92 }
        // The 2.4th root is the product of the fourth and the sixth.
        let root = light.squareRoot()
        return 1.055 * root.squareRoot() * cubeRoot(root) - 0.055
    }

    /// The cube root of a number in 0.05…1, by Newton's steps from above: ten are enough for every digit.
    private static func cubeRoot(_ number: Double) -> Double {
        var root = 1.0
        for _ in 0..<16 { root -= (root * root * root - number) / (3 * root * root) }
        return root
    }
}
