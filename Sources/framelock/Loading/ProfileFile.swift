internal import Calibration
internal import Instrument
internal import Notation
internal import Records

/// A profile's file that takes measured figures, for `calibrate … --write`.
///
/// Calibrations make it before they touch the camera: a file that can't be read or edited must not cost a measurement
/// of minutes.
struct ProfileFile {
    /// Where the library found it; the file that ``set(_:by:)`` replaces.
    let path: String
    /// The text as it was read; what others write to the file meanwhile is overwritten.
    private let edit: ProfileEdit

    /// Reads the profile that is to be edited, before anything is measured for it.
    ///
    /// - Parameters:
    ///   - name: a name that the library knows, or a path.
    ///   - folder: is searched first.
    /// - Throws: ``Failure`` with exit code 64 where no file has it (built-in profiles have none), 65 with the
    ///   diagnostics of a file that is no profile.
    init(named name: String?, folder: String?) throws {
        let library = try ProfileLibrary(folder: folder)
        guard let name, let path = library.path(ofProfile: name) else {
            throw Failure.usage(
                "there is no file of camera profile `\(name ?? "")` to write to: copy one of hardware/cameras, and name"
                    + " it with --profile")
        }
        let source = try TextFile.read(path)
        do {
            edit = try ProfileEdit(source)
        } catch {
            throw Failure.recipe(DiagnosticRenderer(sources: [source]).render(error))
        }
        self.path = path
    }

    /// Sets figures and replaces the file as a whole; comments, order and all else of it stay byte for byte.
    ///
    /// - Parameters:
    ///   - figures: what was measured, all of it or nothing.
    ///   - measurement: which command found them and when, for the comment above each.
    /// - Throws: `CalibrationError` where the profile has no place for a figure, `StorageError` where the file can't be
    ///   written.
    func set(_ figures: [MeasuredFigure], by measurement: MeasurementSource) throws {
        var edit = edit
        try edit.set(figures, by: measurement)
        try WholeFile.replace(path, edit.source.bytes)
    }
}
