/// Measures frames in the record's layout: light, colour and detail, in integers.
public struct FrameMeter: Hashable, Sendable {
    /// What is measured.
    public struct Subjects: OptionSet, Hashable, Sendable {
        /// One bit each.
        public let rawValue: Int
        /// Creates a set.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Light by cells.
        public static let light = Subjects(rawValue: 1)
        /// The colour of the middle.
        public static let balance = Subjects(rawValue: 2)
        /// Detail in the focus window.
        public static let focus = Subjects(rawValue: 4)
        /// Everything.
        public static let all: Subjects = [.light, .balance, .focus]
    }

    /// What samples are.
    public let format: PixelFormat
    /// Pixels and rows.
    public let size: FrameSize
    /// The code of no light.
    public let blackLevel: Int
    /// Where detail is measured, on the sensor's image.
    public let focusWindow: FrameRegion
    /// What is measured.
    public let subjects: Subjects

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - format: what samples are.
    ///   - size: pixels and rows.
    ///   - blackLevel: the code of no light, below the format's largest.
    ///   - focusPoint: the middle of the focus window on the sensor's image; the window is half the width and a third
    ///     of the height.
    ///   - subjects: what is to be measured; each costs time.
    public init(
        format: PixelFormat, size: FrameSize, blackLevel: Int = 0,
        focusPoint: FramePoint = .centre, subjects: Subjects = .all
    ) {
        precondition((0..<format.maximum).contains(blackLevel), "black is below white")
        self.format = format
        self.size = size
        self.blackLevel = blackLevel
        self.focusWindow = focusPoint.region(in: size, horizontal: (1, 2), vertical: (1, 3))
        self.subjects = subjects
    }

    /// Measures a frame.
    ///
    /// - Parameter frame: exactly the frame's samples, rows without padding, little-endian.
    public func read(_ frame: UnsafeRawBufferPointer) -> FrameReading {
        let bytes = size.width * size.height * format.channels * format.bytesPerSample
        precondition(frame.count == bytes, "a whole frame is measured")
        guard let base = frame.baseAddress else { return FrameReading() }
        let samples = FrameSamples(base, format: format, size: size, blackLevel: blackLevel)
        return FrameReading(
            light: subjects.contains(.light) ? BrightnessGrid(of: samples) : nil,
            balance: subjects.contains(.balance) ? GrayWorld(of: samples) : nil,
            focus: subjects.contains(.focus) ? FocusScore(of: samples, in: focusWindow) : nil)
    }
}
