package import Devices
package import Timebase

/// A disk in virtual time whose every write is on record.
package final class TestDisk: VirtualDisk {
    /// What became of a frame.
    struct Write {
        let slot: Int64
        let begun: Instant<Monotonic>
        let done: Instant<Monotonic>
        let errno: Int32
    }

    package let takesPixels = true
    /// Every write, in the order of slots.
    private(set) var writes: [Write] = []
    /// How long a write takes.
    var duration = Interval.zero
    /// A write that begins in one of these spans takes until its end.
    var stalls: [Range<Instant<Monotonic>>] = []
    /// From this time on, writes are refused with this errno.
    var refusal: (from: Instant<Monotonic>, errno: Int32)?

    package init() {}

    package func write(
        slot: Int64, byteCount: Int, at time: Instant<Monotonic>
    ) -> VirtualWrite {
        let stall = stalls.first { $0.contains(time) }
        let done = (stall?.upperBound ?? time) + duration
        let errno = refusal.map { time >= $0.from ? $0.errno : 0 } ?? 0
        writes.append(Write(slot: slot, begun: time, done: done, errno: errno))
        return VirtualWrite(duration: done - time, errno: errno)
    }
}
