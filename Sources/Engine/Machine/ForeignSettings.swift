internal import Cameras
internal import Records
internal import Timebase

/// What somebody else made of the settings: since which frame, and from which on they are surely so.
///
/// In between nobody knows what a frame was exposed with, so nothing is said of it.
struct ForeignSettings {
    /// One setting that was changed.
    struct Change {
        /// The value in the unit of ``AppliedSettings``; nil where that is not known.
        var value: Int64?
        /// The first frame that may have it; nil for any.
        var first: UInt32?
        /// The first frame that surely has it; without a value, no frame has.
        var sure: UInt32 = 0
        /// The run's last write before it.
        var ticket: Int64
    }

    var exposure: Change?
    var gain: Change?
    var lens: Change?
    /// Puts what others changed in the place of what the run wrote, for the frame that was observed last.
    ///
    /// A change is over once the frame surely shows a write that the run made after it.
    ///
    /// - Returns: whether the exposure of the frame is not known because of a change.
    func apply(
        to applied: inout AppliedSettings, at sequence: UInt32,
        _ timeline: borrowing SettingsTimeline
    ) -> Bool {
        func isInForce(_ change: Change, _ group: ControlGroup) -> Bool {
            change.mayShow(in: sequence) && timeline.shownTicket(group) <= change.ticket
        }
        var isHidden = false
        if let exposure, isInForce(exposure, .exposure) {
            applied.exposure = exposure.value(at: sequence).map { Interval(nanoseconds: $0) }
            isHidden = applied.exposure == nil
        }
        if let gain, isInForce(gain, .gain) { applied.gainMillionths = gain.value(at: sequence) }
        if let lens, isInForce(lens, .lens) { applied.lensMillionths = lens.value(at: sequence) }
        return isHidden
    }
}

extension ForeignSettings.Change {
    /// The value, in frames that surely have it.
    fileprivate func value(at sequence: UInt32) -> Int64? {
        sequence.isAtOrAfter(sure) ? value : nil
    }

    fileprivate func mayShow(in sequence: UInt32) -> Bool {
        first.map { sequence.isAtOrAfter($0) } ?? true
    }
}

extension UInt32 {
    /// Whether this number of a frame is that one or a later one; numbers have 32 bits and start anew.
    fileprivate func isAtOrAfter(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) >= 0 }
}
