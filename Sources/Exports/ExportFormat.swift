internal import Imaging

/// What the frames of a run can be exported as.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// One BigTIFF with all frames, their samples as recorded, and what OME's readers need to know.
    case omeTIFF = "ome_tiff"
    /// One OME-Zarr with all frames.
    case omeZarr = "ome_zarr"
    /// One HDF5 file with all frames and the ledger, as NeXus has them.
    case nexus
    /// A FITS file for each frame, its samples as recorded.
    case fits
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
        case .omeTIFF, .omeZarr, .nexus, .fits, .raw, .csv: nil
        }
    }

    /// What the one file or folder with all frames is called; nil for the others.
    var wholeName: String? {
        switch self {
        case .omeTIFF: "frames.ome.tif"
        case .omeZarr: "frames.ome.zarr"
        case .nexus: "frames.nxs"
        case .fits, .tiff, .png, .jpeg, .dng, .raw, .csv: nil
        }
    }

    /// Whether it is compressed on request.
    var canCompress: Bool { [.omeTIFF, .omeZarr, .nexus, .tiff].contains(self) }

    /// Whether it can have smaller levels beside the whole one.
    var hasLevels: Bool { self == .omeZarr }

    /// Whether it is one of OME's: frames have axes in it, and raw colour frames are four channels unless a mosaic is
    /// asked for.
    var isOME: Bool { self == .omeTIFF || self == .omeZarr }

    /// Those that are compressed on request, in words.
    public static var compressed: String { words(\.canCompress) }

    /// All that hold for a condition, in words.
    static func words(_ holds: (ExportFormat) -> Bool) -> String {
        let words = allCases.filter(holds).map(\.rawValue)
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}
