public import Imaging

/// White balance ↔ codes, or ↔ metadata where the camera has no control of its own.
public struct WhiteBalanceModel: Hashable, Sendable {
    /// Red and blue gains as components: `gain = code / unity`; green is fixed at 1.
    public struct Components: Hashable, Sendable {
        /// The control of the red gain.
        public var red: CameraControl
        /// The control of the blue gain.
        public var blue: CameraControl
        /// Code of gain 1.
        public var unity: Int64
        /// Codes that both controls take.
        public var codes: CodeRange
        /// Creates the component mapping.
        public init(red: CameraControl, blue: CameraControl, unity: Int64, codes: CodeRange) {
            self.red = red
            self.blue = blue
            self.unity = unity
            self.codes = codes
        }
    }

    /// Colour temperature in kelvin, code = kelvin.
    public struct Temperature: Hashable, Sendable {
        /// The control.
        public var control: CameraControl
        /// Kelvin that it takes.
        public var codes: CodeRange
        /// Creates the temperature mapping.
        public init(control: CameraControl, codes: CodeRange) {
            self.control = control
            self.codes = codes
        }
    }

    /// A matrix from balanced camera colours to linear sRGB, at one colour temperature.
    public struct Matrix: Hashable, Sendable {
        /// The illuminant's correlated colour temperature in kelvin.
        public var kelvin: Int64
        /// Nine elements in millionths, row by row; each row adds up to about a million.
        public var millionths: [Int64]
        /// Creates a matrix.
        public init(kelvin: Int64, millionths: [Int64]) {
            self.kelvin = kelvin
            self.millionths = millionths
        }
    }

    /// Component gains; nil if the camera has no such controls.
    public var components: Components?
    /// Colour temperature; nil if the camera has no such control.
    public var temperature: Temperature?
    /// Whether the camera does not balance at all: gains are kept with the frames and used when they are developed.
    public var isMetadata: Bool
    /// The largest channel gain that may be asked for; the smallest is 1.
    public var maximumGain: Gain
    /// How the camera sees grey over colour temperature; nil if nobody measured it.
    public var curve: ColourCurve?
    /// Colour matrices, ascending by temperature; empty if nobody measured any.
    public var matrices: [Matrix]
    /// As in ``ExposureModel/latencyFrames``.
    public var latencyFrames: Int
    /// Where ``latencyFrames`` comes from.
    public var latencyOrigin: FigureOrigin
    /// Where the limits of the codes come from, where it is not the profile.
    public var limit: LimitOrigin?

    /// The usual limit of channel gains.
    public static let usualMaximumGain = Gain(millionths: 8_000_000)

    /// Creates a model of a camera with white-balance controls.
    public init(
        components: Components?, temperature: Temperature?, latencyFrames: Int,
        latencyOrigin: FigureOrigin = .assumed, curve: ColourCurve? = nil
    ) {
        self.components = components
        self.temperature = temperature
        self.latencyFrames = latencyFrames
        self.latencyOrigin = latencyOrigin
        self.curve = curve
        isMetadata = false
        maximumGain = Self.usualMaximumGain
        matrices = []
    }

    /// Creates a model of a camera that keeps white balance as metadata: a raw sensor.
    public static func metadata(
        curve: ColourCurve?, maximumGain: Gain = usualMaximumGain
    ) -> WhiteBalanceModel {
        var model = WhiteBalanceModel(
            components: nil, temperature: nil, latencyFrames: 0, latencyOrigin: .exact,
            curve: curve)
        model.isMetadata = true
        model.maximumGain = maximumGain
        return model
    }
}
