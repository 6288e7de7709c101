internal import CV4LConvert
internal import Glibc
internal import Imaging

/// Development in megapixels per second, against the converters that people use, on the same frames in the same run.
struct DevelopmentBenchmark {
    private static let width = 1920
    private static let height = 1080

    /// How often each is measured, in turns.
    let rounds: Int
    private let frame: [UInt8]
    private let size: FrameSize

    init(rounds: Int) throws {
        guard let size = FrameSize(width: Self.width, height: Self.height) else {
            throw BenchmarkProblem("no frame has \(Self.width)x\(Self.height) pixels")
        }
        self.size = size
        self.rounds = rounds
        frame = Noise.bytes(Self.width * Self.height * 2)
    }

    func figures() throws -> [Figure] {
        var figures: [Figure] = []
        for name in ["SRGGB8", "SBGGR8"] { figures += try eightBits(name) }
        figures += try deeper()
        return figures + OpenCVDemosaic(width: Self.width, height: Self.height).figures()
    }

    /// Eight bits against libv4l, whose converter makes RGB24 of them too: by averages, without any colour.
    private func eightBits(_ name: String) throws -> [Figure] {
        let plain = try development(name, DevelopmentSettings(tone: .linear))
        let whole = try development(name, Self.settings(black: 4))
        let libv4l = try LibV4LConverter(name, width: Self.width, height: Self.height)
        let cores = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        var results: [[Double]] = [[], [], [], []]
        for _ in 0..<rounds {
            try results[0].append(speed { try libv4l.convert($0, into: $1) })
            try results[1].append(speed { run(plain, $0, $1, threads: 1) })
            try results[2].append(speed { run(whole, $0, $1, threads: 1) })
            try results[3].append(speed { run(whole, $0, $1, threads: cores) })
        }
        let spreads = results.map { Spread($0) }
        let bar = spreads[0].median
        func figure(_ what: String, _ index: Int, atLeast wish: Double? = nil) -> Figure {
            Figure(
                name: "\(name) \(what)", value: spreads[index].median, unit: "Mpx/s",
                wish: wish.map { .atLeast($0) }, note: spreads[index].range)
        }
        return [
            figure("libv4lconvert", 0), figure("demosaic alone", 1, atLeast: bar),
            figure("development", 2),
            figure("development, \(cores) threads", 3, atLeast: bar),
        ]
    }

    private func deeper() throws -> [Figure] {
        try [("SRGGB12", 8), ("SRGGB12", 16), ("Y12", 8), ("YUYV", 8)].map { name, bits in
            let development = try development(name, Self.settings(black: 64), bits: bits)
            let speeds = try (0..<rounds).map { _ in
                try speed { run(development, $0, $1, threads: 1) }
            }
            return Figure(
                name: "\(name) development to \(bits) bits", value: Spread(speeds).median,
                unit: "Mpx/s", note: Spread(speeds).range)
        }
    }

    private static func settings(black: Int) -> DevelopmentSettings {
        DevelopmentSettings(
            black: [black],
            gains: ChannelGains(redMillionths: 1_900_000, blueMillionths: 1_600_000),
            matrix: DevelopmentMatrix(millionths: [
                1_800_000, -600_000, -200_000, -300_000, 1_500_000, -200_000, 50_000, -550_000,
                1_500_000,
            ]))
    }

    private func development(
        _ name: String, _ settings: DevelopmentSettings, bits: Int = 8
    ) throws -> Development {
        guard let format = PixelFormat.named(name),
            let development = Development(
                format, size: size, settings: settings, bitsPerSample: bits)
        else { throw BenchmarkProblem("\(name) can't be developed") }
        return development
    }

    /// Megapixels per second of something that turns a frame into a picture, for about a third of a second.
    private func speed(
        _ work: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> Double {
        var output = [UInt8](repeating: 0, count: Self.width * Self.height * 6)
        let clock = ContinuousClock()
        return try frame.withUnsafeBytes { frame in
            try output.withUnsafeMutableBytes { output in
                try work(frame, output)
                var count = 0
                let start = clock.now
                while start.duration(to: clock.now) < .milliseconds(300) {
                    try work(frame, output)
                    count += 1
                }
                let elapsed = start.duration(to: clock.now)
                return Double(count * Self.width * Self.height) / elapsed.seconds / 1e6
            }
        }
    }

    private func run(
        _ development: Development, _ frame: UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer, threads: Int
    ) {
        let format = development.format
        let bytes = Self.width * Self.height * format.channels * format.bytesPerSample
        let samples = UnsafeRawBufferPointer(rebasing: frame[..<bytes])
        let rowBytes = Self.width * development.channels * development.bitsPerSample / 8
        guard threads > 1 else {
            return development.develop(samples, rows: 0..<Self.height, into: output)
        }
        Strips.run(threads, rows: Self.height) { rows in
            development.develop(
                samples, rows: rows,
                into: UnsafeMutableRawBufferPointer(
                    rebasing: output[rows.lowerBound * rowBytes..<rows.upperBound * rowBytes]))
        }
    }
}

/// Noise, the same in every run.
enum Noise {
    static func bytes(_ count: Int) -> [UInt8] {
        var state: UInt64 = 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}
