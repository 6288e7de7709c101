import Devices
import Glibc
import LinuxDevices
import Testing
import Timebase

@Suite struct PollWaitTests {
    @Test func `a deadline that has passed ends the wait at once`() {
        let wait = PollWait([])
        #expect(wait.wait(until: .distantPast) == .deadline)
        #expect(wait.wait(until: KernelClock.now()) == .deadline)
    }

    @Test func `a wait does not end before its deadline`() {
        let deadline = KernelClock.now() + .milliseconds(5)
        #expect(PollWait([]).wait(until: deadline) == .deadline)
        #expect(KernelClock.now() >= deadline)
    }

    @Test func `what is ready ends a wait without deadline`() throws {
        let (first, second) = (try #require(WakeUp()), try #require(WakeUp()))
        let wait = PollWait([first.descriptor, -1, second.descriptor])
        second.signal()
        second.signal()
        #expect(wait.wait(until: .distantFuture) == .ready)
        #expect(!wait.readiness(0).isReadable)
        #expect(!wait.readiness(1).isReadable)
        #expect(wait.readiness(2).isReadable)
        #expect(second.take() == 2)
        #expect(second.take() == 0)
        #expect(wait.wait(until: .distantPast) == .deadline)
        #expect(!wait.readiness(2).isReadable)
    }

    @Test func `another thread ends a wait`() throws {
        let wakeUp = try #require(WakeUp())
        let wait = PollWait([wakeUp.descriptor])
        let thread = try #require(HostThread(.init(name: "waker")) { wakeUp.signal() })
        #expect(wait.wait(until: .distantFuture) == .ready)
        thread.join()
    }

    @Test func `a descriptor whose other end is gone is broken, until it is no longer watched`() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        close(ends[1])
        let wait = PollWait([ends[0]])
        #expect(wait.wait(until: .distantFuture) == .ready)
        #expect(wait.readiness(0).isBroken)
        wait.watch(0, descriptor: -1)
        #expect(wait.wait(until: .distantPast) == .deadline)
        #expect(!wait.readiness(0).isBroken)
        close(ends[0])
    }
}
