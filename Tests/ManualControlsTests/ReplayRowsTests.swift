import Devices
import Engine
import Imaging
import LiveControl
import Simulation
import Testing
import Timebase

@Suite("Decisions that can be replayed")
struct ReplayRowsTests {
    /// Everything that manual controls were told, and what they wanted done.
    private struct Recording {
        var events: [(event: ManualEvent, at: Instant<Monotonic>)] = []
        var actions: [[ManualAction]] = []
    }

    private static let options = ManualOptions(
        cameraID: "simulated", rate: FrameRate(frames: 30))

    /// Drives manual controls on a simulated camera for some frames, without anything else in between.
    private static func record(seed: UInt64, frames: Int) throws -> Recording {
        var simulation = SimulationOptions(seed: seed)
        simulation.scene = SimulatedScene(
            luminanceMillionths: 300_000 + Int64(seed) * 700_000, redMillionths: 1_500_000,
            bestFocus: try lens(Int64(seed) * 190_000))
        let world = SimulatedWorld(simulation)
        let format = try #require(PixelFormat.named("SRGGB12"))
        let size = try #require(FrameSize(width: 320, height: 240))
        _ = try world.camera.configure(
            CaptureConfiguration(pixelFormat: format, size: size, rate: FrameRate(frames: 30)))
        var machine = ManualCamera(profile: .simulated, options: options)
        var recording = Recording()
        func feed(_ event: ManualEvent, _ actions: [ManualAction]? = nil) throws {
            var next: ManualEvent? = event
            while let event = next {
                next = nil
                recording.events.append((event, world.now()))
                let actions = machine.handle(event, at: world.now())
                recording.actions.append(actions)
                for case .perform(let exchange) in actions {
                    next = .performed(try perform(exchange, world))
                }
            }
        }
        try world.camera.start()
        try feed(
            .request(
                RequestID(1), .scan(ScanRequest(Set(ManualSubject.allCases))), ifSupported: false))
        let meter = FrameMeter(format: format, size: size)
        for _ in 0..<frames {
            world.wait(until: .distantFuture)
            guard case .frame(let frame) = world.camera.dequeue() else { continue }
            let reading = meter.read(world.camera.bytes(of: frame))
            try feed(
                .frame(
                    MeteredFrame(
                        sequence: frame.sequence, timestamp: frame.timestamp, reading: reading)))
            _ = world.camera.requeue(frame)
        }
        return recording
    }

    private static func perform(
        _ exchange: ControlExchange, _ world: SimulatedWorld
    ) throws -> ExchangeResult {
        var result = ExchangeResult(writtenAt: world.now())
        var kept: [ControlValue] = []
        for step in exchange.steps {
            switch step {
            case .keep(let control):
                kept.append(ControlValue(control, try world.camera.read(control).get()))
            case .write(let values, _):
                #expect(values.withUnsafeBufferPointer { world.camera.write($0) } == 0)
            case .writeKept(let controls):
                let values = kept.filter { controls.contains($0.control) }
                #expect(values.withUnsafeBufferPointer { world.camera.write($0) } == 0)
            case .read(let control):
                result.found.append(ControlValue(control, try world.camera.read(control).get()))
            }
        }
        return result
    }

    @Test(
        "M5 the same frames give the same decisions: a recording, replayed, writes the same",
        arguments: 1...4)
    func replay(seed: UInt64) throws {
        let recording = try Self.record(seed: seed, frames: 150)
        let hasEnded = recording.actions.joined().contains {
            if case .complete(_, .metered) = $0 { true } else { false }
        }
        #expect(hasEnded, "the scan came to its end within the recording")
        var machine = ManualCamera(profile: .simulated, options: Self.options)
        for (index, (event, time)) in recording.events.enumerated() {
            #expect(machine.handle(event, at: time) == recording.actions[index])
        }
    }
}
