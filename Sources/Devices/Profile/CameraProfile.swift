public import Timebase

/// What is known of a kind of camera before it is attached: its controls' units and limits, delays, timestamps.
///
/// Profiles are data (`hardware/cameras/*.yaml`); the simulated camera's is made by the simulation.
public struct CameraProfile: Hashable, Sendable {
    /// How rows are exposed.
    public enum Shutter: String, Hashable, Sendable, CaseIterable {
        case rolling, global
    }

    /// The profile's name, as rigs give it.
    public var name: String
    /// A sentence for people.
    public var summary: String
    /// The kernel driver that such cameras have; nil for any.
    public var driver: String?
    /// The sensors that it is for, as the media graph names them (`imx219`); nil for any camera.
    public var sensors: [String]?
    /// Formats, for planning without the device; empty if they are to be asked from it.
    public var formats: [CameraFormat]
    /// How rows are exposed.
    public var shutter: Shutter
    /// What the driver's timestamps mean.
    public var timestamps: TimestampModel
    /// What the sensor sends along with its frames; nil for cameras that send nothing but pixels.
    public var embeddedData: EmbeddedDataFormat?
    /// How it is exposed by the edges of a line; nil if nobody noted it, or it can't be.
    public var trigger: TriggerModel?
    /// Frames after stream start that are not to be used.
    public var startupFrames: Int
    /// How a raw sensor keeps time; nil for cameras that do so themselves.
    ///
    /// Then ``exposure`` is nil until ``adapted(to:)`` has chosen a mode.
    public var sensor: SensorModel?
    /// The frame timing of a raw sensor once mode and rate are chosen.
    public var timing: SensorTiming?
    /// Exposure; nil if the camera has no such control.
    public var exposure: ExposureModel?
    /// Gain; nil if the camera has no such control.
    public var gain: GainModel?
    /// Focus; nil if the camera's lens does not move.
    public var focus: FocusModel?
    /// White balance; nil if the camera has no such control.
    public var whiteBalance: WhiteBalanceModel?
    /// Controls that switch automatics off, each written in a call of its own before any value (some cameras refuse a
    /// value while its automatic is on, and drivers reorder a batch).
    public var automaticsOff: [ControlValue]
    /// Everything else that changes pixels, pinned at the start of a run where the device has it.
    public var pinned: [ControlValue]
    /// What is pinned beside it, by the inputs of a device with several; empty once ``pinned(on:)`` has chosen.
    public var inputs: [InputPins] = []
    /// The opening of the lens, read-only; nil if nobody noted it.
    public var aperture: Aperture?
    /// Black and white by bits of a sample; empty if nobody noted them.
    public var levels: [PixelLevels]
    /// The distance from pixel to pixel in nanometres; nil if nobody noted it.
    public var unitCellNanometres: Int64?
    /// What the camera does that no other should.
    public var quirks: [CameraQuirk]
    /// Where the figures come from, for the record.
    public var provenance: String
    /// The file that it was read from, for messages; nil for one that is built in.
    public var file: String?
    /// The attached camera that it was compared with; nil for a plan without the device.
    public var live: LiveCamera?

    /// Creates a profile without controls.
    public init(name: String, summary: String = "", timestamps: TimestampModel) {
        self.name = name
        self.summary = summary
        self.driver = nil
        self.formats = []
        self.shutter = .rolling
        self.timestamps = timestamps
        self.startupFrames = 0
        self.automaticsOff = []
        self.pinned = []
        self.levels = []
        self.quirks = []
        self.provenance = ""
    }

    /// Where the profile's limits come from, as messages name it.
    public var origin: LimitOrigin { .profile(name, file: file) }

    /// The levels of samples of so many bits; nil if nobody noted them.
    public func levels(bits: Int) -> PixelLevels? { levels.first { $0.bits == bits } }
}

extension CameraProfile {
    /// The delay of a group; none where the camera has no such control.
    public func delay(of group: ControlGroup) -> ControlDelay {
        switch group {
        case .exposure: delay(exposure?.latencyFrames, exposure?.latencyOrigin)
        case .gain: delay(gain?.latencyFrames, gain?.latencyOrigin)
        case .lens: delay(focus?.latencyFrames, focus?.latencyOrigin, focus?.settle ?? .zero)
        case .whiteBalance: delay(whiteBalance?.latencyFrames, whiteBalance?.latencyOrigin)
        }
    }

    private func delay(
        _ latencyFrames: Int?, _ origin: FigureOrigin?, _ settle: Interval = .zero
    ) -> ControlDelay {
        ControlDelay(latencyFrames: latencyFrames ?? 0, settle: settle, origin: origin ?? .exact)
    }
}

/// What a driver's timestamp on a frame means.
public struct TimestampModel: Hashable, Sendable {
    /// The moment that the timestamp marks.
    public enum Point: String, Hashable, Sendable, CaseIterable {
        /// The first row is read out: its exposure ends.
        case startOfReadout = "start_of_readout"
        /// The last row has been read out.
        case endOfReadout = "end_of_readout"
    }

    /// The moment that the timestamp marks.
    public var point: Point
    /// The timestamp lies at most this much after that moment, and never before it.
    public var delay: Interval
    /// Time from the first to the last row; zero for a global shutter, nil if it is not known.
    public var readout: Interval?
    /// What a raw sensor takes at least from the start of a frame's readout to the end of its last row on the bus,
    /// whatever its shutter; nil if it is not known.
    public var transfer: Interval?
    /// The camera's own clock, where its time is to be taken from that; nil for the driver's timestamps alone.
    public var cameraClock: CameraClockModel?
    /// From a row's readout to the end of its exposure: negative where a global shutter closes before.
    public var exposureEnd = RowReadout.BoundedOffset()

    /// Creates a model.
    public init(point: Point, delay: Interval, readout: Interval?) {
        self.point = point
        self.delay = delay
        self.readout = readout
    }
}
