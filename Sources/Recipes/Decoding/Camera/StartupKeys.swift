import Devices
import Notation

/// `startup` and `levels` of a camera profile: what of a stream and of its codes is to be believed.
enum StartupKeys {
    private static let hide = Key(
        "hide", Form<Int>.count(0...1_000), "Frames without a proper image; 0 if left out.")
    /// Frames that are proper pictures, but perhaps not of the settings that were written.
    private static let mistrust = Key(
        "mistrust", Form<Int>.count(0...1_000),
        "Frames whose settings are not sure; 0 if left out.")

    /// Frames that are not used: the larger of both, and never fewer than the slowest control takes.
    static let form = Form<Int>.mapping(
        MappingShape(
            "the start of a stream",
            "Frames that are not used: the most of both, and of what the slowest control takes.",
            keys: [hide.shape, mistrust.shape], rules: [.atLeastOne(["hide", "mistrust"])])
    ) { read in
        max(read(hide) ?? 0, read(mistrust) ?? 0)
    }

    // MARK: Levels

    private static let bits = Key(
        "bits", Form<Int>.count(1...16), required: true, "Bits of a sample.")
    /// In codes of so many bits, before anything is subtracted.
    private static let black = Key(
        "black", Form<Int64>.integer(0...65_535), required: true, "The value without light.")
    private static let white = Key(
        "white", Form<Int64>.integer(1...65_535),
        "The value at saturation; all bits set if left out.")

    /// Black and white; refused where they are not two levels of so many bits, in this order.
    static let levels = Form<PixelLevels>.mapping(
        MappingShape(
            "levels", "Black and white of samples of so many bits.",
            keys: [bits.shape, black.shape, white.shape])
    ) { read in
        let (bits, black, white) = (read(Self.bits), read(Self.black), read(Self.white))
        guard let bits, let black else { return nil }
        let levels = PixelLevels(bits: bits, black: black, white: white)
        guard levels.black < levels.white, levels.white < 1 << Int64(bits) else {
            read.context.report(
                "out-of-range", at: read.keyRange(Self.black),
                "black \(levels.black) and white \(levels.white) are not levels of \(bits) bits")
            return nil
        }
        return levels
    }
}
