import Imaging
import Testing

struct FlipTests {
    @Test(
        arguments: [
            ("SRGGB10P", true, false, "SGRBG10P"), ("SRGGB10P", false, true, "SGBRG10P"),
            ("SRGGB10P", true, true, "SBGGR10P"), ("SBGGR12", true, false, "SGBRG12"),
            ("SBGGR12", false, true, "SGRBG12"), ("SGRBG8", true, true, "SGBRG8"),
            ("Y10P", true, true, "Y10P"), ("SRGGB16", false, false, "SRGGB16"),
        ])
    func `a flip begins with another column or row, and so with another colour`(
        native: String, horizontally: Bool, vertically: Bool, flipped: String
    ) throws {
        let pixels = try #require(PixelFormat.named(native))
        let turned = pixels.flipped(horizontally: horizontally, vertically: vertically)
        #expect(turned.name == flipped)
        // Twice is not at all.
        #expect(turned.flipped(horizontally: horizontally, vertically: vertically) == pixels)
    }
}
