public import Timebase

/// Exposure duration ↔ code: `duration = code × unit + offset`, or a measured table.
public struct ExposureModel: Hashable, Sendable {
    /// What a camera was measured to do with a code.
    public struct Measured: Hashable, Sendable {
        /// The code.
        public var code: Int64
        /// The exposure that it gives.
        public var duration: Interval
        /// Creates a row.
        public init(code: Int64, duration: Interval) {
            self.code = code
            self.duration = duration
        }
    }

    /// The control.
    public var control: CameraControl
    /// The exact duration of one code.
    public var unit: CodeDuration
    /// What is added whatever the code (imx296: 14.26 µs).
    public var offset: Interval
    /// Codes that the control takes.
    public var codes: CodeRange
    /// Frames from a write to the first frame that surely shows it, counted from the frame that is being exposed at the
    /// end of the write.
    public var latencyFrames: Int
    /// Where ``latencyFrames`` comes from.
    public var latencyOrigin: FigureOrigin
    /// Codes with measured durations, both ascending; empty where the unit is enough.
    ///
    /// Cameras that jump in steps of their own have only these; any code between two of them gives what the lower one
    /// gives.
    public var table: [Measured]
    /// Where the limits of ``codes`` come from, where it is not the profile.
    public var limit: LimitOrigin?
    /// Codes of the control that a count of the sensor's own register stands for.
    public var codesPerCount: Int64 = 1

    /// Creates a model.
    public init(
        control: CameraControl, unit: CodeDuration, offset: Interval = .zero, codes: CodeRange,
        latencyFrames: Int, latencyOrigin: FigureOrigin = .assumed, table: [Measured] = []
    ) {
        self.control = control
        self.unit = unit
        self.offset = offset
        self.codes = codes
        self.latencyFrames = latencyFrames
        self.latencyOrigin = latencyOrigin
        self.table = table
    }

    /// Creates a model whose unit is a whole number of picoseconds: 100 µs is 100,000,000.
    public init(
        control: CameraControl, unitPicoseconds: Int64, offset: Interval = .zero,
        codes: CodeRange, latencyFrames: Int, latencyOrigin: FigureOrigin = .assumed
    ) {
        self.init(
            control: control, unit: CodeDuration(picoseconds: unitPicoseconds), offset: offset,
            codes: codes, latencyFrames: latencyFrames, latencyOrigin: latencyOrigin)
    }
}
