extension BrightnessGrid {
    /// Sums a frame's places by cells; where sides do not divide evenly, cells differ by one place.
    ///
    /// A place is a pixel, or for Bayer a quad, so a frame of fewer than 16 × 12 places leaves cells with a count of 0.
    init(of samples: FrameSamples) {
        let hasColour: Bool =
            switch samples.samples {
            case .mono, .yuv422: false
            case .bayer, .rgb: true
            }
        self.init(hasColour: hasColour, fullScale: samples.fullScale)
        for row in 0..<Self.rows {
            let rows = samples.height * row / Self.rows..<samples.height * (row + 1) / Self.rows
            for column in 0..<Self.columns {
                let left = samples.width * column / Self.columns
                let right = samples.width * (column + 1) / Self.columns
                cells[row * Self.columns + column] =
                    hasColour
                    ? Cell(colour: samples, left..<right, rows)
                    : Cell(grey: samples, left..<right, rows)
            }
        }
    }
}

extension BrightnessGrid.Cell {
    /// Luminance into green: luma, or the grey; it counts as saturated from ``BrightnessGrid/fullScale`` on.
    fileprivate init(grey samples: FrameSamples, _ columns: Range<Int>, _ rows: Range<Int>) {
        var (sum, saturated): (Int64, Int64) = (0, 0)
        for y in rows {
            for x in columns {
                let value = samples.luminance(x, y)
                sum &+= value
                if value >= samples.fullScale { saturated &+= 1 }
            }
        }
        green = sum
        saturatedCount = saturated
        count = Int64(rows.count * columns.count)
    }

    /// Colours of whole places; one counts as saturated if any of its samples is.
    fileprivate init(colour samples: FrameSamples, _ columns: Range<Int>, _ rows: Range<Int>) {
        var (reds, doubleGreens, blues): (Int64, Int64, Int64) = (0, 0, 0)
        var saturated: Int64 = 0
        for y in rows {
            for x in columns {
                let colours = samples.colours(x, y)
                reds &+= colours.red
                doubleGreens &+= colours.doubleGreen
                blues &+= colours.blue
                if colours.most >= samples.fullScale { saturated &+= 1 }
            }
        }
        (red, green, blue) = (reds, doubleGreens / 2, blues)
        saturatedCount = saturated
        count = Int64(rows.count * columns.count)
    }
}
