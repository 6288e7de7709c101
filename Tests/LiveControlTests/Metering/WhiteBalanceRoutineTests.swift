import Foundation
import Imaging
import Testing
import Timebase

@testable import Devices
@testable import LiveControl

/// Automatic white balance on sums alone.
@Suite("White balance routine")
struct WhiteBalanceRoutineTests {
    /// A frame whose middle a lamp gives so much red and blue for 1 of green, behind gains.
    private static func frame(
        _ number: Int64, red: Double, blue: Double, _ balance: WhiteBalance?, usable: Int64 = 100
    ) -> MeterReading {
        var (redGain, blueGain) = (1.0, 1.0)
        if case .gains(let red, _, let blue) = balance {
            (redGain, blueGain) = (Double(red.millionths) / 1e6, Double(blue.millionths) / 1e6)
        }
        return MeterReading(
            sequence: number,
            settings: FrameSettings(whiteBalance: balance.map { .value($0) } ?? .free),
            reading: FrameReading(
                balance: GrayWorld(
                    red: Int64(1e6 * red * redGain), green: 1_000_000,
                    blue: Int64(1e6 * blue * blueGain), usableCount: usable, count: 100)))
    }

    private static let unity = WhiteBalance.gains(red: .unity, green: .unity, blue: .unity)

