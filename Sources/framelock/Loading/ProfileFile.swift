internal import Calibration
internal import Instrument
internal import Notation
internal import Records

/// A profile's file that takes measured figures.
struct ProfileFile {
    let path: String
    private let edit: ProfileEdit

    /// Reads the profile that is to be edited, before anything is measured for it.
    ///
    /// - Parameters:
    ///   - name: a name that the library knows, or a path.
    ///   - folder: is searched first.
    init(named name: String?, folder: String?) throws {
        let library = ProfileLibrary(folder: folder)
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

    /// Sets figures and writes the file.
    func set(_ figures: [MeasuredFigure], by measurement: MeasurementSource) throws {
        var edit = edit
        try edit.set(figures, by: measurement)
        try WholeFile.replace(path, edit.source.bytes)
    }
}
