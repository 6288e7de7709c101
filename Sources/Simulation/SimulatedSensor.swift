internal import Imaging

/// Makes the pixels of simulated frames: a linear sensor with lens blur, colour response and noise.
///
/// `electrons = radiance × light × response`, `code = (electrons + noise) × gain / electrons per code`, cut off at 0
/// and full scale. Radiance is a smooth gradient plus a fine texture, whose contrast falls with the distance from
/// best focus. Arithmetic is in single floats, whose basic operations are exact by standard: same seed, same pixels,
/// on every machine.
final class SimulatedSensor {
    /// Electrons of a 12-bit code at unity gain.
    private static let electronsPerCode: Float = 4
    /// Electrons per microsecond of full light at radiance 1: 32 ms of ambient light stay below full scale.
    private static let electronsPerMicrosecond: Float = 0.4
    private static let readNoiseElectrons: Float = 3

    private let layout: FrameLayout
    private let storage: UnsafeMutableRawPointer
    private let bufferCount: Int
    /// Radiance of each pixel, without the texture.
    private let smooth: [Float]
    /// What the texture adds to each pixel in focus; 0 outside the middle half.
    private let texture: [Float]
    /// 65,536 normally distributed numbers, of which each pixel takes one by its own random number; none without
    /// noise.
    private let noise: [Float]
    private let seed: UInt64
    private let hasNoise: Bool
    /// Codes that take two bytes, or one with the chroma that colourless light has.
    private let (isWide, isYUV): (Bool, Bool)
    private let scene: SimulatedScene

    /// - Parameters:
    ///   - layout: how pixels lie in a buffer.
    ///   - options: seed, scene, and whether there is noise.
    ///   - bufferCount: buffers to make room for.
    init(layout: FrameLayout, options: SimulationOptions, bufferCount: Int) {
        self.layout = layout
        self.bufferCount = bufferCount
        seed = options.seed
        hasNoise = options.hasNoise
        isYUV = if case .yuv422 = layout.pixelFormat.samples { true } else { false }
        isWide = !isYUV && layout.pixelFormat.bytesPerSample > 1
        scene = options.scene
        // Unsafe memory: stands in for a driver's mapped buffers, which live until the stream is taken down.
        storage = .allocate(byteCount: layout.byteCount * bufferCount, alignment: 4096)
        (smooth, texture) =
            switch options.scene.subject {
            case .plain: Self.picture(width: layout.size.width, height: layout.size.height)
            case .chart: Self.chart(layout)
            }
        noise = options.hasNoise ? Self.noiseTable(seed: options.seed) : []
    }

    deinit {
        storage.deallocate()
    }

