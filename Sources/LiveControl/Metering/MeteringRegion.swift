public import Imaging

/// Which part of the frame a routine works on.
public struct MeteringRegion: Hashable, Sendable {
    /// How the exposure is metered.
    public var mode: MeteringMode
    /// The point of interest on the upright image, as people see it.
    public var point: FramePoint
    /// How the upright image lies on the sensor's.
    public var orientation: Orientation

    /// Creates a region; without a point of interest, the centre.
    public init(
        _ mode: MeteringMode = .uniform, point: FramePoint = .centre,
        orientation: Orientation = .identity
    ) {
        self.mode = mode
        self.point = point
        self.orientation = orientation
    }

    /// The point of interest on the sensor's image.
    public var sensorPoint: FramePoint { orientation.sensorPoint(of: point) }
    /// What each cell of the metering grid counts.
    public var weights: MeteringWeights { MeteringWeights(mode, point: sensorPoint) }

    /// A meter for this region.
    ///
    /// - Parameters:
    ///   - format: what samples are.
    ///   - size: pixels and rows.
    ///   - blackLevel: the code of no light.
    ///   - subjects: what is to be measured.
    public func meter(
        format: PixelFormat, size: FrameSize, blackLevel: Int = 0,
        subjects: FrameMeter.Subjects = .all
    ) -> FrameMeter {
        FrameMeter(
            format: format, size: size, blackLevel: blackLevel, focusPoint: sensorPoint,
            subjects: subjects)
    }
}
