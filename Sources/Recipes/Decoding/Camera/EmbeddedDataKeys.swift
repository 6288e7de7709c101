import Devices
import Notation

extension ScalarShape {
    static let register = ScalarShape(
        "register", "a register",
        .text(pattern: "^0x[0-9a-fA-F]{1,4}(\\.\\.0x[0-9a-fA-F]{1,4})?$"),
        "A register, or two of which the first has the high byte: `0x0157`, `0x015a..0x015b`.")
}

/// `embedded_data` of a camera profile: the standard registers, or the sensor's own.
///
/// Frames of such a camera themselves report what they were exposed with, which is the best evidence that a ledger can
/// have.
enum EmbeddedDataKeys {
    /// Register maps that need no list: SMIA's, which imx477 and imx708 have.
    private enum Standard: String, CaseIterable, Sendable {
        case smia
    }

    private typealias Register = EmbeddedDataFormat.Register

    private static let exposure = Key("exposure", register, "Lines of exposure.")
    private static let gain = Key("gain", register, "The code of the analogue gain.")
    private static let frameLines = Key("frame_lines", register, "Lines of the frame.")
    private static let linePixels = Key("line_pixels", register, "Pixels of a line.")
    private static let temperature = Key(
        "temperature", register, "The sensor's temperature in degrees Celsius, one byte.")
    private static let frameCount = Key(
        "frame_count", register, "The number of the frame, one byte that goes round.")

    /// All registers may be left out but one of exposure and gain: without both there is nothing to compare.
    private static let shape = MappingShape(
        "a register map", "Which registers of a sensor hold what its frames were exposed with.",
        keys: [
            exposure.shape, gain.shape, frameLines.shape, linePixels.shape, temperature.shape,
            frameCount.shape,
        ],
        rules: [.atLeastOne(["exposure", "gain"])])

    static let form = Form<EmbeddedDataFormat>(
        .either([Form<Standard>.word.shape, .mapping(shape)])
    ) { node, context in
        guard node.entries != nil else {
            return Form<Standard>.word.read(node, context).map { _ in .smia }
        }
        guard let read = MappingReader(node, as: shape, context: context) else { return nil }
        var format = EmbeddedDataFormat()
        (format.exposure, format.gain) = (read(Self.exposure), read(Self.gain))
        (format.frameLines, format.linePixels) = (read(Self.frameLines), read(Self.linePixels))
        (format.temperature, format.frameCount) = (read(Self.temperature), read(Self.frameCount))
        for key in [Self.temperature, Self.frameCount] where read(key)?.byteCount == 2 {
            read.context.report(
                "out-of-range", at: read.valueRange(key), "this figure has one register")
            return nil
        }
        return format
    }

    /// One address for a byte, two that follow each other for two bytes, high byte first.
    private static let register = Form<Register>.scalar(.register, parse: parse)

    /// Reads `0x0157` or `0x015a..0x015b`.
    ///
    /// - Throws: `malformed-register`, also for two registers that do not follow each other.
    @Sendable private static func parse(_ text: String) throws(QuantityProblem) -> Register {
        let parts = text.split(separator: ".", omittingEmptySubsequences: true)
        let addresses = parts.compactMap { part in
            part.hasPrefix("0x") ? UInt16(part.dropFirst(2), radix: 16) : nil
        }
        if addresses.count == parts.count, text == parts.joined(separator: "..") {
            if addresses.count == 1 { return Register(addresses[0], byteCount: 1) }
            if addresses.count == 2, addresses[0] < .max, addresses[1] == addresses[0] + 1 {
                return Register(addresses[0])
            }
        }
        throw QuantityProblem(
            "malformed-register",
            "\(Diagnostic.quote(text)) is not a register, nor two that follow each other",
            hint: "for example `0x0157` or `0x015a..0x015b`", part: 0..<text.unicodeScalars.count)
    }
}
