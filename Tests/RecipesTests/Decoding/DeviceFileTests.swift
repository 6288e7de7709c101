import Devices
import Foundation
import Imaging
import Notation
import Recipes
import Testing
import Timebase

/// Rigs and camera profiles.
@Suite struct DeviceFileTests {
    private static let profile = """
        framelock_camera: 1
        name: bench-usb
        summary: a camera for this test
        driver: uvcvideo
        shutter: rolling
        timestamps: {point: start_of_readout, max_delay: 5 ms, readout: unknown}
        startup_frames: 2
        formats:
          - {pixels: YUYV, size: 640x480, rates: [15 fps, 30 fps]}
          - {pixels: MJPG, size: 1280x720}
          - {pixels: Y12, size: 320x240, rates: [30000/1001 fps]}
        exposure: {control: exposure_time_absolute, unit: 14.814 ns, offset: 14.26 us, codes: 1..5000, latency: 2}
        gain: {control: gain, law: reciprocal, base: 1024, codes: 0..960, iso_at_unity: 100, latency: 1}
        focus: {control: focus_absolute, near: 250, far: 0, latency: 1, settle: 40 ms}
        white_balance:
          components: {red: red_balance, blue: blue_balance, unity: 1024, codes: 256..4095}
          temperature: {control: white_balance_temperature, codes: 2800..6500 step 10}
          latency: 1
        automatics_off: {white_balance_automatic: 0, auto_exposure: 1}
        pinned: {brightness: -10, power_line_frequency: 0, 0x009a0910: 0}
        inputs:
          - {name: HDMI, pinned: {brightness: 512}}
        provenance: made up for this test

        """

