import Imaging
import Notation

/// What a `capture` takes: a number of frames, or more about them.
///
/// Both are optional in a mapping, but one of them has to be there.
struct CaptureForm: Sendable {
    /// How many frames.
    let count: Located<Int64>
    /// The file that each becomes besides its place in the record; nil for none.
    let still: Located<StillFormat>?

    /// Up to 10^12 frames, as with every other count: a thousand years at 30 fps.
    private static let number = Form<Int64>.integer(1...1_000_000_000_000).located

    private static let countKey = Key(
        "count", number, "How many frames, one after the other; 1 if left out.")
    private static let stillKey = Key(
        "still", Form<StillFormat>.word.located,
        "Writes each frame as a picture file too: `jpeg`, `tiff` or `png` developed, `dng` raw.")

    private static let shape = MappingShape(
        "a capture", "Takes frames.", keys: [countKey.shape, stillKey.shape],
        rules: [.atLeastOne(["count", "still"])])

    /// The number of frames alone, or a mapping; a mapping without `count` takes one frame.
    static let form = Form<CaptureForm>(.either([number.shape, .mapping(shape)])) { node, context in
        guard node.entries != nil else {
            return number.read(node, context).map { CaptureForm(count: $0, still: nil) }
        }
        guard let read = MappingReader(node, as: shape, context: context) else { return nil }
        let (count, still) = (read(countKey), read(stillKey))
        // What is there and can't be read has been reported.
        if read.has(countKey), count == nil { return nil }
        if read.has(stillKey), still == nil { return nil }
        return CaptureForm(count: count ?? Located(1, at: node.range), still: still)
    }
}
