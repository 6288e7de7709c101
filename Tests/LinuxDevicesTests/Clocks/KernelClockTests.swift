import Devices
import Engine
import Glibc
import LinuxDevices
import Testing
import Timebase

@Suite struct KernelClockTests {
    @Test func `the monotonic clock is the kernel's own`() {
        let before = Self.reading(CLOCK_MONOTONIC)
        let now = KernelClock.now()
        let after = Self.reading(CLOCK_MONOTONIC)
        #expect(before <= now.nanoseconds)
        #expect(now.nanoseconds <= after)
    }

    @Test(arguments: [
        (ClockSource.realtime, CLOCK_REALTIME), (.tai, CLOCK_TAI), (.boottime, CLOCK_BOOTTIME),
        (.monotonicRaw, CLOCK_MONOTONIC_RAW),
    ])
    func `a sandwich is of the clock that it names, and of no other moment`(
        clock: ClockSource, number: clockid_t
    ) throws {
        let before = (Self.reading(CLOCK_MONOTONIC), Self.reading(number))
        let sandwich = try #require(KernelClock.sandwich(clock))
        let after = (Self.reading(CLOCK_MONOTONIC), Self.reading(number))
        #expect(sandwich.clock == clock)
        #expect(before.0 <= sandwich.before.nanoseconds)
        #expect(sandwich.before <= sandwich.after)
        #expect(sandwich.after.nanoseconds <= after.0)
        #expect((before.1...after.1).contains(sandwich.time.count))
    }

    @Test func `clocks of others are not the host's`() {
        #expect(KernelClock.sandwich(.camera) == nil)
        #expect(KernelClock.sandwich(.planned(0)) == nil)
    }

    @Test func `the clock's resolution is measured once, and no reading contradicts it`() {
        let resolution = KernelClock.resolution
        #expect(KernelClock.resolution == resolution)
        #expect(resolution.step >= .nanoseconds(1))
        // A second look may bound it less closely, but another counter would be far away.
        let again = ClockResolution.measured { KernelClock.monotonicNanoseconds() }
        #expect(again.map { $0.step >= resolution.step / 4 } ?? true)
    }

    @Test func `every clock of the host is read at the start and at the end`() throws {
        let clocks = KernelClocks(isRealTime: false)
        try clocks.open([])
        clocks.start()
        let first = Self.sources(clocks)
        clocks.stop()
        let last = Self.sources(clocks)
        #expect(first == ClockSource.host)
        #expect(last == ClockSource.host)
    }

    @Test func `a hardware clock that is not there is refused with a way to find out`() throws {
        let request = ClockRequest(name: "grandmaster", place: .device("/dev/ptp99"))
        let error = #expect(throws: DeviceError.self) { try KernelClocks().open([request]) }
        #expect(error?.kind == .notFound)
        #expect(error?.message.contains("`grandmaster`: there is no /dev/ptp99") == true)
    }

    @Test func `a file that is no clock is refused`() throws {
        let request = ClockRequest(name: "grandmaster", place: .device("/dev/null"))
        let error = #expect(throws: DeviceError.self) { try KernelClocks().open([request]) }
        #expect(error?.kind == .failed)
    }

    @Test func `an interface that is not there is told from one without a clock`() throws {
        let missing = ClockRequest(name: "lan", place: .interface("eth99"))
        let first = #expect(throws: DeviceError.self) { try KernelClocks().open([missing]) }
        #expect(first?.message.contains("there is no network interface `eth99`") == true)
        let bare = ClockRequest(name: "lan", place: .interface("lo"))
        let second = #expect(throws: DeviceError.self) { try KernelClocks().open([bare]) }
        #expect(second?.message.contains("`lo` has no PTP hardware clock") == true)
    }

    private static func sources(_ clocks: KernelClocks) -> [ClockSource] {
        var sources: [ClockSource] = []
        while let report = clocks.read() {
            if case .sample(let sample) = report { sources.append(sample.clock) }
        }
        return sources
    }

    private static func reading(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
