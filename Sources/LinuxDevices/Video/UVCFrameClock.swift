internal import Devices
internal import Timebase

/// Makes timestamps of the headers of a USB camera's frames: its 32-bit clock, carried on over its wraps.
///
/// Exact: whole numbers only. Of a frame's readings the one that came with the least delay is kept, since nothing can
/// come too early.
struct UVCFrameClock {
    /// Positive; the rate that the descriptor names, not a measured one.
    private let ticksPerSecond: Int64
    /// The last reading: what the camera sent, what it stands for, and when it had come.
    private var last: (raw: UInt32, ticks: Int64, host: Int64)?

    init(ticksPerSecond: Int64) {
        self.ticksPerSecond = ticksPerSecond
    }

    /// The timestamp of a frame; nil if its headers do not have both when it was captured and what the clock showed.
    ///
    /// - Parameter bytes: a metadata buffer of `uvcvideo`, as ``UVCHeaders`` reads it.
    mutating func timestamp(of bytes: UnsafeRawBufferPointer) -> CameraTimestamp? {
        var headers = UVCHeaders(bytes)
        var presentation: UInt32?
        var best: (raw: UInt32, ticks: Int64, host: Int64, delay: Int128)?
        while let block = headers.next() {
            if presentation == nil { presentation = block.presentation }
            guard let source = block.source else { continue }
            let ticks = carriedOn(source.ticks, at: block.hostNanoseconds)
            last = (source.ticks, ticks, block.hostNanoseconds)
            // How late it came, but for a constant: to be compared within a frame.
            let delay =
                Int128(block.hostNanoseconds) * Int128(ticksPerSecond)
                - Int128(ticks) * 1_000_000_000
            if best.map({ delay < $0.delay }) ?? true {
                best = (source.ticks, ticks, block.hostNanoseconds, delay)
            }
        }
        guard let presentation, let best else { return nil }
        // Within a frame the two are seconds apart at most, a wrap takes longer.
        let before = Int64(Int32(bitPattern: presentation &- best.raw))
        return CameraTimestamp(
            capture: best.ticks &+ before, reading: best.ticks,
            arrival: Instant(nanoseconds: best.host))
    }

    /// What a reading stands for: of all that end in these bits, the one that is nearest to what must have come since.
    ///
    /// Right as long as the camera's clock has strayed from the host's by less than half a wrap since the last reading:
    /// 2³¹ ticks, 45 s at 48 MHz.
    ///
    /// - Parameters:
    ///   - raw: the clock's 32 bits.
    ///   - host: when the reading came, in nanoseconds.
    private func carriedOn(_ raw: UInt32, at host: Int64) -> Int64 {
        // A first reading is put where a wrap back does not go below zero.
        guard let last else { return Int64(raw) + 1 << 32 }
        let elapsed = Int128(host) - Int128(last.host)
        let expected = Int64(
            clamping: Int128(last.ticks) + elapsed * Int128(ticksPerSecond) / 1_000_000_000)
        let near = UInt32(truncatingIfNeeded: expected)
        return expected &+ Int64(Int32(bitPattern: raw &- near))
    }
}
