import Calibration
import Devices
import Imaging
import Simulation
import TestSupport
import Timebase

/// Timing calibrations of simulated rolling and global shutters whose figures nobody told them.
public struct TimingProof: Proof {
    /// As `framelock-prove` calls it.
    public static let name = "timing"
    /// What holds.
    public static let claim = "shutter, row time, readout and exposure lie within the stated bounds"
    /// So many cameras.
    public static let caseCount = 200

    private var rollingCount = 0
    private var widthMillionths: Int64 = 0

    /// Creates a proof without cases.
    public init() {}

    /// How well row times were found.
    public var figures: [String] {
        rollingCount == 0
            ? []
            : [
                "\(rollingCount) row times, to ±\(widthMillionths / 2 / Int64(rollingCount)) ppm on average"
            ]
    }

    /// Measures some cameras.
    public mutating func run(cases: Range<Int>) throws -> [String] {
        let results = try Workers.map(cases) { number in try Self.check(UInt64(number) + 1) }
        for width in results.compactMap(\.width) {
            rollingCount += 1
            widthMillionths += width
        }
        return results.flatMap(\.complaints)
    }

    private static func check(_ seed: UInt64) throws -> (complaints: [String], width: Int64?) {
        var random = SeededGenerator(seed: seed)
        let isGlobal = random.chance(25)
        let shutter = SimulatedShutter(
            rowTime: isGlobal ? .zero : Interval(nanoseconds: random.number(25_000...100_000)),
            endOffset: .zero - .microseconds(random.number(0...1_000)),
            timestampDelay: .microseconds(random.number(0...300)), isFlipped: random.chance(50))
        var options = SimulationOptions(seed: seed)
        options.shutter = shutter
        guard let pixels = PixelFormat.named("GREY"), let size = FrameSize(width: 320, height: 240)
        else { return (["no format"], nil) }
        let light = LineRequest(
            name: "strobe", chip: "simulated", position: .offset(0), direction: .output)
        do {
            let report = try TimingCalibration(light: light, pulse: .microseconds(150)).measure(
                in: SimulatedWorld(options), profile: .simulated,
                configuration: CaptureConfiguration(
                    pixelFormat: pixels, size: size, rate: FrameRate(frames: 30)))
            return judge(report, shutter, seed)
        } catch let error as CalibrationError {
            return (["seed \(seed): \(error)"], nil)
        }
    }

    private static func judge(
        _ report: TimingReport, _ shutter: SimulatedShutter, _ seed: UInt64
    ) -> (complaints: [String], width: Int64?) {
        var complaints: [String] = []
        func expect(_ holds: Bool, _ what: String) {
            if !holds { complaints.append("seed \(seed): \(what): \(report), \(shutter)") }
        }
        let isRolling = shutter.rowTime > .zero
        expect(report.shutter == (isRolling ? .rolling : .global), "shutter")
        expect(report.readout?.contains(shutter.rowTime * 239) == true, "readout")
        if let found = report.exposure, let set = report.exposureSet {
            expect(found.contains(set), "exposure")
        }
        // A timestamp is cut to whole microseconds.
        let least = Interval.zero - shutter.endOffset - .microseconds(1)
        let most = shutter.timestampDelay - shutter.endOffset
        for span in report.delay {
            expect(span.lowerBound <= most && span.upperBound >= least, "max_delay")
        }
        guard isRolling, let row = report.rowPicoseconds else { return (complaints, nil) }
        let truth = shutter.rowTime.nanoseconds * 1_000
        expect(row.contains(truth), "row time")
        expect(report.isFlipped == shutter.isFlipped, "direction")
        return (complaints, (row.upperBound - row.lowerBound) * 1_000_000 / truth)
    }
}
