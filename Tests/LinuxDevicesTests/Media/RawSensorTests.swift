import Devices
import Glibc
import LinuxDevices
import Testing
import Timebase

/// A sensor and its lens behind a media graph, by the control table of an imx477 in its 2028x1520 mode
/// (drivers/media/i2c/imx477.c) and of a dw9807.
@Suite("Raw sensors") struct RawSensorTests {
    let root = FakeRoot()
    let device = FakeVideoDevice()
    let graph = FakeMediaGraph()
    let sensor: FakeControls
    let lens: FakeControls

    static let exposure = CameraControl(rawValue: 0x0098_0911)
    static let horizontalFlip = CameraControl(rawValue: 0x0098_0914)
    static let focus = CameraControl(rawValue: 0x009a_090a)
    static let verticalBlanking = CameraControl(rawValue: 0x009e_0901)
    static let horizontalBlanking = CameraControl(rawValue: 0x009e_0902)
    static let gain = CameraControl(rawValue: 0x009e_0903)
    static let pixelRate = CameraControl(rawValue: 0x009f_0902)
    static let digitalGain = CameraControl(rawValue: 0x009f_0905)
    static let brightness = CameraControl(rawValue: 0x0098_0900)

    init() {
        graph.install(in: root)
        graph.lens = .linked
        root.extend("video0", bytes: 1 << 20)
        device.graph = graph
        device.capabilities = 0x2400_0001
        device.formats = [(MediaGraphTests.inMemory, [.init(width: 64, height: 48)])]
        device.hasRates = false
        device.controls = [
            .init(id: Self.brightness.rawValue, value: 7),
            // A receiver that has a gain of its own: the sensor's counts.
            .init(id: Self.gain.rawValue, value: 99),
        ]
        sensor = FakeControls(file: "sensor", journal: device.node.journal)
        lens = FakeControls(file: "lens", journal: device.node.journal)
        sensor.sensor = (margin: 22, height: 1520)
        sensor.controls = [
            .init(id: Self.exposure.rawValue, range: 4...1542, value: 1542),
            .init(id: Self.horizontalFlip.rawValue, type: 2, flags: 0x400, range: 0...1),
            .init(id: Self.verticalBlanking.rawValue, range: 1...8_384_000, value: 44),
            .init(
                id: Self.horizontalBlanking.rawValue, flags: 4, range: 10712...10712, value: 10712),
            .init(id: Self.gain.rawValue, range: 0...978),
            .init(
                id: Self.pixelRate.rawValue, type: 5, flags: 4, range: 840_000_000...840_000_000,
                value: 840_000_000),
            .init(id: Self.digitalGain.rawValue, range: 256...65535, value: 256),
        ]
        lens.controls = [.init(id: Self.focus.rawValue, range: 0...1023, value: 512)]
        device.parts = ["sensor": sensor, "lens": lens]
    }

    func use<Result>(_ body: (V4L2Camera) throws -> Result) throws -> Result {
        try device.attached {
            try body(try CameraDiscovery(root: root.path).open("fakevideo:platform:fake-0"))
        }
    }

    func write(_ values: [ControlValue], to camera: V4L2Camera) -> Int32 {
        values.withUnsafeBufferPointer { camera.write($0) }
    }

    /// The calls that wrote, as `file: id=value …`.
    var calls: [String] {
        device.node.journal.calls.map { call in
            let values = call.values.map { value in
                "\(CameraControl(rawValue: value.id).name)=\(value.value)"
            }
            return "\(call.file.isEmpty ? "node" : call.file): \(values.joined(separator: " "))"
        }
    }

    /// The calls that wrote the blanking; a graph also switches flips off that nobody asks for.
    var blankings: [String] { calls.filter { $0.contains("vertical_blanking") } }

