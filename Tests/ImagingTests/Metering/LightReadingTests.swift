import Foundation
import Imaging
import TestSupport
import Testing
import Timebase

@Suite("Light readings")
struct LightReadingTests {
    private static func reading(_ aperture: Int64, _ exposure: Interval, _ iso: Int64) throws
        -> LightReading
    {
        try #require(
            LightReading(
                apertureThousandths: aperture, exposure: exposure, isoThousandths: iso * 1_000))
    }

    @Test func `exposure values are those of light meters`() throws {
        #expect(try Self.reading(1_000, .seconds(1), 100).ev100Thousandths == 0)
        #expect(try Self.reading(8_000, .milliseconds(8), 100).ev100Thousandths == 12_966)
        // Sunny sixteen.
        #expect(try Self.reading(16_000, .milliseconds(10), 100).ev100Thousandths == 14_644)
        #expect(try Self.reading(16_000, .milliseconds(10), 400).ev100Thousandths == 12_644)
        #expect(try Self.reading(2_800, .seconds(4), 100).ev100Thousandths == 971)
    }

    @Test func `the scene's value is the picture's, moved by its offset`() throws {
        let reading = try Self.reading(8_000, .milliseconds(8), 100)
        #expect(reading.sceneEV100Thousandths(offsetThousandths: 1_000) == 13_966)
    }

    @Test func `equivalents have the same exposure value`() throws {
        var random = SeededGenerator(seed: 44)
        for _ in 0..<500 {
            let reading = try Self.reading(
                random.number(1_000...32_000), .microseconds(random.number(20...2_000_000)),
                random.number(50...6_400))
            let value = reading.ev100Thousandths
            let byTime = try #require(
                reading.equivalent(
                    apertureThousandths: random.number(1_000...32_000),
                    isoThousandths: random.number(50_000...6_400_000)))
            #expect(abs(byTime.ev100Thousandths - value) <= 1)
            let byISO = reading.equivalent(
                apertureThousandths: random.number(1_000...32_000),
                exposure: .microseconds(random.number(20...2_000_000)))
            // Below ISO 1, a thousandth is no longer fine enough.
            if let byISO, byISO.isoThousandths > 1_000 {
                #expect(abs(byISO.ev100Thousandths - value) <= 1)
            }
            let byAperture = reading.equivalent(
                exposure: .microseconds(random.number(20...2_000_000)),
                isoThousandths: random.number(50_000...6_400_000))
            if let byAperture, byAperture.apertureThousandths > 2_000 {
                #expect(abs(byAperture.ev100Thousandths - value) <= 2)
            }
        }
    }

    @Test func `two stops of aperture are four times the light`() throws {
        let reading = try Self.reading(4_000, .milliseconds(10), 100)
        #expect(
            reading.equivalent(apertureThousandths: 8_000, isoThousandths: 100_000)?.exposure
                == .milliseconds(40))
        #expect(
            reading.equivalent(apertureThousandths: 8_000, exposure: .milliseconds(10))?
                .isoThousandths == 400_000)
        #expect(
            reading.equivalent(exposure: .milliseconds(40), isoThousandths: 100_000)?
                .apertureThousandths == 8_000)
    }

    @Test func `what no camera has is refused, not computed`() throws {
        #expect(
            LightReading(apertureThousandths: 0, exposure: .seconds(1), isoThousandths: 1) == nil)
        #expect(
            LightReading(apertureThousandths: 1_000, exposure: .zero, isoThousandths: 1_000) == nil)
        let extreme = try #require(
            LightReading(
                apertureThousandths: LightReading.apertures.lowerBound,
                exposure: LightReading.exposures.upperBound,
                isoThousandths: LightReading.isos.upperBound))
        #expect(extreme.ev100Thousandths < 0)
        #expect(
            extreme.equivalent(
                apertureThousandths: LightReading.apertures.upperBound,
                isoThousandths: LightReading.isos.lowerBound) == nil)
        #expect(
            extreme.equivalent(
                apertureThousandths: LightReading.apertures.upperBound,
                exposure: LightReading.exposures.lowerBound) == nil)
        #expect(
            extreme.equivalent(
                exposure: LightReading.exposures.lowerBound,
                isoThousandths: LightReading.isos.lowerBound) == nil)
    }
}
