/// Says whether the registers that came with a frame are of that frame, by the sensor's own frame counter.
///
/// The counter goes on by one a frame, as the driver's sequence does. A buffer that the receiver did not fill holds
/// what an earlier frame left there, and its counter is behind. Where it is ahead the receiver missed frames: the first
/// such count is not believed, and the next is if it follows from it.
public struct FrameCounter: BitwiseCopyable, Sendable {
    private struct Anchor: BitwiseCopyable {
        var count: UInt8
        var sequence: UInt32

        /// How far a count is ahead of what follows from here; negative if it is behind.
        func lead(_ count: UInt8, _ sequence: UInt32) -> Int8 {
            let steps = UInt8(truncatingIfNeeded: sequence &- self.sequence)
            return Int8(bitPattern: count &- (self.count &+ steps))
        }
    }

    private var last: Anchor?
    private var candidate: Anchor?

    /// Creates a counter for a stream that starts.
    public init() {}

    /// Whether registers with a count belong to the frame of a sequence number; frames come in their order.
    public mutating func accepts(_ count: UInt8, of sequence: UInt32) -> Bool {
        let now = Anchor(count: count, sequence: sequence)
        guard let last else {
            self.last = now
            return true
        }
        let lead = last.lead(count, sequence)
        if lead == 0 || (lead > 0 && candidate?.lead(count, sequence) == 0) {
            (self.last, candidate) = (now, nil)
            return true
        }
        candidate = lead > 0 ? now : nil
        return false
    }
}
