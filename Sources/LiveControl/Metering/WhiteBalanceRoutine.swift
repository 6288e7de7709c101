public import Devices
public import Imaging

/// Automatic white balance: makes the middle of the frame grey, or finds its temperature on the camera's colour curve.
///
/// Like exposure, it counts only frames that certainly have the gains written last. Where the camera does not apply
/// gains itself, they are found without a change of the picture, for the record and for development.
public struct WhiteBalanceRoutine: MeteringRoutine, Hashable {
    /// How gains are found.
    public enum Method: Hashable, Sendable {
        /// As if the middle were a grey card; a camera that takes temperatures alone is tried until red is as bright
        /// as blue.
        case grayWorld
        /// The nearest black body or daylight on the camera's curve; its tint is left out.
        case curve(ColourCurve)
    }

    /// A change of a gain that is none, in millionths of it: half of a hundredth.
    static let tolerance: Int64 = 5_000
    /// Good frames on end that confirm it.
    static let goodFrames = 3
    /// Changes after which it gives up.
    static let changes = 12

    /// Whether it runs once or goes on.
    public let mode: RoutineMode
    /// How gains are found.
    public let method: Method
    /// Where it stands.
    public internal(set) var state: RoutineState = .metering
    /// How it ended; nil while it runs.
    public internal(set) var outcome: RoutineOutcome?
    /// What keeps it from its aim; nil if nothing does.
    public internal(set) var limit: RoutineLimit?
    /// The gains of the last good frames, relative to what the sensor gives, the least of them 1; nil before.
    ///
    /// Where temperatures were tried, those that the frames still lack.
    public internal(set) var gains: ChannelGains?
    /// The illuminant by the curve; nil without one, and before.
    public internal(set) var illuminant: ColourTemperature?
    /// The frames whose sums the gains came from, by their sequence numbers.
    public internal(set) var framesUsed: [Int64] = []

    let model: WhiteBalanceModel?
    let profileName: String
    var written: WhiteBalance?
    var changeCount = 0
    var stuckFrames = 0
    var offFrames = 0
    var unusableFrames = 0
    var recent: [ChannelGains] = []
    var search = TemperatureSearch()
    /// How much red lacked over blue in the last good frame of a search, in thousandths of an EV.
    var settled: Int64 = 0

    /// Creates the routine.
    ///
    /// - Parameters:
    ///   - profile: the camera; without white-balance controls, gains are found and nothing is written.
    ///   - mode: once, or going on.
    ///   - method: how gains are found.
    public init(
        profile: CameraProfile, mode: RoutineMode = .auto, method: Method = .grayWorld
    ) {
        model = profile.whiteBalance
        profileName = profile.name
        self.mode = mode
        self.method = method
    }

    /// Keeps the gains from now on.
    public mutating func lock() { state = .locked }

    /// Restarts from the white balance that frames have then, whoever wrote it.
    public mutating func unlock() {
        (state, outcome, written) = (.metering, nil, nil)
        startAnew()
    }

    mutating func startAnew() {
        (limit, changeCount, stuckFrames, offFrames, unusableFrames) = (nil, 0, 0, 0, 0)
        (recent, framesUsed, search) = ([], [], TemperatureSearch())
    }
}