    @Test func `a raw sensor's gains are found without a change, from three frames`() throws {
        var routine = WhiteBalanceRoutine(profile: testProfile())
        #expect(routine.handle(Self.frame(7, red: 0.5, blue: 0.4, nil)) == .wait)
        #expect(routine.handle(Self.frame(8, red: 0.5, blue: 0.4, nil)) == .wait)
        #expect(
            routine.handle(Self.frame(9, red: 0.5, blue: 0.4, nil)) == .finish(.converged))
        #expect(
            routine.gains == ChannelGains(redMillionths: 2_000_000, blueMillionths: 2_500_000))
        #expect(routine.framesUsed == [7, 8, 9])
        #expect(routine.state == .locked)
    }

    @Test func `frames of a light that still changes are not used`() throws {
        var routine = WhiteBalanceRoutine(profile: testProfile())
        for (number, red) in [(1, 0.4), (2, 0.45), (3, 0.5), (4, 0.5)] as [(Int64, Double)] {
            #expect(routine.handle(Self.frame(number, red: red, blue: 0.4, nil)) == .wait)
        }
        #expect(routine.handle(Self.frame(5, red: 0.5, blue: 0.4, nil)) == .finish(.converged))
        #expect(routine.framesUsed == [3, 4, 5])
    }

    @Test func `pictures without colour end in a failure, not in a wait without end`() {
        var routine = WhiteBalanceRoutine(profile: testProfile())
        let frames = (1...20).map {
            MeterReading(sequence: $0, settings: FrameSettings(), reading: FrameReading())
        }
        let last = frames.lazy.map { routine.handle($0) }.first { $0 != .wait }
        #expect(last == .finish(.diverged(.nothingUsable)))
    }

    @Test func `a camera that balances is written to until the middle is grey`() throws {
        var routine = WhiteBalanceRoutine(profile: testProfile(balances: true))
        guard
            case .write(let written) = routine.handle(
                Self.frame(1, red: 0.5, blue: 0.4, Self.unity))
        else {
            Issue.record("nothing was written")
            return
        }
        let setting = try #require(written.whiteBalance.asked)
        #expect(
            setting
                == .gains(
                    red: Gain(millionths: 2_000_000), green: .unity,
                    blue: Gain(millionths: 2_500_000)))
        // The frames before it arrives are not answered.
        #expect(routine.handle(Self.frame(2, red: 0.5, blue: 0.4, Self.unity)) == .wait)
        for number: Int64 in 3...4 {
            #expect(routine.handle(Self.frame(number, red: 0.5, blue: 0.4, setting)) == .wait)
        }
        #expect(
            routine.handle(Self.frame(5, red: 0.5, blue: 0.4, setting)) == .finish(.converged))
        #expect(routine.framesUsed == [3, 4, 5])
    }

    @Test func `a gain that the camera doesn't have is told`() throws {
        var routine = WhiteBalanceRoutine(profile: testProfile(balances: true))
        var balance = Self.unity
        var outcome: RoutineOutcome?
        for number: Int64 in 1...10 {
            switch routine.handle(Self.frame(number, red: 0.1, blue: 0.4, balance)) {
            case .wait: break
            case .write(let wanted): balance = try #require(wanted.whiteBalance.asked)
            case .finish(let end): outcome = end
            }
        }
        #expect(outcome == .limited(.balanceRange))
        #expect(
            balance
                == .gains(
                    red: Gain(millionths: 7_999_023), green: .unity,
                    blue: Gain(millionths: 2_500_000)))
    }

    @Test func `a frame without enough grey is told after three`() {
        var routine = WhiteBalanceRoutine(profile: testProfile())
        for number: Int64 in 1...2 {
            #expect(
                routine.handle(Self.frame(number, red: 0.5, blue: 0.4, nil, usable: 4)) == .wait)
        }
        #expect(
            routine.handle(Self.frame(3, red: 0.5, blue: 0.4, nil, usable: 4))
                == .finish(.diverged(.nothingUsable)))
        #expect(routine.state == .diverged)
    }

    @Test func `a camera with a temperature alone finds it by its curve`() throws {
        let curve = try #require(
            ColourCurve(points: [
                .init(kelvin: 2_500, redMillionths: 1_000_000, blueMillionths: 350_000),
                .init(kelvin: 4_500, redMillionths: 700_000, blueMillionths: 620_000),
                .init(kelvin: 7_500, redMillionths: 500_000, blueMillionths: 850_000),
            ]))
        var profile = testProfile()
        profile.whiteBalance = WhiteBalanceModel(
            components: nil,
            temperature: .init(
                control: CameraControl(rawValue: 9), codes: CodeRange(2_800, 6_500, step: 10)),
            latencyFrames: 1)
        var routine = WhiteBalanceRoutine(profile: profile, method: .curve(curve))
        var kelvin: Int64 = 6_000
        var outcome: RoutineOutcome?
        for number: Int64 in 1...12 where outcome == nil {
            let gains = try #require(curve.gains(kelvin: kelvin, tintThousandths: 0)).value
            let lamp = try #require(curve.gains(kelvin: 4_000, tintThousandths: 0)).value
            let measurement = MeterReading(
                sequence: number,
                settings: FrameSettings(
                    whiteBalance: .value(.temperature(kelvin: kelvin, tintThousandths: 0))),
                reading: FrameReading(
                    balance: GrayWorld(
                        red: gains.redMillionths * 1_000_000 / lamp.redMillionths,
                        green: 1_000_000,
                        blue: gains.blueMillionths * 1_000_000 / lamp.blueMillionths,
                        usableCount: 100, count: 100)))
            switch routine.handle(measurement) {
            case .wait: break
            case .write(let wanted):
                guard case .temperature(let wantedKelvin, 0) = wanted.whiteBalance.asked else {
                    Issue.record("\(wanted)")
                    return
                }
                kelvin = wantedKelvin
            case .finish(let end): outcome = end
            }
        }
        #expect(outcome == .converged)
        #expect(abs(kelvin - 4_000) <= 10)
    }

    /// A camera that takes temperatures, and of whose colours nothing is known; in front of it a lamp.
    private struct UnmeasuredCamera {
        var codes = CodeRange(2_800, 6_500, step: 10)
        var lamp: Double
        /// Red over blue in EV a mired.
        var slope = 0.0085
        var kelvin: Int64
        var isKnown = true

        var profile: CameraProfile {
            var profile = testProfile()
            profile.whiteBalance = WhiteBalanceModel(
                components: nil,
                temperature: .init(control: CameraControl(rawValue: 9), codes: codes),
                latencyFrames: 1)
            return profile
        }

        /// What the camera makes of grey: at the lamp's own temperature red is as bright as blue, and green is off.
        func frame(_ number: Int64) -> MeterReading {
            let warmth = slope * (1e6 / lamp - 1e6 / Double(kelvin)) / 2
            let setting = WhiteBalance.temperature(kelvin: kelvin, tintThousandths: 0)
            return MeterReading(
                sequence: number,
                settings: FrameSettings(whiteBalance: isKnown ? .value(setting) : .free),
                reading: FrameReading(
                    balance: GrayWorld(
                        red: Int64(1e6 * exp2(warmth)), green: 1_060_000,
                        blue: Int64(1e6 * exp2(-warmth)), usableCount: 100, count: 100)))
        }

        /// Lets a routine work; returns how it ended, and how many changes that took.
        mutating func run(
            _ routine: inout WhiteBalanceRoutine, frames: ClosedRange<Int64> = 1...60
        ) -> (outcome: RoutineOutcome?, changes: Int) {
            var changes = 0
            for number in frames {
                switch routine.handle(frame(number)) {
                case .wait: break
                case .write(let wanted):
                    guard case .temperature(let next, 0)? = wanted.whiteBalance.asked else {
                        return (nil, changes)
                    }
                    (kelvin, isKnown) = (next, true)
                    changes += 1
                case .finish(let outcome): return (outcome, changes)
                }
            }
            return (nil, changes)
        }
    }

    @Test(
        "M1 a camera with temperatures alone is balanced in any light that it has a temperature for",
        arguments: [2_850, 3_200, 4_100, 5_000, 6_400], [0.002, 0.0085, 0.03])
    func triedTemperature(lamp: Double, slope: Double) throws {
        for start: Int64 in [2_800, 4_600, 6_500] {
            for isKnown in [true, false] {
                var camera = UnmeasuredCamera(
                    lamp: lamp, slope: slope, kelvin: start, isKnown: isKnown)
                var routine = WhiteBalanceRoutine(profile: camera.profile)
                let end = camera.run(&routine)
                #expect(end.outcome == .converged && routine.state == .locked)
                #expect(end.changes <= 9)
                let off = slope * (1e6 / lamp - 1e6 / Double(camera.kelvin))
                #expect(abs(off) <= 0.016, "\(camera.kelvin) K in light of \(lamp) K")
                #expect(routine.framesUsed.count == 3)
            }
        }
    }

    @Test func `a light beyond the camera's temperatures, or between its steps, is told`() {
        for (lamp, end): (Double, Int64) in [(2_000, 2_800), (12_000, 6_500)] {
            var camera = UnmeasuredCamera(lamp: lamp, kelvin: 5_000)
            var routine = WhiteBalanceRoutine(profile: camera.profile)
            #expect(camera.run(&routine).outcome == .limited(.balanceRange))
            #expect(camera.kelvin == end)
        }
        var coarse = UnmeasuredCamera(
            codes: CodeRange(2_800, 6_400, step: 400), lamp: 3_750, kelvin: 6_000)
        var routine = WhiteBalanceRoutine(profile: coarse.profile)
        #expect(coarse.run(&routine).outcome == .limited(.coarseSteps))
        #expect(coarse.kelvin == 3_600, "the nearest of its steps")
    }

    @Test func `a tried temperature stays until the light changes, and then follows it`() {
        var camera = UnmeasuredCamera(
            codes: CodeRange(2_800, 6_400, step: 400), lamp: 3_750, kelvin: 6_000)
        var routine = WhiteBalanceRoutine(profile: camera.profile, mode: .continuous)
        _ = camera.run(&routine)
        #expect(routine.state == .converged && camera.kelvin == 3_600)
        #expect(camera.run(&routine, frames: 61...200).changes == 0, "nothing is better")
        camera.lamp = 5_600
        _ = camera.run(&routine, frames: 201...300)
        #expect(routine.state == .converged && camera.kelvin == 5_600)
    }

    @Test func `continuous balance follows another lamp after three frames`() throws {
        var routine = WhiteBalanceRoutine(profile: testProfile(), mode: .continuous)
        for number: Int64 in 1...5 {
            #expect(routine.handle(Self.frame(number, red: 0.5, blue: 0.4, nil)) == .wait)
        }
        #expect(routine.state == .converged && routine.outcome == nil)
        for number: Int64 in 6...20 {
            _ = routine.handle(Self.frame(number, red: 0.8, blue: 0.3, nil))
        }
        #expect(routine.state == .converged)
        #expect(routine.gains?.redMillionths == 1_250_000)
        routine.lock()
        _ = routine.handle(Self.frame(21, red: 0.2, blue: 0.3, nil))
        #expect(routine.state == .locked && routine.gains?.redMillionths == 1_250_000)
    }
}
