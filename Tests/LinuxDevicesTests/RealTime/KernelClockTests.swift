import Glibc
import LinuxDevices
import Testing
import Timebase

@Suite struct KernelClockTests {
    @Test func `the monotonic clock is the kernel's own`() {
        var before = timespec()
        clock_gettime(CLOCK_MONOTONIC, &before)
        let now = KernelClock.now()
        var after = timespec()
        clock_gettime(CLOCK_MONOTONIC, &after)
        #expect(now.nanoseconds >= before.tv_sec * 1_000_000_000 + before.tv_nsec)
        #expect(now.nanoseconds <= after.tv_sec * 1_000_000_000 + after.tv_nsec)
    }

    @Test func `a sandwich encloses the reading it is made of`() {
        let sandwich = KernelClock.sandwich()
        #expect(sandwich.width >= .zero)
        let converted = sandwich.relation.convert(
            BoundedInstant(sandwich.before, halfWidth: .zero))
        let distance = sandwich.reading - converted.instant
        #expect(distance.nanoseconds.magnitude <= sandwich.width.nanoseconds.magnitude + 1)
        #expect(converted.halfWidth.nanoseconds >= sandwich.width.nanoseconds / 2)
    }
}
