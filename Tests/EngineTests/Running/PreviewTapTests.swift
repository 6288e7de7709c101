import Devices
import Foundation
import Imaging
import Records
import Testing

@testable import Engine

/// The mailbox between the pipeline and whoever looks.
struct PreviewTapTests {
    private static func tap(width: Int = 64) throws -> PreviewTap {
        let format = try #require(PixelFormat.named("GREY"))
        let size = try #require(FrameSize(width: width, height: 16))
        let layout = try #require(FrameLayout(pixelFormat: format, size: size))
        return PreviewTap(AcceptedConfiguration(layout: layout, rate: nil, bufferCount: 4))
    }

    private static func offer(_ tap: PreviewTap, _ slot: Int64, hasTime: Bool = true) {
        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: slot), count: tap.frameByteCount)
        bytes.withUnsafeBytes {
            tap.offer(LedgerRow(slot: slot, step: 0, settings: 0), $0, hasTime: hasTime)
        }
    }

    /// The slot of the newest frame, if all of it is of that slot.
    private static func slot(_ tap: PreviewTap) -> Int64? {
        tap.take { row, bytes in
            bytes.allSatisfy { $0 == UInt8(truncatingIfNeeded: row.slot) } ? row.slot : -1
        }
    }

    @Test func `the newest frame is there once, older ones are skipped`() throws {
        let tap = try Self.tap()
        #expect(Self.slot(tap) == nil)
        Self.offer(tap, 1)
        #expect(Self.slot(tap) == 1)
        #expect(Self.slot(tap) == nil)
        for slot in 2...9 as ClosedRange<Int64> { Self.offer(tap, slot) }
        #expect(tap.skipped == 7)
        #expect(Self.slot(tap) == 9)
        #expect(tap.delivered == 2)
        #expect(tap.skipped == 7)
    }

    @Test func `what there was no time for counts as skipped`() throws {
        let tap = try Self.tap()
        Self.offer(tap, 1, hasTime: false)
        #expect(Self.slot(tap) == nil)
        #expect(tap.skipped == 1)
        Self.offer(tap, 2)
        Self.offer(tap, 3, hasTime: false)
        #expect(Self.slot(tap) == 2)
        #expect(tap.skipped == 2 && tap.delivered == 1)
    }

    @Test func `between two threads no frame is torn and none goes back in time`() throws {
        let tap = try Self.tap(width: 1_024)
        let count: Int64 = 20_000
        let producer = Thread {
            for slot in 0..<count { Self.offer(tap, slot) }
        }
        producer.start()
        var last: Int64 = -1
        var seen: Int64 = 0
        while last < count - 1 {
            guard let slot = Self.slot(tap) else {
                sched_yield()
                continue
            }
            #expect(slot > last)
            if slot <= last { break }
            last = slot
            seen += 1
        }
        #expect(tap.delivered == seen)
        // The last offer may be counted a moment after its frame was taken.
        while !producer.isFinished { sched_yield() }
        #expect(tap.skipped == count - seen)
    }
}
