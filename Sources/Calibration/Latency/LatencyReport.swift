public import Devices

/// What `calibrate latency` found.
public struct LatencyReport: Hashable, Sendable {
    /// Settings whose latency can be measured; raw values are the words of the command line.
    public enum Subject: String, Hashable, Sendable, CaseIterable {
        case exposure, gain, focus
        case whiteBalance = "white-balance"
        case blanking

        /// Those for which a profile names controls.
        public static func all(of profile: CameraProfile) -> [Subject] {
            let balance = profile.whiteBalance
            let named: [(Subject, Bool)] = [
                (.exposure, profile.exposure != nil || profile.sensor != nil),
                (.gain, profile.gain != nil), (.focus, profile.focus != nil),
                (.whiteBalance, balance?.components != nil || balance?.temperature != nil),
                (.blanking, profile.sensor != nil),
            ]
            return named.filter(\.1).map(\.0)
        }
    }

    /// Why a setting was not measured.
    public struct Skipped: Hashable, Sendable {
        /// Which setting.
        public var subject: Subject
        /// What stood in the way, and what to do.
        public var reason: String
    }

    /// How exposure and gain went together when each was written ahead by its own latency.
    public struct FlashCheck: Hashable, Sendable {
        /// How often both were changed, one up and the other down, and the frames between were all there.
        public var changeCount: Int
        /// How often a frame then differed by more than a quarter from the median: it had one of them without the
        /// other.
        public var flashCount: Int
    }

    /// A control's figure, and the setting that it is part of.
    public struct Measured: Hashable, Sendable {
        /// Which setting.
        public var subject: Subject
        /// What was found.
        public var figure: LatencyFigure
    }

    /// A figure for each control.
    public internal(set) var measured: [Measured] = []
    /// What was not measured.
    public internal(set) var skipped: [Skipped] = []
    /// Exposure and gain together; nil where one of them is not known exactly.
    public internal(set) var flash: FlashCheck?

    /// The figures of a setting.
    public func figures(of subject: Subject) -> [LatencyFigure] {
        measured.filter { $0.subject == subject }.map(\.figure)
    }

    /// The latency of a setting that all of its controls keep to; nil if none was measured.
    public func frames(of subject: Subject) -> (least: Int, most: Int)? {
        let figures = figures(of: subject)
        guard let least = figures.map(\.leastFrames).min(), let most = figures.map(\.frames).max()
        else { return nil }
        return (least, most)
    }
}