    @Test func `a camera profile says what its file says`() throws {
        let source = SourceFile(name: "bench-usb.yaml", text: Self.profile)
        let profile = try CameraProfileDecoder.decode(source)
        #expect(profile.name == "bench-usb" && profile.driver == "uvcvideo")
        #expect(
            profile.timestamps
                == .init(point: .startOfReadout, delay: .milliseconds(5), readout: nil))
        #expect(profile.startupFrames == 2)
        #expect(profile.formats.map(\.fourCC) == ["YUYV", "MJPG", "Y12 "])
        #expect(profile.formats.map { $0.pixelFormat?.name } == ["YUYV", nil, "Y12"])
        // Fastest first, whatever the file's order.
        #expect(profile.formats[0].rates.map(\.description) == ["30 fps", "15 fps"])
        let exposure = try #require(profile.exposure)
        #expect(exposure.unitPicoseconds == 14_814)
        #expect(exposure.offset == .nanoseconds(14_260))
        #expect(exposure.codes == CodeRange(1, 5_000))
        #expect(profile.gain?.law == .reciprocal(base: 1_024))
        #expect(profile.focus?.settle == .milliseconds(40))
        #expect(profile.whiteBalance?.temperature?.codes == CodeRange(2_800, 6_500, step: 10))
        #expect(profile.whiteBalance?.components?.unity == 1_024)
        #expect(profile.inputs.map(\.name) == ["HDMI"])
        #expect(profile.inputs[0].pinned.map(\.code) == [512])
        // The order of the file is the order of writing.
        #expect(
            profile.automaticsOff.map(\.control.name) == [
                "white_balance_automatic", "auto_exposure",
            ])
        #expect(profile.pinned.map(\.code) == [-10, 0, 0])
        #expect(profile.pinned[2].control.name == "privacy")
    }

    @Test func `a rig says what its file says`() throws {
        let rig = try RigDecoder.decode(
            SourceFile(
                name: "rig.yaml",
                text: """
                    framelock_rig: 1
                    name: bench
                    description: for this test
                    cameras:
                      inspection: {id: "usb:0001", profile: bench-usb}
                      hdmi: {id: platform:vivid-000, input: HDMI 000-0}
                    lines:
                      part: {chip: gpio-sim, line: 17, direction: in, edge: both, bias: pull_up, active_low: true, debounce: 5 ms}
                      strobe: {chip: gpio-sim, line: GPIO27, direction: out}

                    """))
        #expect(rig.name == "bench")
        #expect(rig.cameras.map(\.name) == ["inspection", "hdmi"])
        #expect(rig.cameras.map(\.id) == ["usb:0001", "platform:vivid-000"])
        #expect(rig.cameras.map(\.profile?.value) == ["bench-usb", nil])
        #expect(rig.cameras.map(\.input) == [nil, "HDMI 000-0"])
        #expect(
            rig.lines == [
                LineRequest(
                    name: "part", chip: "gpio-sim", position: .offset(17), direction: .input,
                    edge: .both, bias: .pullUp, isActiveLow: true, debounce: .milliseconds(5)),
                LineRequest(
                    name: "strobe", chip: "gpio-sim", position: .name("GPIO27"), direction: .output),
            ])
    }

    @Test(arguments: try files("hardware/rigs"))
    func `every rig of the project can be read`(path: String) throws {
        let source = try ProjectFiles.source(path)
        do throws(DiagnosticList) {
            _ = try RigDecoder.decode(source)
        } catch {
            Issue.record("\(DiagnosticRenderer(sources: [source]).render(error))")
        }
    }

    @Test(arguments: try files("hardware/cameras"))
    func `every camera profile of the project can be read`(path: String) throws {
        let source = try ProjectFiles.source(path)
        do throws(DiagnosticList) {
            let profile = try CameraProfileDecoder.decode(source)
            #expect(path.hasSuffix("/\(profile.name).yaml"))
        } catch {
            Issue.record("\(DiagnosticRenderer(sources: [source]).render(error))")
        }
    }

    @Test(arguments: [
        ("", "SRGGB10P"), ("horizontal_flip: 1, ", "SGRBG10P"), ("vertical_flip: 1, ", "SGBRG10P"),
        ("horizontal_flip: 1, vertical_flip: 1, ", "SBGGR10P"),
        ("horizontal_flip: 0, ", "SRGGB10P"),
    ])
    func `flips that a profile pins move the order of colours of its formats`(
        flips: String, first: String
    ) throws {
        let source = try ProjectFiles.source("hardware/cameras/imx219.yaml")
        let text = String(decoding: source.bytes, as: UTF8.self)
            .replacing("pinned: {", with: "pinned: {\(flips)")
        let profile = try CameraProfileDecoder.decode(SourceFile(name: "imx219.yaml", text: text))
        #expect(profile.formats.first?.pixelFormat?.name == first)
    }

    @Test(arguments: try files("hardware/receivers"))
    func `every receiver of the project can be read`(path: String) throws {
        let source = try ProjectFiles.source(path)
        do throws(DiagnosticList) {
            let model = try ReceiverModelDecoder.decode(source)
            #expect(path.hasSuffix("/\(model.name).yaml"))
        } catch {
            Issue.record("\(DiagnosticRenderer(sources: [source]).render(error))")
        }
    }

    @Test func `a receiver says what its file says`() throws {
        let model = try ReceiverModelDecoder.decode(
            try ProjectFiles.source("hardware/receivers/rp1-cfe-downstream.yaml"))
        #expect(model.driver == "rp1-cfe")
        #expect(model.entities == ["csi2", "pisp-fe", "rp1-cfe-embedded"])
        #expect(model.image == .init(node: "rp1-cfe-csi2_ch0", entity: "csi2", sink: 0, source: 4))
        let way = ReceiverModel.Way(node: "rp1-cfe-embedded", entity: "csi2", sink: 1, source: 5)
        #expect(model.metadata == .init(way, carrier: .pad, sensorPad: 1, format: "SENS"))
        #expect(model.start == .enabled)
        #expect(model.packing == [.packed])
        #expect(model.rowAlignment == 16)
    }

    private static func files(_ folder: String) throws -> [String] {
        let url = ProjectFiles.root.appending(path: folder)
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        return try ProjectFiles.yamlFiles(in: url).map { "\(folder)/\($0)" }
    }
}
