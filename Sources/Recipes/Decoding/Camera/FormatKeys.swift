import Devices
import Imaging
import Notation
import Timebase

/// An entry of `formats`: what the camera offers, for plans without the device.
///
/// An attached camera's own list goes before these.
enum FormatKeys {
    private static let pixels = Key(
        "pixels", fourCC, required: true, "Pixel format by its V4L2 name or four-character code.")
    private static let size = Key("size", Form<FrameSize>.size, required: true, "Frame size.")
    /// Kept fastest first, whatever the order in the file; empty where the driver names none.
    private static let rates = Key(
        "rates", Form<FrameRate>.rate.list(count: 0...1_000),
        "Frame rates; left out if the driver names none.")

    /// A format; one that framelock does not record is kept by its code, so that messages can list it.
    static let form = Form<CameraFormat>.mapping(
        MappingShape(
            "a format", "Pixels, size and rates that go together.",
            keys: [pixels.shape, size.shape, rates.shape])
    ) { read in
        let (code, size, rates) = (read(pixels), read(Self.size), read(Self.rates))
        guard let code, let size else { return nil }
        let format = PixelFormat.named(code) ?? PixelFormat.known.first { $0.fourCCText == code }
        return CameraFormat(
            fourCC: format?.fourCCText ?? code, pixelFormat: format, size: size,
            rates: (rates ?? []).sorted(by: >))
    }

    /// A format that framelock records by name, any other by its code.
    private static let fourCC = Form<String>.scalar(
        ScalarShape(
            "fourcc", "a pixel format", .text(pattern: "^[ -~]{1,16}$"),
            "A pixel format by its V4L2 name, or any four-character code.")
    ) { text throws(QuantityProblem) in
        let isCode = text.utf8.count == 4 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if isCode || PixelFormat.named(text) != nil { return text }
        let near = nearestWord(to: text, in: PixelFormat.known.map(\.name))
        throw QuantityProblem(
            "unknown-pixel-format",
            "\(Diagnostic.quote(text)) is neither a known pixel format nor a four-character code",
            hint: near.map { "did you mean `\($0)`?" }, part: 0..<text.unicodeScalars.count)
    }
}
