public import Devices
public import Notation
internal import Recipes
internal import Timebase

/// The text of a camera profile, in which measured figures can be set.
///
/// Comments, order and everything else stay byte for byte. A figure's comments stand above its line and name it, so
/// that a later measurement replaces them. Nothing is written to disk: the caller takes ``source`` and replaces the
/// file.
///
/// Editing text is checked by meaning: the new text is read again and has to mean exactly what the profile in memory
/// means with the same figures set.
public struct ProfileEdit: Sendable {
    /// The text as it stands: the one that was read, or the one after the last ``set(_:by:)`` that succeeded.
    public private(set) var source: SourceFile
    /// The profile that the text means.
    public private(set) var profile: CameraProfile

    /// Reads a profile that is to be edited.
    ///
    /// A file that could not be read as a profile is not edited at all.
    ///
    /// - Throws: all independent errors of the file, sorted by position.
    public init(_ source: SourceFile) throws(DiagnosticList) {
        profile = try CameraProfileDecoder.decode(source)
        self.source = source
    }

    /// Sets figures, all or none.
    ///
    /// - Throws: ``CalibrationError`` where the profile has no place for a figure, or would then mean anything else
    ///   than what was meant.
    public mutating func set(
        _ figures: [MeasuredFigure], by measurement: MeasurementSource
    ) throws(CalibrationError) {
        let day = measurement.time.date
        var (meant, text) = (profile, source)
        for measured in figures {
            guard measured.figure.set(in: &meant, on: day) else {
                throw CalibrationError(
                    "\(source.name) has no place for \(measured.figure.name): describe that control"
                        + " in the profile first", .profile)
            }
            for (path, value) in measured.figure.values(on: day) {
                text = try ProfileText(text).setting(path, to: value)
            }
            text = try ProfileText(text).noting(
                measured.figure.path, measurement.comments(for: measured),
                mark: MeasurementSource.mark(measured.figure))
        }
        try accept(text, meant: meant)
    }

    /// Takes the new text if it means what is wanted.
    private mutating func accept(
        _ text: SourceFile, meant: CameraProfile
    ) throws(CalibrationError) {
        let edited: CameraProfile
        do throws(DiagnosticList) {
            edited = try CameraProfileDecoder.decode(text)
        } catch {
            throw CalibrationError(
                "\(source.name) was left as it is: with the measured figures it could not be read"
                    + " (\(error.diagnostics.first.map { $0.message } ?? "no reason"))", .profile)
        }
        var meant = meant
        // `startup` is never shorter than the slowest control, so it follows the latencies.
        meant.startupFrames = edited.startupFrames
        guard edited == meant else {
            throw CalibrationError(
                "\(source.name) was left as it is: its layout does not let the figures be set"
                    + " without a change to others; write the keys on lines of their own", .profile)
        }
        (source, profile) = (text, edited)
    }
}
