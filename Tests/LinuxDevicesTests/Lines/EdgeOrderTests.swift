import Devices
import Foundation
import Testing
import Timebase

@testable import LinuxDevices

/// Edges of several inputs, as the kernel hands them out, each input by a descriptor of its own.
struct EdgeOrderTests {
    /// An input for which the kernel noted edges already.
    private func input(_ edges: [(nanoseconds: UInt64, number: UInt32)]) throws -> EdgeInput {
        let pipe = Pipe()
        var bytes: [UInt8] = []
        for edge in edges {
            // struct gpio_v2_line_event: the time, what happened (1: rising), the line, two counts, and padding.
            withUnsafeBytes(of: edge.nanoseconds) { bytes += $0 }
            for word: UInt32 in [1, 0, edge.number, edge.number, 0, 0, 0, 0, 0, 0] {
                withUnsafeBytes(of: word) { bytes += $0 }
            }
        }
        try pipe.fileHandleForWriting.write(contentsOf: bytes)
        try pipe.fileHandleForWriting.close()
        return EdgeInput(descriptor: dup(pipe.fileHandleForReading.fileDescriptor))
    }

    @Test func `edges of several inputs come in the order of their times, not of their inputs`()
        throws
    {
        let lines = GPIOLines(inputs: [
            try input([(500, 1), (700, 2)]), try input([]), try input([(100, 1), (600, 2)]),
            try input([(300, 1)]),
        ])
        var found: [LineEdge] = []
        while let edge = lines.readEdge() { found.append(edge) }
        #expect(found.map { $0.timestamp.nanoseconds } == [100, 300, 500, 600, 700])
        #expect(found.map(\.line) == [2, 3, 0, 2, 0])
        #expect(found.map(\.lineSequence) == [1, 1, 1, 2, 2])
    }
}
