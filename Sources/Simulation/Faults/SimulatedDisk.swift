public import Devices
internal import Glibc
public import Timebase

/// The simulated disk: as fast as its options have it, with stalls, and full or broken when it is to be.
public final class SimulatedDisk: VirtualDisk {
    /// Whether it is given frames at all, or only what is known of them.
    public let takesPixels: Bool
    private let faults: InjectedFaults
    private let record: (SimulatedTruth) -> Void
    private var random: SplitMix64
    /// When the stream began; nil before it.
    var startedAt: Instant<Monotonic>?

    init(
        takesPixels: Bool, _ options: SimulationOptions,
        record: @escaping (SimulatedTruth) -> Void
    ) {
        self.takesPixels = takesPixels
        self.record = record
        faults = options.faults.injected
        random = SplitMix64(seed: options.seed).split(7)
    }

    /// Takes, or refuses, a frame.
    ///
    /// Before the stream starts everything is done at once. A write that begins in a stall takes until its end and then
    /// its own time; one that is refused takes as long as one that succeeds.
    public func write(
        slot: Int64, byteCount: Int, at time: Instant<Monotonic>
    ) -> VirtualWrite {
        guard let startedAt else { return VirtualWrite() }
        let elapsed = time - startedAt
        var duration = Interval.zero
        if let rate = faults.diskBytesPerSecond, takesPixels {
            duration = Interval(
                nanoseconds: Int64(Int128(byteCount) * 1_000_000_000 / Int128(max(1, rate))))
        }
        if let stall = faults.diskStalls.first(where: { elapsed >= $0.start && elapsed < $0.end }) {
            duration = duration + (stall.end - elapsed)
            record(.fault(.diskStall, at: time, nil))
        }
        var errno: Int32 = 0
        if random.happens(chancePerMillion: faults.diskErrors) {
            errno = EIO
            record(.fault(.diskError, at: time, nil))
        }
        if let full = faults.diskFull, elapsed >= full {
            errno = ENOSPC
            record(.fault(.diskFull, at: time, nil))
        }
        return VirtualWrite(duration: duration, errno: errno)
    }
}
