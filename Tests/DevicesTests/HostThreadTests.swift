import Devices
import Foundation
import LinuxDevices
import Synchronization
import Testing
import Timebase

@Suite struct HostThreadTests {
    /// What a thread saw of itself.
    final class Notes: Sendable {
        let text = Mutex("")
    }

    func name(of thread: HostThread.Options) throws -> String {
        let notes = Notes()
        let started = try #require(
            HostThread(thread) {
                let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
                notes.text.withLock { $0 = String((name ?? "").dropLast()) }
            })
        started.join()
        return notes.text.withLock { $0 }
    }

    @Test func `a thread runs its body once and has its name, cut to fifteen characters`() throws {
        #expect(try name(of: .init(name: "capture")) == "capture")
        #expect(try name(of: .init(name: "capture-of-every-frame")) == "capture-of-ever")
    }

    @Test func `what a thread used of its stack is told once it has ended`() throws {
        func used(touching bytes: Int) throws -> Int {
            let thread = try #require(
                HostThread(.init(name: "deep")) {
                    withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 16) { buffer in
                        // On the stack or not: only what is written there counts.
                        for index in buffer.indices {
                            buffer[index] = UInt8(truncatingIfNeeded: index)
                        }
                    }
                    Self.fill(depth: bytes / 1_024)
                })
            #expect(thread.stackBytesUsed == nil)
            thread.join()
            return try #require(thread.stackBytesUsed)
        }
        let (little, much) = (try used(touching: 1_024), try used(touching: 300 * 1_024))
        #expect(little > 0 && little < 64 * 1_024, "\(little)")
        #expect(much >= 300 * 1_024 && much < HostThread.Options.usualStackBytes, "\(much)")
    }

    /// Takes at least a kilobyte of stack for each level.
    @inline(never) private static func fill(depth: Int) {
        var level = InlineArray<128, Int64>(repeating: Int64(depth))
        if depth > 0 { fill(depth: depth - 1) }
        level[depth % 128] += 1
        withExtendedLifetime(level) {}
    }

    @Test func `nothing asked is nothing granted`() throws {
        let thread = try #require(HostThread(.init(name: "plain")) {})
        #expect(thread.grant.items.isEmpty)
        thread.join()
    }

    @Test func `a processor that is not there is refused, and the thread runs all the same`() throws
    {
        let notes = Notes()
        let thread = try #require(
            HostThread(.init(name: "elsewhere", cpu: 1000)) {
                notes.text.withLock { $0 = "ran" }
            })
        thread.join()
        #expect(notes.text.withLock { $0 } == "ran")
        #expect(thread.grant.granted.isEmpty)
        let refusal = try #require(thread.grant.refused.first)
        #expect(refusal.what.hasPrefix("CPU 1000"))
        #expect(refusal.refusal?.hasPrefix("EINVAL") == true)
    }

    @Test func `a priority is granted, or refused with the limit to raise`() throws {
        let thread = try #require(HostThread(.init(name: "fast", priority: 10)) {})
        thread.join()
        let item = try #require(thread.grant.items.first)
        #expect(item.what == "SCHED_FIFO priority 10")
        #expect(item.refusal.map { $0.contains("LimitRTPRIO=10") } ?? true)
        #expect(thread.grant.items.count == 1)
    }

    @Test func `the host says of everything whether it was granted`() {
        let host = RealTimeHost()
        #expect(host.grant.items.count == 2)
        #expect(host.grant.granted.count + host.grant.refused.count == 2)
    }
}
