internal import CImaging

/// Converts frames that are signal values already: 4:2:2 and RGB, of 8 bits.
struct SignalRows {
    /// Pixels of the frame's rows.
    let width: Int
    /// Whether the result has 16 bits per sample.
    let isWide: Bool

    /// Converts 4:2:2 to RGB: ITU-R BT.601, limited range, 8-bit arithmetic with 8 bits behind the point.
    ///
    /// Both pixels of a pair have its chroma.
    func convert(_ part: FramePart, lumaFirst: Bool, into output: UnsafeMutablePointer<UInt8>) {
        let bytes = part.columns.count * 3
        var target = output
        for row in part.rows {
            let line = part.frame + row * width * 2
            // Wide results are made in the second half of their place, and spread from its beginning.
            let samples = isWide ? target + bytes : target
            fl_rgb_of_422(
                line, part.columns.lowerBound, part.columns.count, lumaFirst ? 1 : 0, samples)
            if isWide {
                for index in 0..<bytes { put(samples[index], &target) }
            } else {
                target += bytes
            }
        }
    }

    /// Copies RGB as it is: no levels, gains or tone, since the camera has applied its own.
    func copy(_ part: FramePart, into output: UnsafeMutablePointer<UInt8>) {
        var target = output
        for row in part.rows {
            let line = part.frame + row * width * 3
            for index in part.columns.lowerBound * 3..<part.columns.upperBound * 3 {
                put(line[index], &target)
            }
        }
    }

    private func put(_ code: UInt8, _ target: inout UnsafeMutablePointer<UInt8>) {
        target.pointee = code
        target += 1
        guard isWide else { return }
        // 255 becomes 65,535: the same byte twice.
        target.pointee = code
        target += 1
    }
}
