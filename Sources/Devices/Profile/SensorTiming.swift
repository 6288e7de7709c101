internal import Imaging
public import Timebase

/// The frame timing of a raw sensor in one mode, as it will really be.
///
/// `N = height + VBLANK`, `T = N · line`, rate `= PIXEL_RATE / (line pixels · N)` exactly.
public struct SensorTiming: Hashable, Sendable {
    /// Pixels in a second, in the mode.
    public var pixelRateHertz: Int64
    /// Pixels of a line with its blanking.
    public var linePixels: Int64
    /// The time of a line.
    public var line: CodeDuration
    /// Lines of a frame with its blanking.
    public var frameLines: Int64
    /// The blanking to write, first and alone.
    public var blanking: ControlValue
    /// Lines that a count of the sensor's registers stands for: frame length and exposure are multiples of it.
    public var linesPerCount: Int64

    /// Creates the timing of frames of a number of lines.
    ///
    /// - Returns: nil unless the mode can make frames of so many lines.
    public init?(_ sensor: SensorModel, _ mode: SensorMode, frameLines: Int64) {
        let linesPerCount = sensor.linesPerCount(mode, frameLines: frameLines)
        guard mode.frameLines.contains(frameLines), frameLines % linesPerCount == 0,
            let line = mode.line
        else { return nil }
        self.linesPerCount = linesPerCount
        pixelRateHertz = mode.pixelRateHertz
        linePixels = mode.linePixels
        self.line = line
        self.frameLines = frameLines
        blanking = ControlValue(sensor.vertical.control, frameLines - Int64(mode.size.height))
    }

    /// A timing of nothing, for who knows each of its figures.
    package static let blank = SensorTiming()

    private init() {
        (pixelRateHertz, linePixels, frameLines, linesPerCount) = (1, 1, 1, 1)
        line = CodeDuration(picoseconds: 1)
        blanking = ControlValue(.verticalBlanking, 0)
    }

    /// The time from frame to frame, rounded to the nearest nanosecond.
    public var period: Interval { line.duration(ofCodes: frameLines) }

    /// The exact rate; nil if its numbers are too large for one.
    public var rate: FrameRate? { Self.rate(pixelRateHertz, linePixels, frameLines: frameLines) }

    /// The rate as people read it, to a thousandth: `29.997 fps`.
    public var rateText: String {
        Self.rateText(pixelRateHertz, linePixels, frameLines: frameLines)
    }

    /// The lines of a frame whose rate is nearest to the one asked for, as the registers can count them.
    ///
    /// `N = round(PIXEL_RATE / (fps · line pixels))`; half goes up.
    static func frameLines(
        of sensor: SensorModel, _ mode: SensorMode, at rate: FrameRate
    ) -> Int64 {
        let lines = rounded(
            Int128(mode.pixelRateHertz) * Int128(rate.seconds),
            over: Int128(rate.frames) * Int128(mode.linePixels))
        let above = sensor.countableFrame(mode, atLeast: lines)
        let below = lines - lines % sensor.linesPerCount(mode, frameLines: lines)
        return mode.frameLines.contains(below) && lines - below < above - lines ? below : above
    }

    static func rate(_ mode: SensorMode, frameLines: Int64) -> FrameRate? {
        rate(mode.pixelRateHertz, mode.linePixels, frameLines: frameLines)
    }

    private static func rate(
        _ pixelRateHertz: Int64, _ linePixels: Int64, frameLines: Int64
    ) -> FrameRate? {
        let (pixels, overflow) = linePixels.multipliedReportingOverflow(by: frameLines)
        guard !overflow, pixels > 0, pixelRateHertz > 0 else { return nil }
        return FrameRate(reducing: pixelRateHertz, over: pixels)
    }

    static func rateText(_ mode: SensorMode, frameLines: Int64) -> String {
        rateText(mode.pixelRateHertz, mode.linePixels, frameLines: frameLines)
    }

    private static func rateText(
        _ pixelRateHertz: Int64, _ linePixels: Int64, frameLines: Int64
    ) -> String {
        let thousandths = rounded(
            Int128(pixelRateHertz) * 1_000, over: Int128(linePixels) * Int128(max(1, frameLines)))
        return decimalText(UInt64(max(0, thousandths)), unit: 1_000) + " fps"
    }
}
