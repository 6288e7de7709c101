import Devices
import LinuxDevices
import Testing
import Timebase

/// Which changes of controls count as somebody else's.
@Suite("Watched controls") struct ControlWatchTests {
    let fake = FakeCamera()

    static let automatic = CameraControl(rawValue: 0x009a_0901)
    static let exposure = CameraControl(rawValue: 0x009a_0902)
    static let gain = CameraControl(rawValue: 0x0098_0913)

    init() {
        fake.device.controls = [
            .init(id: Self.gain.rawValue, range: 16...255, value: 16),
            .init(id: Self.automatic.rawValue, range: 0...3, value: 1),
            .init(id: Self.exposure.rawValue, range: 1...5000, value: 156),
        ]
    }

    func watching(_ body: (V4L2Camera, FakeControls) throws -> Void) throws {
        try fake.use { camera in
            camera.watch([Self.exposure, Self.gain, Self.automatic])
            try body(camera, fake.device.node)
        }
    }

    /// The next change, if there is one, as the capture thread would see it.
    func change(_ camera: V4L2Camera) -> ControlValue? {
        camera.readControlChange().map { ControlValue($0.control, $0.code) }
    }

    func event(_ control: CameraControl, _ value: Int64, changes: UInt32 = 1) -> FakeControls.Event
    {
        .init(id: control.rawValue, value: value, changes: changes, seconds: 100_000_000)
    }

    @Test("D5 each change by somebody else is told once, in order, with its time") func told()
        throws
    {
        try watching { camera, node in
            node.events = [
                event(Self.exposure, 80), event(Self.gain, 32), event(Self.exposure, 90),
            ]
            let first = try #require(camera.readControlChange())
            #expect(first.timestamp == Instant(nanoseconds: 100_000_000_000_000_005))
            #expect(ControlValue(first.control, first.code) == ControlValue(Self.exposure, 80))
            #expect(change(camera) == ControlValue(Self.gain, 32))
            #expect(change(camera) == ControlValue(Self.exposure, 90))
            #expect(change(camera) == nil)
        }
    }

    @Test("a flag that follows an automatic is no change of the value") func flags() throws {
        try watching { camera, node in
            node.events = [event(Self.exposure, 156, changes: 3)]
            #expect(change(camera) == nil)
        }
    }

    @Test("what was written here, and what the camera made of it, is no change") func own() throws {
        try watching { camera, node in
            let values = [ControlValue(Self.exposure, 9999), ControlValue(Self.gain, 40)]
            #expect(values.withUnsafeBufferPointer { camera.write($0) } == 0)
            #expect(camera.read(Self.exposure) == .success(5000))
            // The camera confirms over its status endpoint.
            node.events = [event(Self.exposure, 5000), event(Self.gain, 40)]
            #expect(change(camera) == nil)
        }
    }

    @Test("a change that was written over meanwhile is told and forgotten") func overwritten()
        throws
    {
        try watching { camera, node in
            node.events = [.init(id: Self.gain.rawValue, value: 99, seconds: 0)]
            let values = [ControlValue(Self.gain, 40)]
            #expect(values.withUnsafeBufferPointer { camera.write($0) } == 0)
            #expect(change(camera) == ControlValue(Self.gain, 99))
            node.events = [event(Self.gain, 40)]
            #expect(change(camera) == nil)
        }
    }

    @Test("nothing is asked of the driver until a poll says that there is something") func quiet()
        throws
    {
        try watching { camera, node in
            #expect(change(camera) == nil)
            node.events = [event(Self.gain, 99)]
            #expect(change(camera) == nil)
            let asked = fake.device.requests.count { $0 == FakeVideoDevice.Request.dequeueEvent }
            #expect(asked == 1)
        }
    }

    @Test("a control whose driver has no events is read, and a change lies between two readings")
    func withoutEvents() throws {
        fake.device.failures[FakeVideoDevice.Request.subscribeEvent] = 25
        try watching { camera, node in
            let place = try #require(node.controls.firstIndex { $0.id == Self.gain.rawValue })
            node.controls[place].value = 77
            let (first, last) = (
                try #require(camera.readControlChange()), try #require(camera.readControlChange())
            )
            #expect(
                [first, last].map { ControlValue($0.control, $0.code) }
                    == [ControlValue(Self.gain, 77), ControlValue(Self.gain, 77)])
            #expect(first.timestamp < last.timestamp)
            #expect(camera.readControlChange() == nil)
        }
    }
}
