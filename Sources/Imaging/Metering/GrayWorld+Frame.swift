extension GrayWorld {
    /// Sums the middle of a frame; nil for a format without colour.
    ///
    /// Of 4:2:2, two neighbouring pixels share their chroma and are one place; their sums are in thousandths of codes,
    /// which cancels in ratios. Usable is what lies between 0.02 and 0.95 of the range in every sample, of 4:2:2 in
    /// both lumas.
    init?(of samples: FrameSamples) {
        var columnStep = 1
        switch samples.samples {
        case .mono: return nil
        case .yuv422: columnStep = 2
        case .bayer, .rgb: break
        }
        let left = samples.width / 4 / columnStep * columnStep
        let width = samples.width / 2 / columnStep * columnStep
        let (top, height) = (samples.height / 4, samples.height / 2)
        var (reds, doubleGreens, blues): (Int64, Int64, Int64) = (0, 0, 0)
        var usable: Int64 = 0
        for y in top..<top + height {
            for x in stride(from: left, to: left + width, by: columnStep) {
                let place = columnStep == 2 ? samples.chroma(x, y) : samples.colours(x, y)
                guard place.least &* 50 >= samples.fullScale,
                    place.most &* 100 <= samples.fullScale &* 95
                else { continue }
                reds &+= place.red
                doubleGreens &+= place.doubleGreen
                blues &+= place.blue
                usable &+= 1
            }
        }
        self.init(
            red: reds, green: doubleGreens / 2, blue: blues, usableCount: usable,
            count: Int64(height * (width / columnStep)))
    }
}
