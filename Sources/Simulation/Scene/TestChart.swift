internal import Imaging

/// A picture of a test chart: gray steps, colour patches, slanted edges and bars, on white paper.
///
/// Places are parts of a thousand of the picture, bars and slopes are in pixels; whole numbers decide what is where, so
/// that it is the same on every machine.
struct TestChart {
    /// What a place reflects, by colour: 0 to 1.
    struct Reflectance {
        var red, green, blue: Float

        init(_ red: Float, _ green: Float, _ blue: Float) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        init(grey: Float) { self.init(grey, grey, grey) }
    }

    private static let paper = Reflectance(grey: 0.9)
    private static let steps: [Float] = [
        0.025, 0.05, 0.09, 0.14, 0.2, 0.28, 0.37, 0.48, 0.6, 0.73, 0.87, 1,
    ]
    private static let colours = [
        Reflectance(0.7, 0.08, 0.06), Reflectance(0.1, 0.5, 0.12), Reflectance(0.06, 0.1, 0.6),
        Reflectance(0.08, 0.6, 0.7), Reflectance(0.65, 0.08, 0.5), Reflectance(0.85, 0.75, 0.05),
        Reflectance(0.75, 0.45, 0.3), Reflectance(0.3, 0.5, 0.75),
    ]
    /// How many pixels a bright and a dark bar take together.
    private static let periods = [24, 12, 8, 6, 4]
    /// The mean of the green of all of it, for pictures of usual proportions.
    static let meanGreen: Float = 0.618

    let width, height: Int

    /// What is at a pixel.
    func reflectance(_ x: Int, _ y: Int) -> Reflectance {
        let (u, v) = (x * 1_000 / width, y * 1_000 / height)
        if (50..<950).contains(u) {
            let place = u - 50
            if (60..<240).contains(v) {
                return Reflectance(grey: Self.steps[place * Self.steps.count / 900])
            }
            if (760..<940).contains(v) { return Self.colours[place * Self.colours.count / 900] }
        }
        if (300..<700).contains(v) {
            if (340..<660).contains(u) { return bars(x, y, u - 340, isUpper: v < 500) }
            if isInSquare(x - width * 180 / 1_000, y - height / 2) {
                return Reflectance(grey: 0.06)
            }
            if isInSquare(x - width * 820 / 1_000, y - height / 2) {
                return Reflectance(grey: 0.45)
            }
        }
        return Self.paper
    }

    /// Groups of bars side by side, finer from left to right: upright above, level below.
    private func bars(_ x: Int, _ y: Int, _ place: Int, isUpper: Bool) -> Reflectance {
        let period = Self.periods[place * Self.periods.count / 320]
        let along = isUpper ? x : y
        return Reflectance(grey: along % period < period / 2 ? 0.95 : 0.1)
    }

    /// A square whose edges lean by a tenth, 5.7 degrees, as measurements of sharpness want them.
    private func isInSquare(_ dx: Int, _ dy: Int) -> Bool {
        let half = height * 14 / 100 * 10
        return abs(10 * dx + dy) < half && abs(10 * dy - dx) < half
    }

    /// The picture out of focus, and what focus adds to each pixel.
    ///
    /// Out of focus each pixel has the mean of a square around it, a fortieth of the picture wide.
    ///
    /// - Parameter colour: which colour the pixel of a column and row measures.
    func picture(
        _ colour: (_ x: Int, _ y: Int) -> KeyPath<Reflectance, Float>
    ) -> (smooth: [Float], texture: [Float]) {
        var (smooth, texture) = (
            [Float](repeating: 0, count: width * height),
            [Float](repeating: 0, count: width * height)
        )
        let planes: [KeyPath<Reflectance, Float>] = [\.red, \.green, \.blue]
        for plane in planes {
            let sharp = (0..<width * height).map {
                reflectance($0 % width, $0 / width)[keyPath: plane]
            }
            let radius = max(1, width / 80)
            let across = Self.blurred(
                sharp, lines: height, length: width, step: 1, jump: width, radius)
            let blurred = Self.blurred(
                across, lines: width, length: height, step: width, jump: 1, radius)
            for place in 0..<width * height where colour(place % width, place / width) == plane {
                smooth[place] = blurred[place]
                texture[place] = sharp[place] - blurred[place]
            }
        }
        return (smooth, texture)
    }

    /// The mean of each pixel and its neighbours in its line; beyond the ends the last one goes on.
    private static func blurred(
        _ pixels: [Float], lines: Int, length: Int, step: Int, jump: Int, _ radius: Int
    ) -> [Float] {
        var result = pixels
        let count = Float(2 * radius + 1)
        for line in 0..<lines {
            func pixel(_ place: Int) -> Float {
                pixels[line * jump + min(max(place, 0), length - 1) * step]
            }
            var sum: Float = 0
            for place in -radius...radius { sum += pixel(place) }
            for place in 0..<length {
                result[line * jump + place * step] = sum / count
                sum += pixel(place + radius + 1) - pixel(place - radius)
            }
        }
        return result
    }
}
