public import Imaging
public import Timebase

/// What a still states of itself, as EXIF has it; nil for what is not known.
public struct StillMetadata: Hashable, Sendable {
    /// How the camera finds its exposure or balance; becomes EXIF's ExposureProgram, ExposureMode and WhiteBalance.
    public enum Mode: Hashable, Sendable {
        case automatic, manual
    }

    /// What an automatic exposure was metered by; raw values are EXIF's `MeteringMode`, of which 4 and 6 are not used.
    public enum Metering: UInt16, Hashable, Sendable {
        case unknown = 0
        case average = 1
        case centreWeighted = 2
        case spot = 3
        case pattern = 5
    }

    /// Exposure duration, as the device really had it and not as it was asked for; 0 and less are left out of the file.
    public var exposure: Interval?
    /// ISO; nil where the sensitivity is not known, and 0 or less is left out.
    ///
    /// Beyond 65,535 PhotographicSensitivity is 65,535, and ISOSpeed has the whole number.
    public var iso: Int64?
    /// The f-number in thousandths: f/1.8 is 1,800.
    public var apertureThousandths: Int64?
    /// The exposure bias in thousandths of an EV; written also where it is 0.
    public var biasThousandths: Int64 = 0
    /// How exposure was set; nil where nobody knows.
    public var exposureMode: Mode? = .manual
    /// How white balance was set; nil where nobody knows.
    public var whiteBalance: Mode? = .manual
    /// What it was metered by.
    public var metering = Metering.unknown
    /// When the exposure began, on the host's realtime clock; nil leaves all dates out.
    public var time: Instant<Realtime>?
    /// How the picture is to be turned for people; a tag alone, pixels are not turned.
    public var orientation = Orientation.identity
    /// Who made the camera, or its driver where that is unknown.
    public var make = ""
    /// What the camera calls itself.
    public var model = ""
    /// What wrote the file, for example `framelock 0.1.0`.
    public var software = ""
    /// What the picture is, for example `run gel-bracket, slot 12, sequence[1]`; goes into UserComment as ASCII.
    public var summary = ""

    /// Creates metadata that is still empty.
    public init() {}
}
