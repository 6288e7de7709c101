import Devices
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

@Suite("Outputs of a session")
struct OutputAPIRowsTests {
    private func session(
        _ change: (inout SimulationOptions) throws -> Void = { _ in }, poolCount: Int = 8
    ) throws -> CameraSession {
        var simulation = SimulationOptions(hasNoise: false)
        try change(&simulation)
        var options = CameraSession.Options()
        options.poolCount = poolCount
        return try CameraSession(
            world: SimulatedWorld(simulation), profile: .simulated,
            configuration: CaptureConfiguration(
                pixelFormat: try #require(PixelFormat.named("GREY")),
                size: try #require(FrameSize(width: 320, height: 240)), rate: FrameRate(frames: 30)),
            options: options)
    }

    @Test("D7 a late consumer finds how many frames it missed, where it missed them")
    func lateConsumer()
        async throws
    {
        let session = try session()
        let output = session.frames(capacity: 3)
        try await session.advance(frames: 10)
        var iterator = output.makeAsyncIterator()
        for expected in 0..<3 {
            guard case .item(let frame)? = await iterator.next() else {
                Issue.record("three frames wait")
                return
            }
            #expect(frame.sequence == UInt32(expected))
        }
        guard case .dropped(7, .lateConsumer)? = await iterator.next() else {
            Issue.record("seven are missing")
            return
        }
        guard case .item(let frame)? = await iterator.next() else {
            Issue.record("the next one is waited for")
            return
        }
        #expect(frame.sequence == 10)
        #expect(output.counters.delivered == 4)
        #expect(output.counters.dropped == [.lateConsumer: 7])
    }

    @Test("D7 whoever holds the pool's frames makes others miss some, and never the camera")
    func heldFrames()
        async throws
    {
        let session = try session(poolCount: 2)
        let output = session.frames(capacity: 8)
        let other = session.statistics(capacity: 64)
        var iterator = output.makeAsyncIterator()
        var held: [LiveFrame] = []
        for _ in 0..<2 {
            if case .item(let frame)? = await iterator.next() { held.append(frame) }
        }
        try await session.advance(frames: 5)
        #expect(output.counters.dropped == [.noBuffer: 5])
        #expect(other.counters.delivered == 7)
        held = []
        try await session.advance(frames: 1)
        #expect(output.counters.delivered == 3)
    }

    @Test("D7 frames that the device lost are told, with their number")
    func lostByDevice() async throws {
        let session = try session { $0.dropsPerMillion = 200_000 }
        let output = session.statistics(capacity: 64)
        try await session.advance(frames: 30)
        session.close()
        var (delivered, lost) = (0, 0)
        var last: UInt32?
        for await delivery in output {
            switch delivery {
            case .item(let report):
                delivered += 1
                last = report.sequence
            case .dropped(let count, let reason):
                #expect(reason == .lostByDevice)
                lost += count
            }
        }
        #expect(delivered == 30)
        #expect(lost > 0)
        #expect(delivered + lost <= Int(try #require(last)) + 1)
    }

    @Test("D8 an unplugged camera ends requests with its reason, and outputs with it")
    func unplugged()
        async throws
    {
        let session = try session { $0.faults.unpluggedBeforeFrame = 5 }
        let output = session.statistics()
        let states = session.states()
        let error = await #expect(throws: DeviceError.self) {
            try await session.advance(frames: 20)
        }
        #expect(error?.kind == .notFound)
        #expect(error?.message == "camera simulated was unplugged while it was streaming")
        var delivered = 0
        for await case .item in output { delivered += 1 }
        #expect(delivered == 5)
        for await _ in states {}
        // Later requests end the same way, at once.
        let later = await #expect(throws: DeviceError.self) {
            try await session.setExposure(.locked)
        }
        #expect(later == error)
    }

    @Test("D6 several outputs of one session count for themselves; a starving one slows none")
    func outputs() async throws {
        let session = try session()
        let preview = session.frames(capacity: 1)
        let frames = session.frames(capacity: 32)
        let statistics = session.statistics(capacity: 32)
        try await session.advance(frames: 20)
        #expect(preview.counters.delivered == 1)
        #expect(preview.counters.dropped == [.lateConsumer: 19])
        // The pool has eight buffers, and nobody gave one back.
        #expect(frames.counters.delivered == 8)
        #expect(frames.counters.dropped == [.noBuffer: 12])
        #expect(statistics.counters.delivered == 20)
        #expect(statistics.counters.dropped.isEmpty)
        #expect(session.state.sequence == 19)
    }
}
