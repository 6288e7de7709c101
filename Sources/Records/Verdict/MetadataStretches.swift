internal import Devices

/// Counts the frames that have no metadata of their own, in runs of a sensor that sends any.
///
/// Whether it sends any is known from the profile, from a frame that has some, or from some that were another frame's.
struct MetadataStretches {
    private var isSent: Bool
    private var frames: Int64 = 0
    /// Frames without metadata since the last one with some.
    private var current: Int64 = 0
    private var longest: Int64 = 0

    /// - Parameter isSent: whether the sensor sends metadata by its profile.
    init(isSent: Bool) { self.isSent = isSent }

    /// Counts a frame; in the order of slots.
    mutating func count(_ applied: AppliedSettings) {
        if applied[knownBy: .exposure] == .metadata || applied[knownBy: .gain] == .metadata {
            isSent = true
            current = 0
        } else {
            frames += 1
            current += 1
            longest = max(longest, current)
        }
    }

    /// Frames came with another frame's metadata.
    mutating func noteMismatch() { isSent = true }

    /// Adds nothing where the sensor sends none: then no frame lacks any.
    func add(to tally: inout RunTally) {
        guard isSent else { return }
        tally.framesWithoutMetadata = frames
        tally.longestWithoutMetadata = longest
    }
}