    /// The bytes of a buffer, whatever was made in it last.
    ///
    /// - Parameter index: below the number of buffers.
    func bytes(_ index: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: storage + index * layout.byteCount, count: layout.byteCount)
    }

    /// Makes a frame in a buffer; `rows` is the light of each, where it differs.
    ///
    /// Deterministic: the noise depends on seed, frame and row alone, not on what was made before.
    ///
    /// - Parameters:
    ///   - frame: its number, for the noise.
    ///   - state: what it was exposed with.
    ///   - light: its light, where all rows have the same.
    ///   - rows: the light of each row; empty, or as many as the image has.
    ///   - patch: what is in front of the scene; nil for nothing.
    ///   - index: the buffer.
    func render(
        frame: Int64, state: SensorState, light: SceneLight, rows: [SceneLight],
        patch: SceneConditions.Patch?, into index: Int
    ) {
        let output = storage + index * layout.byteCount
        var row = Row(self, state, light)
        for y in 0..<layout.size.height {
            var random = seed ^ UInt64(bitPattern: frame) &* 0x9e37_79b9_7f4a_7c15
            random ^= UInt64(y) &* 0xd134_2543_de82_ef95
            random |= 1
            if y < rows.count { row = Row(self, state, rows[y]) }
            let start = output + y * layout.bytesPerRow
            var column = 0
            if let patch, patch.rows.contains(y) {
                let (left, right) = (patch.columns.lowerBound, patch.columns.upperBound)
                random = render(row: y, 0..<left, row, random, into: start)
                random = render(
                    row: y, left..<right, row.covered(by: patch), random, into: start)
                column = right
            }
            _ = render(row: y, column..<layout.size.width, row, random, into: start)
        }
    }

    /// How bright the green pixels are on average, as a share of full scale that may exceed it.
    static func level(_ light: SceneLight, _ state: SensorState, _ scene: SimulatedScene) -> Float {
        // The texture's mean is 0; a full scale of 12 bits stands for all.
        let electrons = light.green * electronsPerMicrosecond * scene.meanReflectance
        let codes = electrons * Float(state.gainCode) / 64 / electronsPerCode
        return codes * Float(scene.luminanceMillionths) / 1_000_000 / 4_095
    }

    /// How bright the scene is, and how red and blue its light, relative to the usual.
    private var illuminant: (luminance: Float, red: Float, blue: Float) {
        (
            Float(scene.luminanceMillionths) / 1_000_000, Float(scene.redMillionths) / 1_000_000,
            Float(scene.blueMillionths) / 1_000_000
        )
    }

    /// What is the same for all rows of a frame: electrons and codes per unit of radiance, by channel.
    private struct Row {
        private(set) var channels: (red: Float, green: Float, blue: Float)
        let contrast: Float
        let codesPerElectron: Float
        let balance: (red: Float, blue: Float)
        let fullScale: Float

        init(_ sensor: SimulatedSensor, _ state: SensorState, _ light: SceneLight) {
            let perMicrosecond = SimulatedSensor.electronsPerMicrosecond
            // Colour response: green is the most sensitive channel; a lower temperature setting corrects for redder
            // light.
            let (luminance, red, blue) = sensor.illuminant
            channels = (
                light.red * perMicrosecond * 0.8 * luminance * red,
                light.green * perMicrosecond * luminance,
                light.blue * perMicrosecond * 0.7 * luminance * blue
            )
            let warmth = Float(state.temperature - 5_000) / 5_000
            balance = (
                Float(state.redCode) / 1024 * (1 + warmth / 2),
                Float(state.blueCode) / 1024 * (1 - warmth / 2)
            )
            let distance = Float(state.focusCode - sensor.scene.bestFocusCode) + state.lensError
            let defocus = distance / 100
            contrast = 1 / (1 + defocus * defocus)
            let bits = sensor.layout.pixelFormat.bitsPerSample
            fullScale = Float(sensor.layout.pixelFormat.maximum)
            codesPerElectron =
                Float(state.gainCode) / 64 / SimulatedSensor.electronsPerCode
                / Float(1 << (12 - min(bits, 12)))
        }

        /// The same behind something that is brighter or darker.
        func covered(by patch: SceneConditions.Patch) -> Row {
            var row = self
            row.channels.red *= patch.radiance
            row.channels.green *= patch.radiance
            row.channels.blue *= patch.radiance
            return row
        }
    }

    /// Columns of one row, from left to right.
    ///
    /// - Parameter seed: of their noise; not 0, since that would stay 0 (xorshift).
    /// - Returns: the seed of the columns to the right of them.
    private func render(
        row y: Int, _ columns: Range<Int>, _ row: Row, _ seed: UInt64,
        into output: UnsafeMutableRawPointer
    ) -> UInt64 {
        let width = layout.size.width
        let (even, odd) = (response(0, y, row), response(1, y, row))
        // Each is read once: the compiler can't know that no pixel is stored over it.
        let (isWide, isYUV, hasNoise) = (isWide, isYUV, hasNoise)
        let (smooth, texture, noise) = (smooth, texture, noise)
        let (contrast, codesPerElectron) = (row.contrast, row.codesPerElectron)
        // Codes are rounded to the nearest, half upwards: with the float below a half as summand no sum is rounded up
        // to the next whole number.
        let (fullScale, half) = (row.fullScale, Float(0.5).nextDown)
        var random = seed
        for x in columns {
            let place = y * width + x
            let radiance = smooth[place] + texture[place] * contrast
            let (electrons, balance) = x & 1 == 0 ? even : odd
            var signal = electrons * radiance
            if hasNoise {
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                let sigma = (signal + Self.readNoiseElectrons * Self.readNoiseElectrons)
                    .squareRoot()
                signal += noise[Int(truncatingIfNeeded: random >> 40) & 0xffff] * sigma
            }
            let exact = signal * codesPerElectron * balance
            let code = UInt16((exact < 0 ? 0 : exact > fullScale ? fullScale : exact) + half)
            if isWide {
                output.storeBytes(of: code.littleEndian, toByteOffset: x * 2, as: UInt16.self)
            } else if isYUV {
                output.storeBytes(of: UInt8(code), toByteOffset: x * 2, as: UInt8.self)
                output.storeBytes(of: 128, toByteOffset: x * 2 + 1, as: UInt8.self)
            } else {
                output.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
            }
        }
        return random
    }

    /// Electrons per radiance and white balance of the channel that a pixel measures.
    private func response(_ x: Int, _ y: Int, _ row: Row) -> (electrons: Float, balance: Float) {
        guard case .bayer = layout.pixelFormat.samples else { return (row.channels.green, 1) }
        switch (y & 1, x & 1) {
        case (0, 0): return (row.channels.red, row.balance.red)
        case (1, 1): return (row.channels.blue, row.balance.blue)
        default: return (row.channels.green, 1)
        }
    }

    /// A gradient from 0.6 to 1 along the diagonal, and a checkerboard of 2×2 pixel cells in the middle half.
    private static func picture(width: Int, height: Int) -> ([Float], [Float]) {
        var smooth: [Float] = []
        var texture: [Float] = []
        smooth.reserveCapacity(width * height)
        texture.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                smooth.append(0.6 + 0.2 * Float(x) / Float(width) + 0.2 * Float(y) / Float(height))
                let isInside =
                    (width / 4..<width * 3 / 4).contains(x)
                    && (height / 4..<height * 3 / 4).contains(y)
                texture.append(isInside ? ((x / 2 + y / 2) & 1 == 0 ? 0.15 : -0.15) : 0)
            }
        }
        return (smooth, texture)
    }

    /// A test chart as the pixels of a layout see it: those of Bayer formats their own colour, all others its green.
    private static func chart(_ layout: FrameLayout) -> ([Float], [Float]) {
        let isBayer = if case .bayer = layout.pixelFormat.samples { true } else { false }
        let chart = TestChart(width: layout.size.width, height: layout.size.height)
        return chart.picture { x, y in
            switch (isBayer, y & 1, x & 1) {
            case (true, 0, 0): \.red
            case (true, 1, 1): \.blue
            default: \.green
            }
        }
    }

    /// Normally distributed numbers (mean 0, variance 1) as sums of twelve uniform ones.
    private static func noiseTable(seed: UInt64) -> [Float] {
        // Every camera with noise makes one: plain loops, which a debug build runs far faster than `map` and `reduce`.
        var random = SplitMix64(seed: seed).split(3)
        var table = [Float](repeating: -6, count: 65_536)
        table.withUnsafeMutableBufferPointer { table in
            var place = 0
            while place < 65_536 {
                var (sum, draws) = (Float(-6), 0)
                while draws < 12 {
                    sum += Float(random.next() >> 40) / 16_777_216
                    draws += 1
                }
                table[place] = sum
                place += 1
            }
        }
        return table
    }
}
