import Glibc
import LinuxDevices
import Testing
import Timebase

/// Signals belong to the whole process: one test at a time, and none that leaves them caught.
@Suite(.serialized) struct InterruptsTests {
    @Test func `a signal is counted and ends a wait, and the process lives`() throws {
        let descriptor = try #require(Interrupts.catchSignals())
        defer { Interrupts.release() }
        let wait = PollWait([descriptor])
        #expect(Interrupts.count() == 0)
        #expect(kill(getpid(), SIGINT) == 0)
        // The signal may reach another thread, and this one's wait through the descriptor alone.
        while Interrupts.count() == 0 { _ = wait.wait(until: .distantFuture) }
        _ = wait.wait(until: .distantFuture)
        #expect(wait.readiness(0).isReadable)
        Interrupts.acknowledge(descriptor)
        #expect(wait.wait(until: .distantPast) == .deadline)
        #expect(kill(getpid(), SIGTERM) == 0)
        while Interrupts.count() == 1 { _ = wait.wait(until: .distantFuture) }
        #expect(Interrupts.count() == 2)
    }

    @Test func `counting starts anew with each catch`() throws {
        _ = try #require(Interrupts.catchSignals())
        Interrupts.release()
        _ = try #require(Interrupts.catchSignals())
        #expect(Interrupts.count() == 0)
        Interrupts.release()
    }
}
