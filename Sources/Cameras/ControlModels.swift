public import Timebase

/// Codes that a control takes.
public struct CodeRange: Hashable, Sendable {
    /// The smallest code.
    public var minimum: Int64
    /// The largest code that the steps reach.
    public var maximum: Int64
    /// The distance from one code to the next, from the smallest; at least 1.
    public var step: Int64

    /// Creates a range; a maximum between two steps counts as the lower one.
    public init(_ minimum: Int64, _ maximum: Int64, step: Int64 = 1) {
        precondition(minimum <= maximum && step >= 1, "a range of codes goes upwards")
        self.minimum = minimum
        self.maximum = maximum - Int64((Int128(maximum) - Int128(minimum)) % Int128(step))
        self.step = step
    }

    /// The code nearest to `code` (half goes up); nil outside the range.
    ///
    /// Half a step beyond an end counts as outside: a request is never moved to a limit in silence.
    public func nearest(_ code: Int64) -> Int64? { nearest(Int128(code), over: 1) }

    /// The code nearest to a quotient (half goes up), rounded once; nil outside the range.
    ///
    /// - Parameters:
    ///   - numerator: of magnitude below 2^100.
    ///   - denominator: positive.
    func nearest(_ numerator: Int128, over denominator: Int128) -> Int64? {
        guard numerator >= Int128(minimum) * denominator,
            numerator <= Int128(maximum) * denominator
        else { return nil }
        let width = Int128(step) * denominator
        let steps = (2 * (numerator - Int128(minimum) * denominator) + width) / (2 * width)
        return Int64(Int128(minimum) + steps * Int128(step))
    }

    /// Whether a number lies in the range; it need not be on a step.
    func contains(_ code: Int64) -> Bool { code >= minimum && code <= maximum }

    /// As ``nearest(_:over:)``, but a quotient outside counts as the end that it lies beyond.
    func nearestInside(_ numerator: Int128, over denominator: Int128) -> Int64 {
        if numerator < Int128(minimum) * denominator { return minimum }
        return nearest(numerator, over: denominator) ?? maximum
    }
}

/// Exposure duration ↔ code: `duration = code × unit + offset`.
public struct ExposureModel: Hashable, Sendable {
    /// The control.
    public var control: CameraControl
    /// Picoseconds of one code: 100 µs is 100,000,000.
    public var unitPicoseconds: Int64
    /// What is added whatever the code (imx296: 14.26 µs).
    public var offset: Interval
    /// Codes that the control takes.
    public var codes: CodeRange
    /// Frames from a write to the first frame that surely shows it, counted from the frame that is being exposed at the
    /// end of the write.
    public var latencyFrames: Int

    /// Creates a model.
    public init(
        control: CameraControl, unitPicoseconds: Int64, offset: Interval = .zero,
        codes: CodeRange, latencyFrames: Int
    ) {
        self.control = control
        self.unitPicoseconds = unitPicoseconds
        self.offset = offset
        self.codes = codes
        self.latencyFrames = latencyFrames
    }
}

/// Linear gain ↔ code.
public struct GainModel: Hashable, Sendable {
    /// The law between code x and gain g.
    public enum Law: Hashable, Sendable {
        /// `g = x / unity`.
        case linear(unity: Int64)
        /// `g = base / (base − x)`: Sony's imx219 (256), imx477 and imx708 (1024).
        case reciprocal(base: Int64)
    }

    /// The control.
    public var control: CameraControl
    /// The law.
    public var law: Law
    /// Codes that the control takes.
    public var codes: CodeRange
    /// ISO that a gain of one stands for.
    public var isoAtUnity: Int64
    /// As in ``ExposureModel/latencyFrames``.
    public var latencyFrames: Int

    /// Creates a model.
    public init(
        control: CameraControl, law: Law, codes: CodeRange, isoAtUnity: Int64, latencyFrames: Int
    ) {
        self.control = control
        self.law = law
        self.codes = codes
        self.isoAtUnity = isoAtUnity
        self.latencyFrames = latencyFrames
    }
}

/// Lens position ↔ code: a straight line from the nearest to the farthest code, which may run downwards.
public struct FocusModel: Hashable, Sendable {
    /// The control.
    public var control: CameraControl
    /// Code of lens position 0.
    public var nearCode: Int64
    /// Code of lens position 1.
    public var farCode: Int64
    /// As in ``ExposureModel/latencyFrames``.
    public var latencyFrames: Int
    /// How long the lens moves after a write.
    public var settle: Interval

    /// Creates a model.
    public init(
        control: CameraControl, nearCode: Int64, farCode: Int64, latencyFrames: Int,
        settle: Interval
    ) {
        precondition(nearCode != farCode, "a lens that moves has two ends")
        self.control = control
        self.nearCode = nearCode
        self.farCode = farCode
        self.latencyFrames = latencyFrames
        self.settle = settle
    }
}

/// White balance ↔ codes.
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

    /// Component gains; nil if the camera has no such controls.
    public var components: Components?
    /// Colour temperature; nil if the camera has no such control.
    public var temperature: Temperature?
    /// As in ``ExposureModel/latencyFrames``.
    public var latencyFrames: Int

    /// Creates a model.
    public init(components: Components?, temperature: Temperature?, latencyFrames: Int) {
        self.components = components
        self.temperature = temperature
        self.latencyFrames = latencyFrames
    }
}
