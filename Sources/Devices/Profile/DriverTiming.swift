public import Imaging
public import Timebase

/// The frame timing that a raw sensor's driver has in the mode that is set: its PIXEL_RATE, HBLANK and VBLANK.
///
/// A rate is asked of no capture node then: the frame length is the sensor's vertical blanking.
public struct DriverTiming: Hashable, Sendable {
    /// Pixels in a second (`V4L2_CID_PIXEL_RATE`).
    public var pixelRateHertz: Int64
    /// Pixels of a line with its blanking.
    public var linePixels: Int64
    /// Lines of the image.
    public var height: Int64
    /// The control of the lines after a frame.
    public var control: CameraControl
    /// The lines that may follow a frame.
    public var blankingLines: CodeRange
    /// The lines that follow one at the moment; nil if the driver did not report them.
    public var blanking: Int64?
    /// Whether they can be written.
    public var isSettable: Bool

    private static let mostLines: Int64 = 1_000_000_000

    /// Reads the timing from the sensor's controls, described while it is in the mode.
    ///
    /// - Parameters:
    ///   - controls: the controls.
    ///   - size: the frame size at which they were described.
    ///   - vertical: the control of the lines after a frame.
    /// - Returns: nil where a figure is missing or can't be: the camera keeps its own time then.
    public init?(
        _ controls: [ControlDescription], size: FrameSize,
        vertical: CameraControl = .verticalBlanking
    ) {
        func found(_ control: CameraControl) -> ControlDescription? {
            controls.first { $0.control == control }
        }
        guard let rate = found(.pixelRate)?.code, rate >= 1,
            let horizontal = found(.horizontalBlanking)?.code, horizontal >= 0,
            let lines = found(vertical), 0...Self.mostLines ~= lines.minimum,
            lines.maximum >= lines.minimum, lines.maximum <= Self.mostLines
        else { return nil }
        let (line, overflow) = horizontal.addingReportingOverflow(Int64(size.width))
        guard !overflow, CodeDuration(linePixels: line, pixelRateHertz: rate) != nil else {
            return nil
        }
        pixelRateHertz = rate
        linePixels = line
        height = Int64(size.height)
        control = vertical
        blankingLines = CodeRange(lines.minimum, lines.maximum, step: max(1, lines.step))
        blanking = lines.code
        isSettable = !lines.isReadOnly
    }

    /// Lines of this driver that make one in the sensor's registers.
    ///
    /// A driver that counts as the registers do reports a pixel rate that is smaller by just that factor.
    ///
    /// - Parameter mode: the mode as the profile's file has it.
    func linesPerCount(of mode: SensorMode) -> Int64 {
        let (registers, overflow) = pixelRateHertz.multipliedReportingOverflow(
            by: mode.linesPerCount)
        return !overflow && registers == mode.pixelRateHertz ? 1 : mode.linesPerCount
    }

    /// The blanking whose rate is nearest to the one asked for; nil where frames can't be so long or so short.
    public func blanking(at rate: FrameRate) -> Int64? {
        let lines = rounded(
            Int128(pixelRateHertz) * Int128(rate.seconds),
            over: Int128(rate.frames) * Int128(linePixels))
        return blankingLines.nearest(lines - height)
    }

    /// The rate of frames with a blanking: exact, or to a part in 10^8 where its numbers are too large for a rate.
    public func rate(blanking: Int64) -> FrameRate? {
        let (lines, tooMany) = height.addingReportingOverflow(blanking)
        let (pixels, overflow) = linePixels.multipliedReportingOverflow(by: max(1, lines))
        guard !tooMany, !overflow else { return nil }
        var (frames, seconds) = (pixelRateHertz, pixels)
        if let exact = FrameRate(reducing: frames, over: seconds) { return exact }
        while max(frames, seconds) > 1_000_000_000 { (frames, seconds) = (frames / 2, seconds / 2) }
        return FrameRate(frames: frames, seconds: seconds)
    }

    /// The slowest and the fastest rate as people read them: `0.819 fps to 21.195 fps`.
    public var rangeText: String {
        "\(text(blankingLines.maximum)) to \(text(blankingLines.minimum))"
    }

    private func text(_ blanking: Int64) -> String {
        let thousandths = rounded(
            Int128(pixelRateHertz) * 1_000, over: Int128(linePixels) * Int128(height + blanking))
        return decimalText(UInt64(max(0, thousandths)), unit: 1_000) + " fps"
    }
}

extension FrameRate {
    /// The rate of a quotient of positive numbers; nil if its numbers are too large in lowest terms.
    init?(reducing frames: Int64, over seconds: Int64) {
        var (a, b) = (frames, seconds)
        while b != 0 { (a, b) = (b, a % b) }
        guard a > 0 else { return nil }
        self.init(frames: frames / a, seconds: seconds / a)
    }
}
