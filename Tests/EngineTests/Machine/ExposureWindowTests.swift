import Records
import TestSupport
import Testing
import Timebase
import Tracking

@testable import Engine

/// Exposure windows against every exposure that could have made the timestamp, tried one by one.
struct ExposureWindowTests {
    /// What is known: bounds of the readout's start, and exposure and readout where they are.
    struct Knowledge: CustomStringConvertible {
        var readout: ClosedRange<Int64>
        var exposure: Int64?
        var rows: Int64?
        var period: Int64

        var description: String {
            "readout \(readout), exposure \(exposure.map(String.init) ?? "?"), rows "
                + "\(rows.map(String.init) ?? "?"), period \(period)"
        }
    }

    private static let cases: [Knowledge] = {
        var random = SeededGenerator(seed: 11)
        return (0..<60).map { _ in
            let earliest = random.number(1_000...2_000)
            let period = random.number(20...60) * 4
            return Knowledge(
                readout: earliest...earliest + random.number(0...40),
                exposure: random.number(0...1) == 0 ? nil : random.number(1...period),
                rows: random.number(0...1) == 0 ? nil : random.number(0...period / 2) * 2,
                period: period)
        }
    }()

    @Test(arguments: cases)
    func `the window holds every exposure that fits what is known`(_ known: Knowledge) throws {
        let window = try #require(Self.window(known))
        let half = window.centre.halfWidth.nanoseconds
        var isEarliestReached = false
        for begin in [known.readout.lowerBound, known.readout.upperBound] {
            for exposure in known.exposure.map({ [$0] }) ?? [0, known.period / 2, known.period] {
                for rows in known.rows.map({ [$0] }) ?? [0, known.period / 3, known.period] {
                    // Each row is exposed until it is read; the centre row is read half of the rows' time later.
                    let end = begin + rows / 2
                    #expect(window.earliestStart.nanoseconds <= begin - exposure)
                    isEarliestReached =
                        isEarliestReached
                        || window.earliestStart.nanoseconds == begin - exposure
                    #expect(abs(window.centre.end.nanoseconds - end) <= half)
                    #expect(abs(window.centre.start.nanoseconds - (end - exposure)) <= half)
                    #expect(abs(window.centre.mid.nanoseconds - (end - exposure / 2)) <= half)
                }
            }
        }
        #expect(isEarliestReached, "no frame is refused that could be taken")
    }

    @Test func `known to the nanosecond, the bound is a nanosecond`() throws {
        let window = try #require(
            Self.window(Knowledge(readout: 1_000...1_000, exposure: 40, rows: 0, period: 100)))
        #expect(window.centre.halfWidth == .nanoseconds(1))
    }

    @Test func `a sensor that counts by a clock of its own widens the bound by its share`() throws {
        let readout = ObservedFrame.Readout(
            earliest: Instant(nanoseconds: 5_000_000), latest: Instant(nanoseconds: 5_000_000))
        let window = try #require(
            ExposureWindow(
                readout: readout, duration: .milliseconds(2), readoutTime: .milliseconds(3),
                period: .milliseconds(10),
                clockPerMillion: 600))
        #expect(window.centre.halfWidth == Interval.nanoseconds(1_200 + 900 + 1))
        #expect(window.earliestStart.nanoseconds == 3_000_000 - 1_200)
    }

    @Test func `without a period only what is known makes a window`() {
        let readout = ObservedFrame.Readout(
            earliest: Instant(nanoseconds: 5), latest: Instant(nanoseconds: 6))
        #expect(
            ExposureWindow(readout: readout, duration: nil, readoutTime: .zero, period: nil) == nil)
        #expect(
            ExposureWindow(
                readout: readout, duration: .nanoseconds(3), readoutTime: nil, period: nil) == nil)
        #expect(
            ExposureWindow(
                readout: readout, duration: .nanoseconds(3), readoutTime: .zero, period: nil)
                != nil)
    }

    @Test func `the session's clock moves a window and widens it by its own doubt`() throws {
        let window = try #require(
            Self.window(Knowledge(readout: 1_000...1_010, exposure: 40, rows: 20, period: 100)))
        let time = window.onSession(
            ClockRelation(offset: .nanoseconds(-900), halfWidth: .nanoseconds(7)))
        #expect(time.end.nanoseconds == window.centre.end.nanoseconds - 900)
        #expect(time.halfWidth == window.centre.halfWidth + .nanoseconds(7))
    }

    private static func window(_ known: Knowledge) -> ExposureWindow? {
        ExposureWindow(
            readout: ObservedFrame.Readout(
                earliest: Instant(nanoseconds: known.readout.lowerBound),
                latest: Instant(nanoseconds: known.readout.upperBound)),
            duration: known.exposure.map { .nanoseconds($0) },
            readoutTime: known.rows.map { .nanoseconds($0) }, period: .nanoseconds(known.period))
    }
}
