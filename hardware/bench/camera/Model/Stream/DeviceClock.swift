/// The camera's own clock: it started with the host's, and runs fast or slow by a fixed rate.
package struct DeviceClock: Sendable, Equatable {
    /// The rate of the timestamps in payload headers.
    package static let ticksPerSecond: Int64 = 48_000_000
    static let billion: Int64 = 1_000_000_000

    /// How much faster than the host it runs, in parts per 10⁹; within ±10⁶.
    package let errorPartsPerBillion: Int64

    package init(errorPartsPerBillion: Int64) {
        precondition(abs(errorPartsPerBillion) <= 1_000_000, "a clock error is at most 1000 ppm")
        self.errorPartsPerBillion = errorPartsPerBillion
    }

    /// Host time at which the device clock shows `deviceNanoseconds` (not negative), rounded down.
    package func hostNanoseconds(_ deviceNanoseconds: Int64) -> Int64 {
        Self.scale(deviceNanoseconds, Self.billion, Self.billion + errorPartsPerBillion)
    }

    /// What the device clock shows at a host time (not negative), rounded down.
    package func deviceNanoseconds(_ hostNanoseconds: Int64) -> Int64 {
        Self.scale(hostNanoseconds, Self.billion + errorPartsPerBillion, Self.billion)
    }

    /// The 32-bit timestamp of a host time.
    package func ticks(_ hostNanoseconds: Int64) -> UInt32 {
        let device = deviceNanoseconds(hostNanoseconds)
        return UInt32(truncatingIfNeeded: Self.scale(device, Self.ticksPerSecond, Self.billion))
    }

    private static func scale(_ value: Int64, _ multiplier: Int64, _ divisor: Int64) -> Int64 {
        precondition(value >= 0, "clocks count from the host's boot")
        let product = UInt64(value).multipliedFullWidth(by: UInt64(multiplier))
        return Int64(UInt64(divisor).dividingFullWidth(product).quotient)
    }
}
