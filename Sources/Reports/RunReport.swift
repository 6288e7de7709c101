public import Notation
public import Records

/// What a run was and what can be believed of it, as text, as a page and for programs.
///
/// Everything is computed from the record in one pass, in memory that the run's length does not change. Counts,
/// minima and maxima are exact; quantiles are the lower bounds of buckets that are at most a thousandth wide.
public struct RunReport {
    private let document: ReportDocument
    private let figures: RunFigures
    private let run: RecordedRun
    private let pictures: PictureChoice

    /// Reads a run; one that still goes on, or was cut, as far as it is there.
    ///
    /// - Parameter path: the run's folder.
    /// - Throws: ``UnreadableRun``.
    public init(_ path: String) throws(UnreadableRun) {
        let run = try RecordedRun(path: path)
        var figures = RunFigures(run)
        var pictures = PictureChoice()
        let result = try run.read(
            event: { figures.add($0, at: $1) },
            row: { entry in
                figures.add(entry)
                pictures.add(entry)
            })
        (self.run, self.pictures) = (run, pictures)
        figures.finish()
        self.figures = figures
        document = ReportDocument(run, figures, result)
    }

    /// The report as plain text, at most 100 columns wide, without a line end at its end.
    public var text: String { TextReport(document).text }

    /// What the text has, as an object for programs.
    public var json: JSONValue { JSONReport(document).json }

    /// The report as one HTML page that needs nothing but itself, with pictures of some frames, which are read then.
    public var page: String {
        ReportPage(document, figures, pictures: PictureGallery(run, pictures).markup).text
    }
}
