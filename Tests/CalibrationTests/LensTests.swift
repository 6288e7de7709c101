import Calibration
import Devices
import Imaging
import Simulation
import TestSupport
import Testing
import Timebase

@Suite struct `Lenses that are measured` {
    static func measure(
        _ options: SimulationOptions, fartherCode: Int64? = nil, trials: Int = 2
    ) throws -> LensReport {
        var options = options
        options.scene.bestFocus = options.scene.bestFocus
        return try LensCalibration(
            rest: .milliseconds(500), trials: trials, fartherCode: fartherCode
        ).measure(
            in: SimulatedWorld(options), profile: .simulated,
            configuration: CaptureConfiguration(
                pixelFormat: try #require(PixelFormat.named("GREY")),
                size: try #require(FrameSize(width: 320, height: 240)),
                rate: FrameRate(frames: 30)))
    }

    /// When sharpness is within 2 % of the step: contrast is 1 / (1 + (d / 100)²), and a score is its square.
    static func settleTime(from distance: Double, tau milliseconds: Double) -> Double {
        func score(_ distance: Double) -> Double {
            let contrast = 1 / (1 + distance * distance / 10_000)
            return contrast * contrast
        }
        let step = score(0) - score(distance)
        var time = 0.0
        var left = distance
        while score(0) - score(left) > step * 0.02 {
            time += 1
            left *= 1 - 1 / milliseconds
        }
        return time
    }

    @Test(arguments: 1...3)
    func `hysteresis lies within its bounds, and the sharpest code is found`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var options = SimulationOptions(seed: seed)
        let stop = random.number(6...25)
        let best = random.number(300_000...700_000)
        options.lens = SimulatedLensDrive(hysteresisCodes: stop, settleTime: .zero)
        options.scene.bestFocus = try #require(LensPosition(millionths: best))
        let report = try Self.measure(options)
        #expect(report.hysteresis.contains(2 * stop * 1_000), "\(report.hysteresis) \(stop)")
        #expect(report.hysteresis.upperBound - report.hysteresis.lowerBound < 12_000)
        let sharpest = (report.sharpestUp + report.sharpestDown) / 2
        #expect(abs(sharpest - (1_000_000 - best)) < 4_000, "\(sharpest) \(best)")
        let approach = try #require(report.approach)
        #expect(approach.overTravelCodes >= 2 * stop)
    }

    @Test(arguments: [15, 40])
    func `settle time is found to a frame`(tau: Int64) throws {
        var options = SimulationOptions(seed: 5, hasNoise: false)
        options.lens = SimulatedLensDrive(settleTime: .milliseconds(tau))
        let settle = try #require(try Self.measure(options).settle)
        // The move is from an end of the range, at code 0, to the sharpest code 600.
        let truth = Self.settleTime(from: 600, tau: Double(tau))
        let period = 33.4
        #expect(Double(settle.lowerBound.nanoseconds) / 1e6 <= truth + 1, "\(settle) \(truth)")
        #expect(Double(settle.upperBound.nanoseconds) / 1e6 >= truth - 1, "\(settle) \(truth)")
        #expect(Double(settle.upperBound.nanoseconds) / 1e6 <= truth + 2 * period)
    }

    @Test func `an ideal lens needs no approach, and two distances tell its direction`() throws {
        let report = try Self.measure(SimulationOptions(seed: 2), fartherCode: 300)
        #expect(report.approach == nil)
        #expect(report.hysteresis.lowerBound == 0)
        #expect(report.isLargerNearer == true)
        let figures = report.figures(for: .simulated, conditions: "").map(\.figure)
        #expect(!figures.contains { if case .lensEnds = $0 { true } else { false } })
    }

    @Test func `a scene in the dark has no texture`() {
        var options = SimulationOptions(seed: 2)
        options.scene.luminanceMillionths = 2_000
        let error = #expect(throws: CalibrationError.self) { try Self.measure(options) }
        #expect(error?.message.hasPrefix("no texture") == true)
    }
}
