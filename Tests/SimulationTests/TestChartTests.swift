import Devices
import Imaging
import Testing
import Timebase

@testable import Simulation

/// The test chart as the simulated camera films it.
struct TestChartTests {
    /// A frame of 320 by 240 without noise, Y12; the lens starts at 0.4.
    private static func film(bestFocus: Int64) throws -> [[Double]] {
        let scene = try FilmedScene(1, size: (320, 240), rate: 10, exposure: 30_000) {
            $0.scene.subject = .chart
            $0.scene.bestFocus = LensPosition(millionths: bestFocus) ?? $0.scene.bestFocus
        }
        return try #require(scene.frames.first).pixels
    }

    private static func spread(_ row: ArraySlice<Double>) -> Double {
        (row.max() ?? 0) - (row.min() ?? 0)
    }

    @Test func `gray steps rise from left to right, and each reflects what it should`() throws {
        let row = try Self.film(bestFocus: 400_000)[36]
        let centres = (0..<12).map { row[16 + 24 * $0 + 12] }
        #expect(zip(centres, centres.dropFirst()).allSatisfy { $0 < $1 })
        // The darkest reflects a fortieth of the brightest, and the paper nine tenths; a code is a third of a per cent.
        #expect(abs(centres[0] / centres[11] - 0.025) < 0.003)
        #expect(abs(row[4] / centres[11] - 0.9) < 0.003)
    }

    @Test func `bars are sharp in focus, and gone far out of it`() throws {
        let (sharp, blurred) = (
            try Self.film(bestFocus: 400_000)[96], try Self.film(bestFocus: 1_000_000)[96]
        )
        // The finest bars, four pixels for a bright and a dark one; nine pixels are meant out of focus.
        let contrast = Self.spread(sharp[195..<205]) / sharp[4]
        #expect(abs(contrast - 0.85 / 0.9) < 0.01)
        #expect(Self.spread(blurred[195..<205]) / blurred[4] < contrast / 5)
        // Focus moves light from place to place, and adds none.
        let (first, second) = (FilmedScene.mean(sharp), FilmedScene.mean(blurred))
        #expect(abs(first / second - 1) < 0.03)
    }

    @Test func `an edge leans by a tenth`() throws {
        let pixels = try Self.film(bestFocus: 400_000)
        func edge(_ row: Int) throws -> Int {
            let dark = pixels[row][4] / 2
            return try #require(pixels[row].firstIndex { $0 < dark })
        }
        #expect(try edge(110) - edge(130) == 2)
    }

    @Test(arguments: [(640, 480), (1456, 1088), (1920, 1080), (320, 240)])
    func `its mean is what the iris takes it for`(width: Int, height: Int) {
        let chart = TestChart(width: width, height: height)
        var sum = 0.0
        for y in 0..<height {
            for x in 0..<width { sum += Double(chart.reflectance(x, y).green) }
        }
        let mean = sum / Double(width * height)
        #expect(abs(mean / Double(TestChart.meanGreen) - 1) < 0.025, "\(mean)")
    }

    @Test func `smallest pictures have one too`() {
        for (width, height) in [(1, 1), (2, 2), (7, 3)] {
            let picture = TestChart(width: width, height: height).picture { _, _ in \.green }
            #expect(
                picture.smooth.count == width * height && picture.texture.count == width * height)
            #expect(picture.smooth.allSatisfy { (0.02...1).contains($0) })
        }
    }
}
