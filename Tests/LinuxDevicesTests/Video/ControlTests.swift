import Devices
import LinuxDevices
import Testing

@Suite struct ControlTests {
    let fake = FakeCamera()

    let exposure = CameraControl(rawValue: 0x009a_0902)
    let gain = CameraControl(rawValue: 0x0098_0913)
    let brightness = CameraControl(rawValue: 0x0098_0900)
    let pixelRate = CameraControl(rawValue: 0x009f_0902)

    init() {
        fake.device.controls = [
            .init(id: exposure.rawValue, range: 1...5000, value: 156),
            .init(id: gain.rawValue, flags: 0x10, range: 16...255, value: 16),
            .init(id: brightness.rawValue, range: -64...64, value: -3),
            .init(
                id: pixelRate.rawValue, type: 5, flags: 4, range: 0...1 << 40,
                value: 840_000_000_000),
            .init(id: 0x0098_0001, type: 6),
            .init(id: 0x0098_0930, type: 7),
            .init(id: 0x009a_0999, flags: 1),
        ]
    }

    func write(_ values: [ControlValue]) throws -> Int32 {
        try fake.use { camera in values.withUnsafeBufferPointer { camera.write($0) } }
    }

    @Test func `controls are described by id, without headings, texts and disabled ones`() throws {
        let controls = try fake.use { try $0.describe().controls }
        #expect(controls.map(\.control) == [brightness, gain, exposure, pixelRate])
        #expect(controls.map(\.code) == [-3, 16, 156, 840_000_000_000])
        #expect(controls.map(\.isInactive) == [false, true, false, false])
        #expect(controls.map(\.isReadOnly) == [false, false, false, true])
        #expect(controls[2].minimum == 1)
        #expect(controls[2].maximum == 5000)
    }

    @Test func `a batch goes out as one request in the order given`() throws {
        let result = try write([
            ControlValue(exposure, 80), ControlValue(gain, 32), ControlValue(brightness, -10),
        ])
        #expect(result == 0)
        #expect(fake.device.writes.count == 1)
        #expect(
            fake.device.writes.first?.map(\.id)
                == [exposure.rawValue, gain.rawValue, brightness.rawValue])
        #expect(fake.device.writes.first?.map(\.value) == [80, 32, -10])
    }

    @Test func `seventeen controls take two requests`() throws {
        let values = (0..<17).map { ControlValue(exposure, Int64(100 + $0)) }
        #expect(try write(values) == 0)
        #expect(fake.device.writes.map(\.count) == [16, 1])
        #expect(fake.device.writes.flatMap { $0 }.map(\.value) == (0..<17).map { Int64(100 + $0) })
    }

    @Test func `nothing to write asks nothing of the driver`() throws {
        #expect(try write([]) == 0)
        #expect(fake.device.writes.isEmpty)
    }

    @Test(arguments: [Int32(13), 84, 110]) func `a refused write gives the kernel's number`(
        code: Int32
    ) throws {
        fake.device.failures[FakeVideoDevice.Request.setControls] = code
        #expect(try write([ControlValue(exposure, 80)]) == -code)
    }

    @Test func `numbers of every width and sign are read back`() throws {
        try fake.use { camera in
            #expect(camera.read(brightness) == .success(-3))
            #expect(camera.read(pixelRate) == .success(840_000_000_000))
            #expect(camera.read(exposure) == .success(156))
        }
    }

    @Test func `a control that can't be read is named`() throws {
        let answer = try fake.use { $0.read(CameraControl(rawValue: 0x009a_090a)) }
        guard case .failure(let error) = answer else {
            Issue.record("the camera has no focus")
            return
        }
        #expect(error.message.contains("read the control focus_absolute: EINVAL"))
    }
}
