/// What the registers of a raw sensor can count: long frames in 2, 4, 8 … lines.
extension SensorModel {
    /// Lines that a count of the registers stands for in frames of a length.
    func linesPerCount(_ mode: SensorMode, frameLines: Int64) -> Int64 {
        var count = max(1, mode.linesPerCount)
        guard let maximum = frameRegisterMaximum, maximum >= 1 else { return count }
        while frameLines / count > maximum { count *= 2 }
        return count
    }

    /// The shortest frame of at least so many lines that the registers can count.
    func countableFrame(_ mode: SensorMode, atLeast lines: Int64) -> Int64 {
        var frame = lines
        while true {
            let above = linesPerCount(mode, frameLines: frame).multiple(atLeast: frame)
            // More lines can need a larger count.
            guard above > frame else { return frame }
            frame = above
        }
    }

    /// The longest frame of a mode that the registers can count.
    func longestFrame(_ mode: SensorMode) -> Int64 {
        let longest = mode.frameLines.upperBound
        return longest - longest % linesPerCount(mode, frameLines: longest)
    }

    /// The shortest frame of a mode in which an exposure, as the registers count it, and the margin have room; the
    /// longest of all where it has none.
    ///
    /// The margin is one of the registers: so many counts, not lines.
    func shortestFrame(_ mode: SensorMode, fitting code: Int64) -> Int64 {
        var count = max(1, mode.linesPerCount)
        while true {
            // Other counts where exposures are not counted so yet: what was asked can be a little more than a code.
            let counted = count.multiple(atLeast: count > mode.linesPerCount ? code + 1 : code)
            let needed = counted + marginLines * count
            let frame = countableFrame(mode, atLeast: max(needed, mode.frameLines.lowerBound))
            let found = linesPerCount(mode, frameLines: frame)
            guard found > count else { return min(frame, longestFrame(mode)) }
            count = found
        }
    }
}

extension CodeRange {
    /// The codes among these that are multiples of a number, up to a maximum; nil if there are none.
    func multiples(of count: Int64, upTo limit: Int64) -> CodeRange? {
        var (first, tries) = (minimum, Int64(0))
        while first % count != 0, tries < count { (first, tries) = (first + step, tries + 1) }
        if first % count != 0 { first = count.multiple(atLeast: minimum) }
        let last = min(maximum, limit)
        guard first <= last else { return nil }
        let common = step % count == 0 ? step : count % step == 0 ? count : step * count
        return CodeRange(first, last, step: common)
    }
}

extension Int64 {
    /// The smallest multiple of this number that is at least another one; neither is negative.
    fileprivate func multiple(atLeast other: Int64) -> Int64 { (other + self - 1) / self * self }
}
