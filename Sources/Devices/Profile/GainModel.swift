/// Linear gain ↔ code.
public struct GainModel: Hashable, Sendable {
    /// The law between code x and gain g.
    public enum Law: Hashable, Sendable {
        /// `g = x / unity`: OmniVision's ov5647, ov7251, ov9281 (16).
        case linear(unity: Int64)
        /// `g = base / (base − x)`: Sony's imx219 (256), imx477 and imx708 (1024).
        case reciprocal(base: Int64)
        /// `g = 10^(x · step / 20 dB)`: Sony's imx290 (0.3 dB) and imx296 (0.1 dB); the step in thousandths of a dB.
        case exponential(stepMillidecibels: Int64)
        /// `g = (m0 · x + c0) / (m1 · x + c1)`, libcamera's general form, growing over all codes.
        case rational(RationalGain)
        /// Codes with measured gains, both ascending; a code between two of them gives what the lower one gives.
        case table([MeasuredGain])
    }

    /// The control.
    public var control: CameraControl
    /// What other kernels call it: taken where an attached camera does not have ``control``.
    public var olderControl: CameraControl?
    /// The law.
    public var law: Law
    /// Codes that the control takes.
    public var codes: CodeRange
    /// ISO that a gain of one stands for.
    public var isoAtUnity: Int64
    /// As in ``ExposureModel/latencyFrames``.
    public var latencyFrames: Int
    /// Where ``latencyFrames`` comes from.
    public var latencyOrigin: FigureOrigin
    /// Where the limits of ``codes`` come from, where it is not the profile.
    public var limit: LimitOrigin?

    /// Creates a model.
    public init(
        control: CameraControl, law: Law, codes: CodeRange, isoAtUnity: Int64, latencyFrames: Int,
        latencyOrigin: FigureOrigin = .assumed
    ) {
        self.control = control
        self.law = law
        self.codes = codes
        self.isoAtUnity = isoAtUnity
        self.latencyFrames = latencyFrames
        self.latencyOrigin = latencyOrigin
    }
}

/// The constants of `g = (m0 · x + c0) / (m1 · x + c1)`.
public struct RationalGain: Hashable, Sendable {
    /// Of the numerator.
    public var m0: Int64
    /// Of the numerator.
    public var c0: Int64
    /// Of the denominator.
    public var m1: Int64
    /// Of the denominator.
    public var c1: Int64

    /// Creates the constants; each of a magnitude up to 2^32.
    public init(m0: Int64, c0: Int64, m1: Int64, c1: Int64) {
        self.m0 = m0
        self.c0 = c0
        self.m1 = m1
        self.c1 = c1
    }

    /// Whether the gain is above zero and grows with the code over a whole range.
    ///
    /// The derivative has the sign of `m0·c1 − m1·c0` wherever the denominator keeps its own.
    public func grows(over codes: CodeRange) -> Bool {
        let (low, high) = (parts(codes.minimum), parts(codes.maximum))
        let slope = Int128(m0) * Int128(c1) - Int128(m1) * Int128(c0)
        return low.under.signum() * high.under.signum() == 1 && slope > 0
            && low.over.signum() == low.under.signum()
    }

    /// Numerator and denominator at a code.
    func parts(_ code: Int64) -> (over: Int128, under: Int128) {
        (
            Int128(m0) * Int128(code) + Int128(c0),
            Int128(m1) * Int128(code) + Int128(c1)
        )
    }
}

/// What a camera was measured to do with a code of its gain.
public struct MeasuredGain: Hashable, Sendable {
    /// The code.
    public var code: Int64
    /// The gain that it gives.
    public var gain: Gain

    /// Creates a row.
    public init(code: Int64, gain: Gain) {
        self.code = code
        self.gain = gain
    }
}
