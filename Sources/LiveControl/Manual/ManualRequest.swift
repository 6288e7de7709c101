public import Devices
public import Imaging
public import Timebase

/// The three things that a camera does by itself unless they are set otherwise.
public enum ManualSubject: String, Hashable, Sendable, CaseIterable {
    case exposure, focus
    case whiteBalance = "white balance"
}

/// A value, or whatever the camera has at the moment.
public enum Wanted<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Stays where it is, with the automatic off: what was read before is written again, so nothing can move meanwhile.
    case current
    /// This value.
    case value(Value)

    var setting: Setting<Value> {
        switch self {
        case .current: .current
        case .value(let value): .value(value)
        }
    }
}

/// What can be asked of a camera's exposure.
public enum ExposureRequest: Hashable, Sendable {
    /// Stays as it is; a bias still moves it.
    case locked
    /// Is metered once and locked then.
    case auto
    /// Is metered all the time.
    case continuous
    /// Duration and sensitivity together, in one frame.
    case custom(duration: Wanted<Interval>, sensitivity: WantedSensitivity)

    /// Duration and ISO together, in one frame.
    public static func custom(duration: Wanted<Interval>, iso: Int64) -> ExposureRequest {
        .custom(duration: duration, sensitivity: .iso(iso))
    }

    /// Duration and linear gain together, in one frame.
    public static func custom(duration: Wanted<Interval>, gain: Gain) -> ExposureRequest {
        .custom(duration: duration, sensitivity: .gain(gain))
    }
}

/// A sensitivity, or whatever the camera has at the moment.
public enum WantedSensitivity: Hashable, Sendable {
    /// Stays where it is.
    case current
    /// A linear gain.
    case gain(Gain)
    /// An ISO value, 1 to 10,000,000; converted with the profile's ISO at unity gain.
    case iso(Int64)
}

/// What can be asked of a camera's lens.
public enum FocusRequest: Hashable, Sendable {
    /// Stands at a position, approached as the profile states.
    case locked(Wanted<LensPosition>)
    /// Looks for the sharpest position once and stays there.
    case auto(FocusSearch)
    /// Looks again whenever the picture gets less sharp.
    case continuous(FocusSearch)
}

/// What can be asked of a camera's white balance.
public enum WhiteBalanceRequest: Hashable, Sendable {
    /// Stands at gains, or at what makes an illuminant neutral.
    case locked(Wanted<WhiteBalance>)
    /// Is metered once and locked then.
    case auto
    /// Is metered all the time.
    case continuous
}

/// What can be asked of a camera while it streams.
public enum ManualRequest: Hashable, Sendable {
    /// Exposure duration and gain.
    case exposure(ExposureRequest)
    /// How much brighter than the target the picture is to be, in thousandths of an EV, −8,000 to 8,000.
    case bias(thousandths: Int64)
    /// The lens.
    case focus(FocusRequest)
    /// White balance.
    case whiteBalance(WhiteBalanceRequest)
    /// Which part of the frame exposure is metered on.
    case metering(MeteringRegion)
    /// Where sharpness is looked for: the region's point of interest.
    case focusPoint(MeteringRegion)
    /// Runs routines once, one after the other, and keeps what they find.
    case scan(ScanRequest)
    /// Keeps the present values of some subjects; nil or a duration of 0 and less means until they are unlocked.
    case lock(Set<ManualSubject>, Interval?)
    /// Lets continuous routines have some subjects again.
    case unlock(Set<ManualSubject>)
    /// Nothing: ends with the next frame.
    case nextFrame

    /// The subjects whose values the request decides.
    public var subjects: Set<ManualSubject> {
        switch self {
        case .exposure, .bias: [.exposure]
        case .focus: [.focus]
        case .whiteBalance: [.whiteBalance]
        case .metering, .focusPoint, .nextFrame: []
        case .scan(let scan): scan.subjects
        case .lock(let subjects, _), .unlock(let subjects): subjects
        }
    }
}

/// One metering of some subjects, kept afterwards.
public struct ScanRequest: Hashable, Sendable {
    /// What is metered.
    public var subjects: Set<ManualSubject>
    /// The point of interest on the upright image as long as the scan lasts; nil for the regions' own.
    ///
    /// Regions have the centre unless they were set with another. Uniform metering ignores points.
    public var center: FramePoint?
    /// How long what was found is kept; nil, 0 and less mean until it is unlocked.
    public var lockDuration: Interval?
    /// Leaves alone what an earlier metering found and what is still locked there.
    public var isOnlyIfNeeded: Bool

    /// Creates a request.
    public init(
        _ subjects: Set<ManualSubject>, center: FramePoint? = nil, lockDuration: Interval? = nil,
        isOnlyIfNeeded: Bool = false
    ) {
        self.isOnlyIfNeeded = isOnlyIfNeeded
        self.subjects = subjects
        self.center = center
        self.lockDuration = lockDuration
    }
}

/// A request's number; numbers rise in order of issue.
public struct RequestID: Hashable, Comparable, Sendable {
    /// The number.
    public let number: UInt64

    /// Creates an id.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Orders requests by issue.
    public static func < (a: RequestID, b: RequestID) -> Bool { a.number < b.number }
}
