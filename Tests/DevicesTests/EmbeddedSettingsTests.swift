import Devices
import Imaging
import Testing
import Timebase

/// What registers say in seconds and gain: an imx477 of 12,740 pixels a line at 840 MHz.
struct EmbeddedSettingsTests {
    private static func imx477(linesPerFrame: Int64) throws -> CameraProfile {
        let mode = SensorMode(
            size: try #require(FrameSize(width: 2028, height: 1520)),
            pixelFormats: [try #require(PixelFormat.named("SRGGB12P"))],
            pixelRateHertz: 840_000_000, linePixels: 12_740,
            blankingLines: CodeRange(4, 8_382_480), binning: 2)
        var profile = CameraProfile(
            name: "imx477",
            timestamps: TimestampModel(
                point: .startOfReadout, delay: .microseconds(300), readout: nil))
        let sensor = SensorModel(
            modes: [mode],
            exposure: .init(
                control: CameraControl(rawValue: 0x0098_0911), codes: CodeRange(4, 8_383_978),
                latencyFrames: 2),
            vertical: .init(control: .verticalBlanking, latencyFrames: 3), marginLines: 22)
        profile.sensor = sensor
        profile.timing = SensorTiming(sensor, mode, frameLines: linesPerFrame)
        profile.exposure = ExposureModel(
            control: CameraControl(rawValue: 0x0098_0911), unit: try #require(mode.line),
            codes: CodeRange(4, 8_383_978), latencyFrames: 2)
        profile.gain = GainModel(
            control: CameraControl(rawValue: 0x009e_0903), law: .reciprocal(base: 1024),
            codes: CodeRange(0, 978), isoAtUnity: 100, latencyFrames: 2)
        return profile
    }

    private static func data(_ words: [(UInt16, UInt16)]) throws -> EmbeddedData {
        var line: [UInt8] = [0x0a]
        for (register, word) in words {
            line += [0xaa, UInt8(register >> 8), 0xa5, UInt8(register & 0xff)]
            line += [0x5a, UInt8(word >> 8), 0x5a, UInt8(word & 0xff)]
        }
        line += [0x07, 0x07]
        let result = line.withUnsafeBytes { bytes in
            Result { try EmbeddedData(bytes, lineByteCount: bytes.count, packing: .bits8) }
        }
        return try result.get()
    }

    @Test func `659 lines are 9.994833 ms, and gain code 768 is 4x`() throws {
        let profile = try Self.imx477(linesPerFrame: 2_198)
        let data = try Self.data([(0x0202, 659), (0x0204, 768)])
        #expect(profile.exposure(of: data) == .nanoseconds(9_994_833))
        #expect(profile.gainMillionths(of: data) == 4_000_000)
    }

    @Test func `a line is as long as the sensor says`() throws {
        let profile = try Self.imx477(linesPerFrame: 2_198)
        let data = try Self.data([(0x0202, 659), (0x0342, 25_480)])
        #expect(profile.exposure(of: data) == .nanoseconds(19_989_667))
        #expect(profile.gainMillionths(of: data) == nil)
    }

    @Test func `frames that are counted in multiples of lines do not say their exposure`() throws {
        let data = try Self.data([(0x0202, 659), (0x0204, 0)])
        let longest = try Self.imx477(linesPerFrame: 65_500)
        #expect(longest.exposure(of: data) != nil)
        let shifted = try Self.imx477(linesPerFrame: 65_501)
        #expect(shifted.exposure(of: data) == nil)
        #expect(shifted.gainMillionths(of: data) == 1_000_000)
    }

    @Test func `half a register and a gain that no code gives are nothing`() throws {
        let profile = try Self.imx477(linesPerFrame: 2_198)
        #expect(profile.exposure(of: try Self.data([])) == nil)
        // The gain of code 1024 would be infinite.
        #expect(profile.gainMillionths(of: try Self.data([(0x0204, 1024)])) == nil)
    }
}
