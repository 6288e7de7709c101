public import Timebase

/// How a camera is exposed by the edges of a line.
public struct TriggerModel: Hashable, Sendable {
    /// What ends an exposure that an edge begins.
    public enum Exposure: String, Hashable, Sendable, CaseIterable {
        /// The exposure control, as in a free-running stream.
        case timed
        /// The end of the pulse that the edge begins.
        case pulse
    }

    /// How long after an edge that it took a camera takes no other.
    public struct DeadTime: Hashable, Sendable {
        /// What it is counted from.
        public enum Origin: String, Hashable, Sendable, CaseIterable {
            /// The edge; never less than the exposure.
            case edge
            /// The end of the exposure.
            case exposure
        }

        /// Within this time it surely takes none.
        public var shortest: Interval
        /// After this time it surely takes one.
        public var longest: Interval
        /// What both are counted from.
        public var origin: Origin

        /// Creates a dead time.
        public init(shortest: Interval, longest: Interval, from origin: Origin) {
            self.shortest = shortest
            self.longest = longest
            self.origin = origin
        }
    }

    /// A control that switches between the camera's own clock and the line.
    public struct Mode: Hashable, Sendable {
        /// The control.
        public var control: CameraControl
        /// Its code for exposures by the line.
        public var on: Int64
        /// Its code for a free-running stream.
        public var off: Int64

        /// Creates a mode.
        public init(control: CameraControl, on: Int64, off: Int64) {
            self.control = control
            self.on = on
            self.off = off
        }
    }

    /// What ends an exposure.
    public var exposure: Exposure
    /// What the exposure is longer than the pulse that makes it (imx296: 14.26 µs).
    public var pulseOffset = Interval.zero
    /// The least time that lies between edge and start of readout besides the exposure.
    public var shortestDelay: Interval
    /// The most time that lies between edge and start of readout besides the exposure.
    public var longestDelay: Interval
    /// How the delay is known.
    public var delayOrigin: FigureOrigin
    /// How long it takes no other edge; nil if nobody noted it.
    public var deadTime: DeadTime?
    /// Frames after stream start that are exposed and not to be used.
    public var warmUpFrames: Int
    /// How it is set to follow the line; nil where that is done outside, for example by a module parameter.
    public var mode: Mode?

    /// Creates a model.
    public init(
        exposure: Exposure, shortestDelay: Interval, longestDelay: Interval,
        delayOrigin: FigureOrigin = .assumed, deadTime: DeadTime? = nil, warmUpFrames: Int = 0,
        mode: Mode? = nil
    ) {
        self.exposure = exposure
        self.shortestDelay = shortestDelay
        self.longestDelay = longestDelay
        self.delayOrigin = delayOrigin
        self.deadTime = deadTime
        self.warmUpFrames = warmUpFrames
        self.mode = mode
    }

    /// How close two edges can be that the camera takes: less is surely too close, the second surely is not.
    ///
    /// Without a dead time, a camera takes none during an exposure and every one after a further frame time.
    ///
    /// - Parameters:
    ///   - exposures: the shortest and the longest exposure that it may have.
    ///   - frameTime: the time from frame to frame of a free-running stream.
    public func period(
        exposures: (shortest: Interval, longest: Interval), frameTime: Interval
    ) -> (shortest: Interval, longest: Interval) {
        guard let deadTime else {
            return (exposures.shortest, exposures.longest + frameTime)
        }
        return switch deadTime.origin {
        case .edge:
            (
                max(deadTime.shortest, exposures.shortest),
                max(deadTime.longest, exposures.longest)
            )
        case .exposure:
            (exposures.shortest + deadTime.shortest, exposures.longest + deadTime.longest)
        }
    }
}
