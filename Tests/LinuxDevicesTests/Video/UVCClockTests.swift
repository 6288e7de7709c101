import Devices
import TestSupport
import Testing
import Timebase

@testable import LinuxDevices

/// A USB camera's clock, out of the headers that the driver keeps.
@Suite struct UVCClockTests {
    private static let rate: Int64 = 48_000_000

    /// A block as uvcvideo writes it.
    private static func block(
        host: Int64, hostFrame: UInt16 = 0, presentation: UInt32?, source: UInt32?,
        busFrame: UInt16 = 0
    ) -> [UInt8] {
        var flags: UInt8 = 0x80
        var header: [UInt8] = []
        if let presentation {
            flags |= 0x04
            header += (0..<4).map { UInt8(truncatingIfNeeded: presentation >> ($0 * 8)) }
        }
        if let source {
            flags |= 0x08
            header += (0..<4).map { UInt8(truncatingIfNeeded: source >> ($0 * 8)) }
            header += [UInt8(truncatingIfNeeded: busFrame), UInt8(busFrame >> 8)]
        }
        return withUnsafeBytes(of: UInt64(host)) { Array($0) }
            + withUnsafeBytes(of: hostFrame) { Array($0) }
            + [UInt8(header.count + 2), flags] + header
    }

    private static func blocks(_ bytes: [UInt8]) -> [UVCHeaders.Block] {
        bytes.withUnsafeBytes { bytes in
            var headers = UVCHeaders(bytes)
            var blocks: [UVCHeaders.Block] = []
            while let block = headers.next() { blocks.append(block) }
            return blocks
        }
    }

    private static func ticks(_ nanoseconds: Int64) -> Int64 { nanoseconds * 48 / 1_000 }

    @Test func `a block is read with every part that its flags name`() {
        let bytes =
            Self.block(
                host: 5, hostFrame: 7, presentation: 0x0102_0304, source: 0xFFFF_FFFF,
                busFrame: 0xFFFF)
            + Self.block(host: 6, presentation: nil, source: 9, busFrame: 3)
            + Self.block(host: 7, presentation: 10, source: nil)
            + Self.block(host: 8, presentation: nil, source: nil)
        #expect(
            Self.blocks(bytes) == [
                .init(
                    hostNanoseconds: 5, hostFrame: 7, presentation: 0x0102_0304,
                    source: .init(ticks: 0xFFFF_FFFF, busFrame: 0x7FF)),
                .init(hostNanoseconds: 6, hostFrame: 0, source: .init(ticks: 9, busFrame: 3)),
                .init(hostNanoseconds: 7, hostFrame: 0, presentation: 10),
                .init(hostNanoseconds: 8, hostFrame: 0),
            ])
    }

    @Test func `a header that is shorter than its flags say gives what is in it`() {
        var bytes = Self.block(host: 5, presentation: 1, source: 2)
        bytes[10] = 6
        let blocks = Self.blocks(bytes)
        #expect(blocks.first == .init(hostNanoseconds: 5, hostFrame: 0, presentation: 1))
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `whatever the bytes are, reading ends within them`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = (0..<random.below(2_000)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        if random.chance(50) {
            // Short lengths make many blocks.
            for place in bytes.indices where random.chance(20) { bytes[place] = 12 }
        }
        let blocks = Self.blocks(bytes)
        #expect(blocks.count <= bytes.count / 12)
        var clock = UVCFrameClock(ticksPerSecond: Self.rate)
        _ = bytes.withUnsafeBytes { clock.timestamp(of: $0) }
    }

    @Test(arguments: [0, 9, 10, 11])
    func `a block that is cut off at the end is left out`(kept: Int) {
        let whole = Self.block(host: 5, presentation: 1, source: 2)
        let bytes = whole + whole.prefix(kept)
        #expect(Self.blocks(bytes).count == 1)
    }

    @Test func `the freshest reading counts, and the frame's own timestamp goes with it`() throws {
        var clock = UVCFrameClock(ticksPerSecond: Self.rate)
        // Three readings a millisecond apart, that came 3 ms, 1 ms and 2 ms late.
        let bytes =
            Self.block(host: 4_000_000, presentation: 24_000, source: 48_000)
            + Self.block(host: 3_000_000, presentation: 24_000, source: 96_000)
            + Self.block(host: 5_000_000, presentation: 24_000, source: 144_000)
        let timestamp = try #require(bytes.withUnsafeBytes { clock.timestamp(of: $0) })
        #expect(timestamp.arrival.nanoseconds == 3_000_000)
        #expect(timestamp.reading - timestamp.capture == 96_000 - 24_000)
    }

    @Test func `a frame without either part has no timestamp`() {
        var clock = UVCFrameClock(ticksPerSecond: Self.rate)
        let parts = [
            Self.block(host: 4_000_000, presentation: 24_000, source: nil),
            Self.block(host: 4_000_000, presentation: nil, source: 24_000), [],
        ]
        for bytes in parts { #expect(bytes.withUnsafeBytes { clock.timestamp(of: $0) } == nil) }
    }

    @Test(arguments: [33, 1_000, 44_000, 120_000, 3_600_000])
    func `the clock's 32 bits are carried on over wraps, however long no frame comes`(
        milliseconds: Int64
    ) throws {
        var clock = UVCFrameClock(ticksPerSecond: Self.rate)
        var first: Int64?
        for number in 0..<200 as Range<Int64> {
            let time = 7_000_000_000 + number * milliseconds * 1_000_000
            // It runs 300 ppm fast, and a frame is timestamped 12 ms before the reading that comes with it.
            let fast = time + time * 3 / 10_000
            let source = Self.ticks(fast)
            let bytes = Self.block(
                host: time + 500_000,
                presentation: UInt32(truncatingIfNeeded: source - Self.ticks(12_000_000)),
                source: UInt32(truncatingIfNeeded: source))
            let timestamp = try #require(bytes.withUnsafeBytes { clock.timestamp(of: $0) })
            let start = first ?? (timestamp.reading - source)
            first = start
            #expect(timestamp.reading - source == start)
            #expect(timestamp.reading - timestamp.capture == Self.ticks(12_000_000))
        }
    }

    @Test func `the clock's rate stands in the header of the video control interface`() {
        let device: [UInt8] = [18, 1, 0, 2, 0xEF, 2, 1, 64, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1]
        let control: [UInt8] = [9, 4, 0, 0, 1, 0x0E, 1, 0, 0]
        let header: [UInt8] = [13, 0x24, 1, 0, 1, 60, 0, 0x00, 0x6C, 0xDC, 0x02, 1, 1]
        let audio: [UInt8] = [9, 4, 0, 0, 1, 1, 1, 0, 0]
        #expect(UVCDescriptor.clockFrequency(device + control + header) == 48_000_000)
        // The same bytes mean something else in another interface.
        #expect(UVCDescriptor.clockFrequency(device + audio + header) == nil)
        #expect(UVCDescriptor.clockFrequency(device + control + [5, 0x24, 1, 0, 1]) == nil)
        #expect(UVCDescriptor.clockFrequency(device + control + [0, 0x24]) == nil)
        #expect(UVCDescriptor.clockFrequency([]) == nil)
    }
}
