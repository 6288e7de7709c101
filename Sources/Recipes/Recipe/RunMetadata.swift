public import Notation
internal import Timebase

/// What people want to find beside the pictures of a run: what was looked at, by whom, through what.
///
/// Nothing of it changes how a run goes; the pixel size alone is more than text, and is the scale of the pictures.
public struct RunMetadata: Hashable, Sendable {
    /// A note by a name that the recipe chose.
    public struct Note: Hashable, Sendable {
        /// A letter, then letters, digits, `_` and `-`; at most 64.
        public var name: String
        /// A text, a number as it was written, or true or false.
        public var value: JSONValue

        /// Creates a note.
        public init(name: String, value: JSONValue) {
            (self.name, self.value) = (name, value)
        }
    }

    /// What is in the picture.
    public var sample: String?
    /// Who is responsible for the run.
    public var `operator`: String?
    /// The lens or microscope objective.
    public var objective: String?
    /// How large a pixel is at the sample.
    public var pixelSize: PixelSize?
    /// Anything else, in the order of names.
    public var notes: [Note] = []

    /// Creates metadata of nothing.
    public init() {}
}

/// The length that a pixel stands for at the sample, the same across and down.
public struct PixelSize: Hashable, Sendable {
    /// 1000 is a nanometre; 1 nm to 1 m.
    public var picometres: Int64

    /// Creates a size.
    public init(picometres: Int64) { self.picometres = picometres }
}

extension JSONForm where Value == RunMetadata {
    /// What is not there is left out.
    package static let metadata = object(
        RunMetadata(),
        [
            .optional("sample", \.sample, .text), .optional("operator", \.operator, .text),
            .optional("objective", \.objective, .text),
            .optional("pixel_size_pm", \.pixelSize, .pixelSize),
            .member("notes", \.notes, .notes, usually: []),
        ])
}

extension JSONForm where Value == PixelSize {
    fileprivate static let pixelSize = JSONForm<Int64>.number(1...Int64.max).of(
        "a length", { PixelSize(picometres: $0) }, \.picometres)
}

extension JSONForm where Value == [RunMetadata.Note] {
    /// An object, in the order of its members.
    fileprivate static let notes = JSONForm(
        write: { notes in
            var object: JSONObject = [:]
            for note in notes { object[note.name] = note.value }
            return .object(object)
        },
        read: { json throws(JSONFault) in
            guard let object = json.objectValue else { throw JSONFault("is not an object") }
            return object.members.map { RunMetadata.Note(name: $0.name, value: $0.value) }
        })
}

extension RunMetadata {
    /// What there is, name and text, in the order of the recipe's reference; sizes in micrometres.
    ///
    /// Notes are called so: one by the name of `verdict` is not to be taken for the run's.
    package var entries: [(name: String, text: String)] {
        let known = [
            ("sample", sample), ("operator", self.operator), ("objective", objective),
            ("pixel size", pixelSize?.description),
        ]
        return known.compactMap { name, text in text.map { (name, $0) } }
            + notes.map { ("note \($0.name)", $0.value.stringValue ?? $0.value.text()) }
    }
}

extension PixelSize: CustomStringConvertible {
    /// In micrometres: `0.65 um`.
    public var description: String {
        decimalText(UInt64(max(0, picometres)), unit: 1_000_000) + " um"
    }
}
