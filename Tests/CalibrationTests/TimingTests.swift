import Calibration
import Devices
import ProvingGround
import Simulation
import TestSupport
import Testing
import Timebase

@Suite struct `Timing of exposures from flashes` {
    @Test(arguments: 1...3)
    func `a rolling shutter's rows are found within the stated bounds`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rowTime = Interval(nanoseconds: random.number(25_000...80_000))
        let shutter = SimulatedShutter(
            rowTime: rowTime, endOffset: .microseconds(random.number(-400...0)),
            timestampDelay: .microseconds(random.number(0...300)), isFlipped: seed % 2 == 0)
        var rig = TimingRig()
        rig.options.seed = seed
        rig.options.shutter = shutter
        let report = try rig.measure()
        #expect(report.shutter == .rolling)
        #expect(report.isFlipped == shutter.isFlipped)
        let row = try #require(report.rowPicoseconds)
        #expect(row.contains(rowTime.nanoseconds * 1_000), "\(row) \(rowTime)")
        #expect(row.upperBound - row.lowerBound < rowTime.nanoseconds * 40)
        #expect(try #require(report.readout).contains(rowTime * 239))
        let exposure = try #require(report.exposure)
        let set = try #require(report.exposureSet)
        #expect(exposure.contains(set), "\(exposure) \(set)")
        #expect(exposure.upperBound - exposure.lowerBound < .microseconds(400))
        // Each frame's own delay is the simulation's secret; its limits are known.
        let least = Interval.zero - shutter.endOffset - .microseconds(1)
        let most = shutter.timestampDelay - shutter.endOffset
        #expect(report.delay.count > 8)
        for span in report.delay {
            #expect(span.lowerBound <= most && span.upperBound >= least, "\(span)")
            #expect(span.upperBound - span.lowerBound < .microseconds(800))
        }
    }

    @Test(arguments: 1...3)
    func `a global shutter is told from a rolling one`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let delay = Interval.microseconds(random.number(0...100))
        let before = Interval.microseconds(random.number(0...2_000))
        var rig = TimingRig(pulse: .microseconds(200))
        rig.options.seed = seed
        rig.options.shutter = SimulatedShutter(
            endOffset: .zero - before, timestampDelay: delay)
        let report = try rig.measure()
        #expect(report.shutter == .global)
        #expect(report.rowPicoseconds == nil)
        #expect(try #require(report.readout).upperBound <= .microseconds(200))
        #expect(!report.delay.isEmpty)
        for span in report.delay {
            #expect(span.lowerBound <= before + delay, "\(span) \(before)")
            #expect(span.upperBound >= before - .microseconds(1), "\(span) \(before)")
            #expect(span.upperBound - span.lowerBound <= .microseconds(201))
        }
    }

    @Test func `a joined input tells the truth about the light, even timestamped late`() throws {
        var rig = TimingRig(back: TimingRig.input("light_back"))
        rig.options.shutter = SimulatedShutter(rowTime: .microseconds(40))
        rig.options.wiring = SimulatedWiring(
            returns: ["light_back": "strobe"], edgeDelay: .microseconds(30))
        let row = try #require(try rig.measure().rowPicoseconds)
        #expect(row.contains(40_000_000))
    }

    @Test func `without light there is a plain word`() throws {
        var rig = TimingRig()
        rig.options.scene = SimulatedScene(luminanceMillionths: 100)
        let error = #expect(throws: CalibrationError.self) { try rig.measure() }
        #expect(error?.message.hasPrefix("no light:") == true)
    }

    @Test func `a saturated scene is refused`() throws {
        var rig = TimingRig()
        rig.options.scene = SimulatedScene(luminanceMillionths: 100_000_000)
        let error = #expect(throws: CalibrationError.self) { try rig.measure() }
        #expect(error?.message.hasPrefix("saturated:") == true)
    }

    @Test func `the figures go into a profile`() throws {
        var rig = TimingRig()
        rig.options.shutter = SimulatedShutter(
            rowTime: .microseconds(40), endOffset: .microseconds(-150),
            timestampDelay: .microseconds(200))
        let report = try rig.measure()
        var edit = try ProfileEdit(try ProfileFiles.source("generic-uvc.yaml"))
        try edit.set(
            try report.figures(for: edit.profile, conditions: "320x240"),
            by: `Measured figures in profile files`.measurement)
        let model = edit.profile.timestamps
        #expect(edit.profile.shutter == .rolling)
        #expect(model.point == .startOfReadout)
        #expect(try #require(report.readout).contains(try #require(model.readout)))
        #expect(model.delay >= .microseconds(150))
        #expect(model.delay < .microseconds(1_000))
    }

    @Test func `timestamps at the end of the readout are known for what they are`() throws {
        var rig = TimingRig()
        // The timestamp means the moment after which 240 rows were read.
        rig.options.shutter = SimulatedShutter(
            rowTime: .microseconds(40), endOffset: .microseconds(-9_800))
        let report = try rig.measure()
        let edit = try ProfileEdit(try ProfileFiles.source("generic-uvc.yaml"))
        let figures = try report.figures(for: edit.profile, conditions: "").map(\.figure)
        #expect(figures.contains(.timestampPoint(.endOfReadout)))
    }

    @Test(arguments: 1...5)
    func `a strobe output tells how late timestamps are`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let before = Interval.microseconds(random.number(0...3_000))
        let late = Interval.microseconds(random.number(0...500))
        var rig = TimingRig()
        rig.options.seed = seed
        rig.options.shutter = SimulatedShutter(endOffset: .zero - before, timestampDelay: late)
        rig.options.wiring = SimulatedWiring(
            strobe: "camera_strobe", edgeDelay: .microseconds(40))
        let report = try StrobeCalibration(
            line: TimingRig.input("camera_strobe"), edgeDelay: .microseconds(50)
        ).measure(
            in: SimulatedWorld(rig.options), profile: .simulated, configuration: rig.configuration)
        #expect(report.source == .strobe && report.shutter == nil)
        // The simulated strobe of the last frame is read after it.
        #expect(report.delay.count >= 63)
        for span in report.delay {
            #expect(span.lowerBound <= before + late)
            #expect(span.upperBound >= before - .microseconds(1))
        }
        #expect(report.latest <= before + late + .microseconds(50))
        #expect(try #require(report.exposure).contains(try #require(report.exposureSet)))
        let figures = try report.figures(for: .simulated, conditions: "").map(\.figure)
        #expect(figures.count == 1)
    }

    @Test func `a line on which nothing comes is named`() throws {
        var rig = TimingRig()
        rig.options.edgeInterval = .seconds(3_600)
        let error = #expect(throws: CalibrationError.self) {
            try StrobeCalibration(line: TimingRig.input("other"), edgeDelay: .zero).measure(
                in: SimulatedWorld(rig.options), profile: .simulated,
                configuration: rig.configuration)
        }
        #expect(error?.message.hasPrefix("no edge came on line other") == true)
    }
}
