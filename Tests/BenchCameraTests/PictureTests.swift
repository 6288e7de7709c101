import BenchCameraModel
import Testing

@Suite struct PictureTests {
    private static let truth = FrameTruth(
        stream: 3, counter: 70_000, readoutStartNanoseconds: 123_456_789_012_345,
        exposureNanoseconds: 15_600_000, gain: 40, focus: 120, temperature: 4600, red: 1024,
        blue: 2000, brightness: -5)

    private func picture(
        _ truth: FrameTruth, layout: PixelLayout = .yuyv, scene: Scene = Scene()
    ) -> [UInt8] {
        let mode = StreamMode(
            layout: layout, size: PictureSize(width: 640, height: 480), interval100ns: 333_333)
        let settings = SettingValues { setting in
            switch setting {
            case .temperature: truth.temperature
            case .red: truth.red
            case .blue: truth.blue
            case .saturation: 64
            default: 0
            }
        }
        var bytes = [UInt8](repeating: 7, count: mode.frameBytes)
        PictureRenderer(mode: mode, scene: scene, seed: 5).draw(truth, settings, into: &bytes)
        return bytes
    }

    private func truth(
        exposureMicroseconds: Int64 = 10_000, gain: Int = 16, focus: Int = 120,
        temperature: Int = 4600
    ) -> FrameTruth {
        var truth = Self.truth
        truth.exposureNanoseconds = exposureMicroseconds * 1000
        truth.gain = gain
        truth.focus = focus
        truth.temperature = temperature
        truth.blue = 1024
        truth.brightness = 0
        return truth
    }

    @Test(arguments: [(PixelLayout.yuyv, 2), (.grey, 1)])
    func `the pattern is read back from pixels, noise or not`(
        layout: PixelLayout, stride: Int
    ) throws {
        for noise in [0.0, 8] {
            var scene = Scene()
            scene.noise = noise
            let bytes = picture(Self.truth, layout: layout, scene: scene)
            let words = PictureReading.words(bytes, width: 640, stride: stride)
            #expect(words[0] == 0xA5C3_0109)
            #expect(words[1] == 70_000)
            #expect(words[2] == 15_600_000)
            #expect(words[3] == 40 << 16 | 120)
            #expect(words[6] == 28_744 && words[7] == 0x860D_DF79)
            #expect(words[8] >> 16 == 0xFFFB)
            #expect(TruthPattern.truth(words) == Self.truth)
        }
    }

    @Test func `a pattern with any wrong bit is no truth`() {
        let words = TruthPattern.words(Self.truth)
        for bit in 0..<(32 * 9) {
            var damaged = words
            damaged[bit / 32] ^= 1 << UInt32(bit % 32)
            #expect(TruthPattern.truth(damaged) == nil)
        }
    }

    @Test func `luma is proportional to exposure and gain above black, and clips`() {
        func luma(_ truth: FrameTruth) -> Double {
            PictureReading.meanLuma(
                picture(truth), width: 640, stride: 2, columns: 0..<320, rows: 80..<480)
        }
        #expect(luma(truth(exposureMicroseconds: 5000)) == 46)
        #expect(luma(truth(exposureMicroseconds: 10_000)) == 76)
        #expect(luma(truth(exposureMicroseconds: 10_000, gain: 32)) == 136)
        #expect(luma(truth(exposureMicroseconds: 500_000)) == 255)
    }

    @Test func `the texture is sharpest at best focus and blurs on both sides`() {
        func sharpness(_ focus: Int) -> Double {
            PictureReading.sharpness(
                picture(truth(focus: focus)), width: 640, stride: 2, columns: 320..<640,
                rows: 80..<480)
        }
        let rising = [0, 40, 80, 110, 120].map(sharpness)
        let falling = [120, 130, 160, 200, 250].map(sharpness)
        #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(falling, falling.dropFirst()).allSatisfy { $0 > $1 })
    }

    @Test func `a wrong temperature casts blue below and red above, and none at the illuminant`() {
        func chroma(_ kelvin: Int) -> (blue: UInt8, red: UInt8) {
            let bytes = picture(truth(temperature: kelvin))
            let place = 200 * 640 * 2
            return (bytes[place + 1], bytes[place + 3])
        }
        #expect(chroma(4600) == (128, 128))
        #expect(chroma(3000).blue > 128 && chroma(3000).red < 128)
        #expect(chroma(6000).blue < 128 && chroma(6000).red > 128)
    }

    @Test func `noise has its deviation, and the same seed gives the same picture`() {
        var scene = Scene()
        scene.noise = 4
        let bytes = picture(truth(), scene: scene)
        #expect(bytes == picture(truth(), scene: scene))
        let samples = (100..<400).flatMap { row in
            (0..<320).map { Double(bytes[(row * 640 + $0) * 2]) - 76 }
        }
        let mean = samples.reduce(0, +) / Double(samples.count)
        let variance = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count) - mean * mean
        #expect(abs(mean) < 0.1)
        #expect(abs(variance - 16) < 0.8)
    }
}
