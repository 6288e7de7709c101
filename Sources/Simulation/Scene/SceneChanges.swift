/// How what the simulated camera looks at changes, beside what a recipe sets; without figures it does not.
///
/// Drift, flicker and jumps are those of the ambient light: outputs shine as they did.
public struct SceneChanges: Hashable, Sendable {
    /// A lamp whose light goes up and down in straight lines.
    public struct Flicker: Hashable, Sendable {
        /// How often in a second, in thousandths of a hertz; positive.
        public var millihertz: Int64
        /// How far it goes to either side of its mean, in millionths of that; 0 to 1,000,000.
        public var depthMillionths: Int64

        /// Creates a flicker.
        public init(millihertz: Int64, depthMillionths: Int64) {
            precondition(millihertz > 0 && (0...1_000_000).contains(depthMillionths))
            self.millihertz = millihertz
            self.depthMillionths = depthMillionths
        }
    }

    /// The standard deviation of the light's natural logarithm after a second, in millionths.
    ///
    /// A smooth random walk, which turns back at an eighth and at eight times the usual.
    public var driftMillionths = 0
    /// The lamp; nil for one that is steady.
    public var flicker: Flicker?
    /// The chance per million, for each frame of the sensor, that the light jumps to another level: from an eighth to
    /// eight times the usual, each ratio as likely.
    public var jumpsPerMillion = 0
    /// The share of the picture, in millionths, that something covers which moves across it; 0 to 1,000,000.
    ///
    /// A rectangle with the proportions of the picture, that comes in from the left, leaves on the right within two
    /// seconds, and comes again: by turns 0.3 times and three times as bright as what it covers.
    public var movingMillionths = 0
    /// Whether the camera opens and closes an iris that no control shows, whatever it is told to hold.
    ///
    /// After each frame the mean of the picture goes a third of the way to 0.18 of full scale.
    public var hasHiddenIris = false

    /// Creates a scene's changes; there are none.
    public init() {}
}
