internal import Timebase

/// Where the simulated lens really is: it stops short on the side that it comes from, and gets there gradually.
///
/// The approach is `rest + distance · (1 − 1/τ)^t` with t and τ in milliseconds: multiplications alone, so that it is
/// the same on every machine.
struct SimulatedLens {
    /// Its hysteresis and how long it takes.
    private let drive: SimulatedLensDrive
    /// The code that it was sent to.
    private var commanded: Int64
    /// Where it comes to rest, in codes: short of what was commanded.
    private var rest: Float
    /// How far it was from there when it set off, with its sign.
    private var distance: Float = 0
    private var movedAt = Instant<Monotonic>.distantPast

    init(_ drive: SimulatedLensDrive, at code: Int64) {
        self.drive = drive
        commanded = code
        rest = Float(code)
    }

    /// The lens is sent to a code, if that is another one.
    mutating func move(to code: Int64, at time: Instant<Monotonic>) {
        guard code != commanded else { return }
        let start = position(at: time)
        let short = Float(drive.hysteresisCodes)
        rest = Float(code) + (Float(code) > start ? -short : short)
        distance = start - rest
        commanded = code
        movedAt = time
    }

    /// Where it is at a time, in codes; at its rest where it takes a millisecond or less.
    func position(at time: Instant<Monotonic>) -> Float {
        let milliseconds = drive.settleTime.nanoseconds / 1_000_000
        guard milliseconds > 1, distance != 0 else { return rest }
        var factor: Float = 1
        var base = 1 - 1 / Float(milliseconds)
        var exponent = min(max(0, (time - movedAt).nanoseconds / 1_000_000), 1 << 20)
        while exponent > 0 {
            if exponent & 1 == 1 { factor *= base }
            base *= base
            exponent >>= 1
        }
        return rest + distance * factor
    }

    /// How far it is from where it was sent.
    func error(at time: Instant<Monotonic>) -> Float { position(at: time) - Float(commanded) }
}
