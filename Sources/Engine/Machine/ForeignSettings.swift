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
    }

    var exposure: Change?
    var gain: Change?
    var lens: Change?
    /// Whether the exposure of the frame in hand is not known because of a change.
    private(set) var hidesExposure = false

    /// The settings were written anew and read back: what was changed before is over.
    mutating func forget() {
        self = ForeignSettings()
    }

    /// Brings what the device has up to a frame.
    mutating func settle(_ applied: inout AppliedSettings, at sequence: UInt32) {
        if let change = exposure {
            Self.settle(change, &exposure, at: sequence) { value in
                applied.exposure = value.map { Interval(nanoseconds: $0) }
            }
            hidesExposure = applied.exposure == nil && change.mayShow(in: sequence)
        }
        if let change = gain {
            Self.settle(change, &gain, at: sequence) { applied.gainMillionths = $0 }
        }
        if let change = lens {
            Self.settle(change, &lens, at: sequence) { applied.lensMillionths = $0 }
        }
    }

    private static func settle(
        _ change: Change, _ place: inout Change?, at sequence: UInt32, _ apply: (Int64?) -> Void
    ) {
        guard change.mayShow(in: sequence) else { return }
        let isSure = change.value != nil && sequence.isAtOrAfter(change.sure)
        apply(isSure ? change.value : nil)
        if isSure { place = nil }
    }
}

extension ForeignSettings.Change {
    fileprivate func mayShow(in sequence: UInt32) -> Bool {
        first.map { sequence.isAtOrAfter($0) } ?? true
    }
}

extension UInt32 {
    /// Whether this number of a frame is that one or a later one; numbers have 32 bits and start anew.
    fileprivate func isAtOrAfter(_ other: UInt32) -> Bool { Int32(bitPattern: self &- other) >= 0 }
}