    @Test("D2 a raw sensor's controls are those of its parts, each with the part that has it")
    func described() throws {
        let controls = try use { try $0.describe().controls }
        #expect(controls.map(\.control.rawValue) == controls.map(\.control.rawValue).sorted())
        let parts = Dictionary(uniqueKeysWithValues: controls.map { ($0.control, $0.part) })
        #expect(parts[Self.exposure] == "Sensor A")
        #expect(parts[Self.gain] == "Sensor A")
        #expect(parts[Self.focus] == "Lens A")
        #expect(parts[Self.brightness] == "")
        let rate = try #require(controls.first { $0.control == Self.pixelRate })
        #expect(rate.code == 840_000_000)
        #expect(rate.isReadOnly)
        #expect(controls.first { $0.control == Self.horizontalFlip }?.changesLayout == true)
    }

    @Test(
        "F2 a lens is found by its link to the sensor, or as the only one beside the only sensor",
        arguments: [FakeMediaGraph.Lens.linked, .unlinked, .none])
    func lensOfSensor(_ kind: FakeMediaGraph.Lens) throws {
        graph.lens = kind
        let controls = try use { try $0.controls() }
        #expect(controls.contains { $0.control == Self.focus } == (kind != .none))
    }

    @Test("E2 blanking is written first and alone, everything else by part in the order given")
    func blankingFirst() throws {
        try use { camera in
            // 10 ms are 659 lines, 30 fps a blanking of 678.
            let values = [
                ControlValue(Self.exposure, 2100), ControlValue(Self.focus, 445),
                ControlValue(Self.gain, 768), ControlValue(Self.verticalBlanking, 678),
                ControlValue(Self.digitalGain, 256),
            ]
            #expect(write(values, to: camera) == 0)
            #expect(
                calls == [
                    "sensor: vertical_blanking=678",
                    "sensor: exposure=2100 analogue_gain=768 digital_gain=256",
                    "lens: focus_absolute=445",
                ])
            // Written after the exposure, the blanking would have come too late for it.
            #expect(camera.read(Self.exposure) == .success(2100))
            #expect(camera.read(Self.focus) == .success(445))
            #expect(camera.read(Self.gain) == .success(768))
            #expect(camera.read(Self.pixelRate) == .success(840_000_000))
        }
        #expect(device.node.value(Self.gain.rawValue) == 99)
    }

    @Test("E3 what the sensor makes of a value shows when it is read back")
    func clamped() throws {
        try use { camera in
            #expect(write([ControlValue(Self.exposure, 9999)], to: camera) == 0)
            #expect(camera.read(Self.exposure) == .success(1542))
        }
    }

    @Test(arguments: [EIO, ENXIO, EREMOTEIO])
    func `a sensor that does not start is named, with what to look at`(errno: Int32) throws {
        device.failures[FakeVideoDevice.Request.streamOn] = errno
        try use { camera in
            _ = try camera.configure(try FakeCamera.configuration("SRGGB8"))
            let error = try cameraError { try camera.start() }
            #expect(
                error.message.hasSuffix(
                    "; the sensor `Sensor A` does not answer on its I²C bus, or refused to start: look at its ribbon"
                        + " cable and its power, and at what its driver reports in `dmesg`"))
        }
    }

    @Test("D2 ranges are those of the format that was set last") func rangesAfterFormat() throws {
        try use { camera in
            #expect(try camera.controls().first { $0.control == Self.exposure }?.maximum == 1542)
            // As the driver does in another mode: other limits, and a control more.
            graph.onFormat = {
                sensor.controls[0].range = 4...500
                sensor.controls.append(
                    .init(
                        id: 0x009f_0901, type: FakeControls.Control.wide, range: 0...1 << 40,
                        value: 450_000_000_000))
            }
            _ = try camera.configure(try FakeCamera.configuration("SRGGB8"))
            #expect(try camera.controls().first { $0.control == Self.exposure }?.maximum == 500)
            #expect(camera.read(CameraControl(rawValue: 0x009f_0901)) == .success(450_000_000_000))
        }
    }

    /// 840 MHz make 77,951 lines of 64 + 10,712 pixels in a second.
    @Test("D2 the rate of a raw sensor is its blanking, and what is promised is exact")
    func rate() throws {
        try use { camera in
            let accepted = try camera.configure(try FakeCamera.configuration("SRGGB8", rate: 30))
            // 2,598.4 lines a frame, less the 48 of the image.
            #expect(blankings == ["sensor: vertical_blanking=2550"])
            #expect(accepted.rate == FrameRate(frames: 840_000_000, seconds: 10_776 * 2_598))
        }
    }

    @Test("D2 without a rate the planned frame length is set; without that, it is what it was")
    func frameLength() throws {
        try use { camera in
            var configuration = try FakeCamera.configuration("SRGGB8")
            #expect(
                try camera.configure(configuration).rate
                    == FrameRate(frames: 840_000_000, seconds: 10_776 * 92))
            #expect(blankings.isEmpty)
            configuration.blanking = ControlValue(Self.verticalBlanking, 100)
            #expect(
                try camera.configure(configuration).rate
                    == FrameRate(frames: 840_000_000, seconds: 10_776 * 148))
            #expect(blankings == ["sensor: vertical_blanking=100"])
        }
    }

    @Test("D3 a rate that the driver can't have is refused with the range that it has")
    func rateOutOfRange() throws {
        let error = try cameraError {
            try use { _ = try $0.configure(try FakeCamera.configuration("SRGGB8", rate: 2_000)) }
        }
        #expect(error.kind == .unsupported)
        #expect(error.message.contains("can't have 2000 fps at 64x48"))
        #expect(error.message.contains("to 1590.837 fps (vertical_blanking 1 to 8384000)"))
        #expect(blankings.isEmpty)
    }

    @Test("E3 a frame length that the sensor makes another one of is refused")
    func otherFrameLength() throws {
        // Read-only where it is read, so that a write is lost.
        sensor.loses = [Self.verticalBlanking.rawValue]
        let error = try cameraError {
            try use { _ = try $0.configure(try FakeCamera.configuration("SRGGB8", rate: 30)) }
        }
        #expect(error.message.contains("made 44 of 2550 lines of vertical_blanking"))
    }

    @Test("blanking that can't be changed is refused by its part") func fixedBlanking() throws {
        let values = [
            ControlValue(Self.horizontalBlanking, 20000), ControlValue(Self.exposure, 100),
        ]
        #expect(try use { write(values, to: $0) } == -13)
        #expect(calls.isEmpty)
    }

    @Test("a flip moves the order of colours, and the message says which") func flipped() throws {
        // The flipped sensor answers SGRBG8 (0x3002) to SRGGB8.
        graph.sensorCode = 0x3002
        let error = try cameraError {
            try use { _ = try $0.configure(try FakeCamera.configuration("SRGGB8")) }
        }
        #expect(error.kind == .unsupported)
        #expect(error.message.contains("`Sensor A` (pad 0) of "))
        #expect(error.message.contains("can't deliver 64x48 in SRGGB8 (bus code 0x3014)"))
        #expect(error.message.contains("the nearest is 64x48 in SGRBG8 (bus code 0x3002)"))
        #expect(error.message.contains("ask for SGRBG8"))
    }

    @Test("the parts stay open as long as the camera, so that no lens parks") func keptOpen() throws
    {
        func isOpen(_ file: String) -> Bool { openFiles().contains(root.path + "/dev/\(file)") }
        try use { camera in
            _ = try camera.configure(try FakeCamera.configuration("SRGGB8"))
            #expect(isOpen("sensor"))
            #expect(isOpen("lens"))
            camera.stop()
            #expect(isOpen("lens"))
        }
        #expect(!isOpen("lens"))
    }

    @Test("D5 changes of a part's controls are noticed on that part") func watchedParts() throws {
        try use { camera in
            camera.watch([Self.focus, Self.exposure, CameraControl(rawValue: 0x0098_0999)])
            #expect(lens.subscriptions == [Self.focus.rawValue])
            #expect(sensor.subscriptions == [Self.exposure.rawValue])
            lens.events = [.init(id: Self.focus.rawValue, value: 17, seconds: 3)]
            let change = try #require(camera.readControlChange())
            #expect(change == ControlChange(Self.focus, 17, at: .init(nanoseconds: 3_000_000_005)))
            #expect(camera.readControlChange() == nil)
        }
    }
}
