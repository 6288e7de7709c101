public import Devices
public import Imaging
public import Timebase

/// A figure of a camera profile that a calibration can find.
///
/// Each knows its key in the file, its text there, and its place in ``CameraProfile``, so that ``ProfileEdit`` can hold
/// one against the other.
public enum ProfileFigure: Hashable, Sendable {
    /// Whose latency it is: a control of the camera, or of a raw sensor's frame.
    public enum LatencyOwner: Hashable, Sendable, CaseIterable {
        case exposure, gain, focus, whiteBalance, verticalBlanking, horizontalBlanking
    }

    /// Frames from the one that is being exposed at a write to the first that surely shows it; always the same.
    case latency(LatencyOwner, frames: Int)
    /// The same where it is not always the same: the most, and the least in `least`.
    case latencyRange(LatencyOwner, frames: Int, least: Int)
    /// How rows are exposed.
    case shutter(CameraProfile.Shutter)
    /// The moment that a timestamp marks.
    case timestampPoint(TimestampModel.Point)
    /// How late a timestamp can be after the moment that it marks (`max_delay`); rounded up by whoever measured it.
    case delay(Interval)
    /// Time from the first to the last row; nil where it is not known, which the file has as `unknown`.
    case readout(Interval?)
    /// Lines that a raw sensor reads before the image; for cameras without a sensor model there is no place for them.
    case embeddedLines(Int64)
    /// Codes of lens positions 0 and 1.
    case lensEnds(near: Int64, far: Int64)
    /// How long the lens moves after a write, until its sharpness is within 2 % of its last.
    case settle(Interval)
    /// How positions are reached; nil where they may be written straight away.
    case approach(FocusModel.Approach?)
    /// How the camera sees a grey over colour temperature.
    case curve(ColourCurve)

    /// The key in the file, from its root.
    public var path: [String] {
        switch self {
        case .latency(let owner, _), .latencyRange(let owner, _, _): owner.path + ["latency"]
        case .shutter: ["shutter"]
        case .timestampPoint: ["timestamps", "point"]
        case .delay: ["timestamps", "max_delay"]
        case .readout: ["timestamps", "readout"]
        case .embeddedLines: ["sensor", "embedded_lines"]
        case .lensEnds: ["focus"]
        case .settle: ["focus", "settle"]
        case .approach: ["focus", "approach"]
        case .curve: ["white_balance", "curve"]
        }
    }

    /// The key as messages and comments name it, for example `exposure.latency`.
    public var name: String { path.joined(separator: ".") }

    /// The keys to set and their values; nil takes the key away.
    ///
    /// Text is what `CameraProfileDecoder` reads back to the same figure: times with their unit, ratios as exact
    /// decimals.
    ///
    /// - Parameter day: the day of the measurement, `2026-11-20`.
    func values(on day: String) -> [(path: [String], value: ProfileValue?)] {
        switch self {
        case .latency(_, let frames):
            [(path, .words(["frames": "\(frames)", "measured": day]))]
        case .latencyRange(_, let frames, let least):
            [
                (
                    path,
                    .words(["frames": "\(frames)", "least": "\(least)", "measured": day])
                )
            ]
        case .shutter(let shutter): [(path, .word(shutter.rawValue))]
        case .timestampPoint(let point): [(path, .word(point.rawValue))]
        case .delay(let span), .settle(let span): [(path, .word(span.description))]
        case .readout(let span): [(path, .word(span?.description ?? "unknown"))]
        case .embeddedLines(let count): [(path, .word("\(count)"))]
        case .lensEnds(let near, let far):
            [(path + ["near"], .word("\(near)")), (path + ["far"], .word("\(far)"))]
        case .approach(nil): [(path, nil)]
        case .approach(let approach?):
            [
                (
                    path,
                    .words([
                        "from": approach.side.rawValue,
                        "over_travel": "\(approach.overTravelCodes)",
                    ])
                )
            ]
        case .curve(let curve): [(path, .list(curve.points.map(\.profileValue)))]
        }
    }
}

extension ProfileFigure.LatencyOwner {
    fileprivate var path: [String] {
        switch self {
        case .exposure: ["exposure"]
        case .gain: ["gain"]
        case .focus: ["focus"]
        case .whiteBalance: ["white_balance"]
        case .verticalBlanking: ["sensor", "vertical_blanking"]
        case .horizontalBlanking: ["sensor", "horizontal_blanking"]
        }
    }
}

extension ColourCurve.Point {
    fileprivate var profileValue: ProfileValue {
        .words([
            "temperature": "\(kelvin) K", "red": millionths(redMillionths),
            "blue": millionths(blueMillionths),
        ])
    }

    private func millionths(_ ratio: Int64) -> String {
        decimalText(UInt64(max(0, ratio)), unit: 1_000_000)
    }
}
