internal import Imaging

/// What the frames of a run can be exported as.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// One BigTIFF with all frames, their samples as recorded, and what OME's readers need to know.
    case omeTIFF = "ome_tiff"
    /// A picture file for each frame, as stills of a run: developed.
    case tiff, png, jpeg
    /// The raw samples of each frame, for raw converters.
    case dng
    /// The bytes of each frame as recorded.
    case raw
    /// The table alone.
    case csv

    /// The kind of still that each frame becomes; nil for the others.
    var still: StillFormat? {
        switch self {
        case .tiff: .tiff
        case .png: .png
        case .jpeg: .jpeg
        case .dng: .dng
        case .omeTIFF, .raw, .csv: nil
        }
    }
}
