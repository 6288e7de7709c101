import Devices
import Testing
import Timebase

@testable import Calibration

struct LatencyTrialsTests {
    private func measure(_ sensor: PlainSensor, delay: Interval = .zero) throws -> LatencyFigure {
        LatencyFigure(try sensor.calibrate(delay: delay).tally)
    }

    @Test(arguments: 0...8) func `a latency is found exactly`(latency: Int) throws {
        let tally = try PlainSensor(latency: latency).calibrate().tally
        #expect(LatencyFigure(tally).certainty == .exact)
        #expect(LatencyFigure(tally).frames == latency)
        #expect(tally.histogram == [.init(frames: Int64(latency), trials: 20)])
        #expect(tally.rows.count == 10 && tally.disturbanceCount == 0)
    }

    @Test func `blanking shows in timestamps`() throws {
        let sensor = PlainSensor(levels: [60, 60], periods: [10, 13], latency: 3)
        let figure = LatencyFigure(try sensor.calibrate(signal: .spacing).tally)
        #expect(figure.isExact && figure.frames == 3)
    }

    @Test func `timestamps that may be a frame late leave two numbers, and say so`() throws {
        let figure = try measure(PlainSensor(), delay: .milliseconds(10))
        #expect(figure.certainty == .undecided)
        #expect(figure.leastFrames == 1 && figure.frames == 2)
    }

    @Test func `a camera that looks at its controls in the middle of a frame is seen through`()
        throws
    {
        let figure = try measure(PlainSensor(latchPhase: 600))
        #expect(figure.certainty == .varying(.phase))
        #expect(figure.leastFrames == 2 && figure.frames == 3)
    }

    @Test func `a frame that shows a change in some of its rows is told`() throws {
        let figure = try measure(PlainSensor(isLatchedInside: true))
        #expect(figure.certainty == .varying(.rows))
        #expect(figure.leastFrames == 2 && figure.frames == 3)
        #expect(figure.tally.splitCount == 20)
    }

    @Test func `a change that takes several frames is no exact one`() throws {
        let figure = try measure(PlainSensor(smoothing: 4))
        #expect(figure.certainty == .varying(.camera))
        // More than a quarter of the way in the second frame, more than three quarters in the fourth.
        #expect(figure.leastFrames == 3 && figure.frames == 5)
    }

    @Test func `lost frames make trials anew and no figure wrong`() throws {
        let sensor = PlainSensor(
            lost: Set(stride(from: 60, to: 4_000, by: 23)),
            lostInside: Set(stride(from: 70, to: 4_000, by: 37)))
        let figure = try measure(sensor)
        #expect(figure.isExact && figure.frames == 2)
        #expect(figure.tally.disturbanceText.contains("frames were lost in"))
    }

    @Test func `a sequence that stands still is made up for by timestamps`() throws {
        let sensor = PlainSensor(
            isStuck: true, lostInside: Set(stride(from: 70, to: 4_000, by: 29)))
        let figure = try measure(sensor)
        #expect(figure.isExact && figure.frames == 2)
    }

    @Test func `writes without effect, refused ones and external changes are made anew`() throws {
        let sensor = PlainSensor(refused: [3, 9], ignored: [5, 14], disturbed: [7])
        let figure = try measure(sensor)
        #expect(figure.isExact && figure.frames == 2)
        let text = figure.tally.disturbanceText
        for reason in ["nothing changed in", "the write was refused in", "changed a control in 1"] {
            #expect(text.contains(reason))
        }
    }

    @Test func `a control that refuses or does nothing gives a message and no figure`() throws {
        let refusing = PlainSensor(refused: Set(1..<1_000))
        #expect {
            try refusing.calibrate()
        } throws: { error in
            "\(error)".contains("can't be measured: camera plain refused gain")
        }
        let idle = PlainSensor(ignored: Set(1..<1_000))
        #expect {
            try idle.calibrate()
        } throws: { error in
            "\(error)".contains("have no result (nothing changed in 11)")
        }
    }
}
