public import Imaging
public import Timebase

/// How a raw sensor keeps time: lines of pixels, frames of lines, exposures in lines.
///
/// Figures of profiles serve plans without the device and simulations; with a device its driver's own PIXEL_RATE,
/// HBLANK and VBLANK count (``CameraProfile/timed(by:at:of:)``), since they change with kernels and link frequencies.
public struct SensorModel: Hashable, Sendable {
    /// The exposure control, which counts lines.
    public struct LineExposure: Hashable, Sendable {
        /// The control.
        public var control: CameraControl
        /// Lines that it takes in frames that are long enough.
        public var codes: CodeRange
        /// What is added whatever the lines (imx296: 14.26 µs).
        public var offset: Interval
        /// As in ``ExposureModel/latencyFrames``.
        public var latencyFrames: Int
        /// Where ``latencyFrames`` comes from.
        public var latencyOrigin: FigureOrigin

        /// Creates the exposure of a raw sensor.
        public init(
            control: CameraControl, codes: CodeRange, offset: Interval = .zero,
            latencyFrames: Int, latencyOrigin: FigureOrigin = .assumed
        ) {
            self.control = control
            self.codes = codes
            self.offset = offset
            self.latencyFrames = latencyFrames
            self.latencyOrigin = latencyOrigin
        }
    }

    /// A blanking control: pixels after a line, or lines after a frame.
    public struct Blanking: Hashable, Sendable {
        /// The control.
        public var control: CameraControl
        /// As in ``ExposureModel/latencyFrames``.
        public var latencyFrames: Int
        /// Where ``latencyFrames`` comes from.
        public var latencyOrigin: FigureOrigin

        /// Creates a blanking.
        public init(
            control: CameraControl, latencyFrames: Int, latencyOrigin: FigureOrigin = .assumed
        ) {
            self.control = control
            self.latencyFrames = latencyFrames
            self.latencyOrigin = latencyOrigin
        }
    }

    /// What it delivers, and how fast.
    public var modes: [SensorMode]
    /// The exposure control.
    public var exposure: LineExposure
    /// Lines after a frame: written first and alone, because the range of the exposure depends on it.
    public var vertical: Blanking
    /// Pixels after a line; nil where it is read-only.
    public var horizontal: Blanking?
    /// The exposure must be this many lines shorter than the frame.
    public var marginLines: Int64
    /// Lines that are read out before the image.
    public var embeddedLines: Int64
    /// Whether the Bayer order stays what it is when the sensor flips its image: imx290 moves its readout by a pixel.
    public var keepsOrderWhenFlipped = false
    /// The longest frame that the sensor's register holds; nil where every frame of its modes fits.
    ///
    /// A longer one is counted in 2, 4, 8 … lines, and the exposure with it.
    public var frameRegisterMaximum: Int64?
    /// The longest frame in which the driver sets exposures rightly, in lines; nil where it does in all that it offers.
    public var longestFrameLines: Int64?
    /// Modes whose pixel rate the attached camera's driver misstates.
    public var misstatedModes: [SensorMode] = []

    /// Creates a model.
    public init(
        modes: [SensorMode], exposure: LineExposure, vertical: Blanking,
        horizontal: Blanking? = nil, marginLines: Int64, embeddedLines: Int64 = 0
    ) {
        self.modes = modes
        self.exposure = exposure
        self.vertical = vertical
        self.horizontal = horizontal
        self.marginLines = marginLines
        self.embeddedLines = embeddedLines
    }

    /// The mode of a pixel format, as it is without flips, and size; nil if there is none.
    public func mode(_ pixels: PixelFormat, _ size: FrameSize) -> SensorMode? {
        modes.first { $0.size == size && $0.pixelFormats.contains(pixels) }
    }
}

/// One way in which a raw sensor reads out its pixels.
public struct SensorMode: Hashable, Sendable {
    /// Frame size as delivered.
    public var size: FrameSize
    /// Pixel formats that it comes in, with the same timing.
    public var pixelFormats: [PixelFormat]
    /// Pixels in a second.
    public var pixelRateHertz: Int64
    /// Pixels of a line with its blanking.
    public var linePixels: Int64
    /// Lines that may follow a frame.
    public var blankingLines: CodeRange
    /// Lines of exposure, where they differ from the sensor's.
    public var exposureLines: CodeRange?
    /// Pixels in a row and in a column that make one: 1, 2 or 4.
    public var binning: Int64
    /// The part of the pixel array that is read; nil if nobody noted it.
    public var crop: FrameRegion?
    /// Lines of the driver that make one in the sensor's registers: imx219 reads two rows in the time of a line when it
    /// bins, and newer drivers count rows.
    public var linesPerCount: Int64
    /// Whether a driver that reports another pixel rate misstates this mode: row times are then unknown.
    public var refusesOtherRates = false

    /// Creates a mode.
    public init(
        size: FrameSize, pixelFormats: [PixelFormat], pixelRateHertz: Int64, linePixels: Int64,
        blankingLines: CodeRange, exposureLines: CodeRange? = nil, binning: Int64 = 1,
        crop: FrameRegion? = nil, linesPerCount: Int64 = 1
    ) {
        self.size = size
        self.pixelFormats = pixelFormats
        self.pixelRateHertz = pixelRateHertz
        self.linePixels = linePixels
        self.blankingLines = blankingLines
        self.exposureLines = exposureLines
        self.binning = binning
        self.crop = crop
        self.linesPerCount = linesPerCount
    }

    /// The time of a line; nil for figures of a device that no sensor has.
    public var line: CodeDuration? {
        CodeDuration(linePixels: linePixels, pixelRateHertz: pixelRateHertz)
    }

    /// Takes over the blanking that a driver offers, as far as frames are no longer than so many lines.
    mutating func takeBlanking(_ offered: CodeRange, longestFrame: Int64?) {
        let most = min(offered.maximum, (longestFrame ?? .max) - Int64(size.height))
        blankingLines =
            most < offered.minimum
            ? offered : CodeRange(offered.minimum, most, step: offered.step)
    }

    /// Lines of the shortest and of the longest frame.
    public var frameLines: ClosedRange<Int64> {
        let height = Int64(size.height)
        return (height + blankingLines.minimum)...(height + blankingLines.maximum)
    }
}
