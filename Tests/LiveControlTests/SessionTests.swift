import Devices
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

struct SessionTests {
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

    @Test func `a control that the camera refuses fails its request alone`() async throws {
        let session = try session {
            $0.faults.refusedControls = [try #require(CameraControl(name: "focus_absolute"))]
        }
        let position = try #require(LensPosition(millionths: 0))
        let error = await #expect(throws: DeviceError.self) {
            try await session.setFocus(.locked(.value(position)))
        }
        #expect(error?.message.contains("refused focus_absolute = 1000") == true)
        let done = try await session.setExposure(
            .custom(duration: .value(.milliseconds(4)), iso: 100))
        #expect(done.sync != nil)
    }

    @Test func `a closed session ends what is open and refuses what comes`() async throws {
        let session = try session()
        let ticket = session.issue(.nextFrame)
        session.close()
        let error = await #expect(throws: DeviceError.self) { try await ticket.completion() }
        #expect(error?.message == "the camera session is closed")
        await #expect(throws: DeviceError.self) { try await session.setExposure(.locked) }
        await session.end()
        await session.end()
    }

    @Test func `the same requests give the same frames each time`() async throws {
        func run() async throws -> [FrameReport] {
            let session = try session { $0.hasNoise = true }
            let output = session.statistics(capacity: 512)
            for milliseconds in [3, 7, 5] as [Int64] {
                try await session.setExposure(
                    .custom(duration: .value(.milliseconds(milliseconds)), iso: 200))
                try await session.setFocus(
                    .locked(.value(try #require(LensPosition(millionths: milliseconds * 100_000)))))
            }
            session.close()
            var reports: [FrameReport] = []
            for await case .item(let report) in output { reports.append(report) }
            return reports
        }
        let first = try await run()
        #expect(first.count > 6)
        #expect(try await run() == first)
    }
}
