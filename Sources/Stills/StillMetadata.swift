public import Imaging
public import Timebase

/// What a still says of itself, as EXIF has it; nil for what is not known.
public struct StillMetadata: Hashable, Sendable {
    /// How the camera finds its exposure or balance.
    public enum Mode: Hashable, Sendable {
        case automatic, manual
    }

    /// What an automatic exposure was metered by; EXIF's numbers.
    public enum Metering: UInt16, Hashable, Sendable {
        case unknown = 0
        case average = 1
        case centreWeighted = 2
        case spot = 3
        case pattern = 5
    }

    /// Exposure duration.
    public var exposure: Interval?
    /// ISO.
    public var iso: Int64?
    /// The f-number in thousandths: f/1.8 is 1,800.
    public var apertureThousandths: Int64?
    /// The exposure bias in thousandths of an EV.
    public var biasThousandths: Int64 = 0
    /// How exposure was set.
    public var exposureMode = Mode.manual
    /// How white balance was set.
    public var whiteBalance = Mode.manual
    /// What it was metered by.
    public var metering = Metering.unknown
    /// When the exposure began.
    public var time: Instant<Realtime>?
    /// How the picture is to be turned.
    public var orientation = Orientation.identity
    /// Who made the camera, or its driver where nobody knows.
    public var make = ""
    /// What the camera calls itself.
    public var model = ""
    /// What wrote the file, for example `framelock 0.1.0`.
    public var software = ""
    /// What the picture is, for example `run gel-bracket, slot 12, sequence[1]`.
    public var summary = ""

    /// Creates metadata that says nothing yet.
    public init() {}
}
