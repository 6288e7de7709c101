/// Draws frames: the truth pattern on top, a flat field on the left, a fine texture on the right.
package struct PictureRenderer: Sendable {
    private let mode: StreamMode
    private let scene: Scene
    private let noise: NoiseSource?
    /// Texture periods from top to bottom, in pixels: coarser ones bear more defocus.
    package static let texturePeriods = [4, 8, 16]

    package init(mode: StreamMode, scene: Scene, seed: UInt64) {
        self.mode = mode
        self.scene = scene
        noise = scene.noise > 0 ? NoiseSource(seed: seed, deviation: scene.noise) : nil
    }

    /// Draws one frame.
    ///
    /// - Parameter picture: exactly `mode.frameBytes`, rows without padding; overwritten as a whole.
    package func draw(_ truth: FrameTruth, _ settings: SettingValues, into picture: inout [UInt8]) {
        precondition(picture.count == mode.frameBytes, "a picture has the size of its mode")
        picture.withUnsafeMutableBufferPointer { bytes in
            let top = scene.hasPattern ? TruthPattern.rowCount : 0
            if scene.hasPattern { drawPattern(truth, bytes) }
            drawField(truth, settings, bytes, from: top)
            guard let noise else { return }
            for row in top..<mode.size.height {
                let range = row * mode.bytesPerRow..<(row + 1) * mode.bytesPerRow
                noise.add(
                    to: UnsafeMutableBufferPointer(rebasing: bytes[range]),
                    stride: mode.layout.bytesPerPixel, frame: truth.counter, rowIndex: row)
            }
        }
    }

    private func drawPattern(_ truth: FrameTruth, _ bytes: UnsafeMutableBufferPointer<UInt8>) {
        let words = TruthPattern.words(truth) + [0]
        for (index, word) in words.enumerated() {
            let row = rowOfPixels { column in
                let bit = column / TruthPattern.cellPixels
                let isSet = bit < 32 && word >> UInt32(31 - bit) & 1 == 1
                return isSet ? TruthPattern.white : TruthPattern.black
            }
            for line in 0..<TruthPattern.cellPixels {
                copy(row, to: index * TruthPattern.cellPixels + line, bytes)
            }
        }
    }

    private func drawField(
        _ truth: FrameTruth, _ settings: SettingValues,
        _ bytes: UnsafeMutableBufferPointer<UInt8>, from top: Int
    ) {
        let luma = scene.luma(
            exposureNanoseconds: truth.exposureNanoseconds, gain: truth.gain,
            brightness: truth.brightness)
        let signal = min(luma, 255) - Double(scene.blackLevel + truth.brightness)
        let chroma = scene.chroma(signal: signal, settings)
        let bands = Self.texturePeriods
        let bandRows = max(1, (mode.size.height - top) / bands.count)
        for (band, period) in bands.enumerated() {
            let swing = signal / 2 * scene.contrast(focus: truth.focus, periodPixels: period)
            let templates = [1.0, -1.0].map { phase in
                texturedRow(luma, phase * swing, period: period, chroma)
            }
            let first = top + band * bandRows
            let last = band == bands.count - 1 ? mode.size.height : first + bandRows
            for row in first..<last {
                copy(templates[(row - top) / (period / 2) % 2], to: row, bytes)
            }
        }
    }

    private func texturedRow(
        _ luma: Double, _ swing: Double, period: Int, _ chroma: (blue: UInt8, red: UInt8)
    ) -> [UInt8] {
        let flat = Scene.clipped(luma, 0...255)
        let tones = [Scene.clipped(luma + swing, 0...255), Scene.clipped(luma - swing, 0...255)]
        let middle = mode.size.width / 2
        return rowOfPixels(chroma) { column in
            column < middle ? flat : tones[(column - middle) / (period / 2) % 2]
        }
    }

    private func rowOfPixels(
        _ chroma: (blue: UInt8, red: UInt8) = (128, 128), _ luma: (Int) -> UInt8
    ) -> [UInt8] {
        guard mode.layout == .yuyv else { return (0..<mode.size.width).map(luma) }
        var row: [UInt8] = []
        row.reserveCapacity(mode.bytesPerRow)
        for column in 0..<mode.size.width {
            row.append(luma(column))
            row.append(column % 2 == 0 ? chroma.blue : chroma.red)
        }
        return row
    }

    private func copy(
        _ row: [UInt8], to index: Int, _ bytes: UnsafeMutableBufferPointer<UInt8>
    ) {
        let start = index * mode.bytesPerRow
        _ = UnsafeMutableBufferPointer(rebasing: bytes[start..<(start + mode.bytesPerRow)])
            .update(fromContentsOf: row)
    }
}
