import Devices
import Notation
import Recipes
import Testing
import Timebase

/// Registers that a sensor sends along with its frames, where they are not those of the standard.
struct SensorRegisterTests {
    /// An imx219 keeps its gain in one byte, and exposure and frame length elsewhere than SMIA.
    private static let imx219 = """
        embedded_data:
          exposure: 0x015a..0x015b
          gain: 0x0157
          frame_lines: 0x0160..0x0161
          line_pixels: 0x0162..0x0163
          frame_count: 0x0018
        """

    private static func profile(_ embedded: String) throws(DiagnosticList) -> CameraProfile {
        try CameraProfileDecoder.decode(
            SourceFile(
                name: "registers.yaml",
                text: """
                    framelock_camera: 1
                    name: registers
                    shutter: rolling
                    timestamps: {point: start_of_readout, max_delay: 0 us, readout: unknown}
                    exposure: {control: exposure, unit: 10 us, codes: 1..5000, latency: 2}

                    """ + embedded + "\n"))
    }

    @Test func `a profile names its sensor's own registers`() throws {
        let format = try #require(try Self.profile(Self.imx219).embeddedData)
        // Both maps' registers are in the line, and each reader takes its own.
        let line: [UInt8] = [
            0x0a, 0xaa, 0x00, 0xa5, 0x18, 0x5a, 7, 0xaa, 0x01, 0xa5, 0x57, 0x5a, 224,
            0xa5, 0x5a, 0x5a, 0x03, 0x5a, 0xe8, 0xa5, 0x60, 0x5a, 0x0a, 0x5a, 0x83,
            0x5a, 0x0d, 0x5a, 0x78, 0xaa, 0x02, 0xa5, 0x02, 0x5a, 0x11, 0x5a, 0x11,
            0x07, 0x07,
        ]
        func read(_ registers: EmbeddedDataFormat) throws -> EmbeddedData {
            try line.withUnsafeBytes { bytes in
                try EmbeddedData(
                    bytes, lineByteCount: bytes.count, packing: .bits8, registers: registers)
            }
        }
        let own = try read(format)
        #expect(own.exposureLines == 1_000)
        #expect(own.gainCode == 224)
        #expect(own.frameLines == 2_691)
        #expect(own.linePixels == 3_448)
        #expect(own.frameCount == 7)
        #expect(own.temperature == nil)
        let standard = try read(.smia)
        #expect(standard.exposureLines == 0x1111)
        #expect(standard.gainCode == nil && standard.frameCount == nil)
    }

    @Test func `the standard's registers have a name`() throws {
        #expect(try Self.profile("embedded_data: smia").embeddedData == .smia)
        let recipe = ProjectProfiles.recipe(
            format: "pixels: SRGGB12P, size: 2028x1520", lock: "exposure: {duration: 1 ms}")
        let profile = try ProjectProfiles.named("imx477")
        let plan = try ProjectProfiles.compile(recipe, for: profile).plan
        #expect(plan.json["camera"]?["profile"]?["embedded_data"]?.stringValue == "smia")
    }

    @Test(
        arguments: [
            "embedded_data: smya", "embedded_data: {gain: 157}", "embedded_data: {}",
            "embedded_data: {gain: 0x0157..0x0159}", "embedded_data: {frame_lines: 0x0160}",
            "embedded_data: {gain: 0x0157, frame_count: 0x0018..0x0019}",
        ])
    func `a map that can't be is refused`(text: String) {
        #expect(throws: DiagnosticList.self) { try Self.profile(text) }
    }
}
