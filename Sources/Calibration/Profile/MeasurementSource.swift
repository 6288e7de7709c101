public import Timebase

/// A figure with what is to be known of how it was found.
public struct MeasuredFigure: Hashable, Sendable {
    /// The figure.
    public var figure: ProfileFigure
    /// Uncertainty, conditions, histogram: a line of comment each; one with line ends becomes several.
    public var notes: [String]

    /// Creates a measured figure.
    public init(_ figure: ProfileFigure, notes: [String]) {
        self.figure = figure
        self.notes = notes
    }
}

/// What found figures, and when.
public struct MeasurementSource: Hashable, Sendable {
    /// The command, for example `framelock calibrate timing`.
    public var command: String
    /// When it was found; its day becomes the figure's origin (`measured: 2026-11-20`).
    public var time: UTCTime

    /// Creates a measurement.
    public init(by command: String, at time: UTCTime) {
        self.command = command
        self.time = time
    }

    /// The comments that belong to a figure; each names it, so that the next measurement replaces them all.
    func comments(for measured: MeasuredFigure) -> [String] {
        let notes = measured.notes.flatMap { $0.split(whereSeparator: \.isNewline) }
        let lines = ["\(time.date)T\(time.time)Z by \(command)"] + notes.map(String.init)
        return lines.map { Self.mark(measured.figure) + " " + $0 }
    }

    /// How such a comment begins: `# measured exposure.latency:`; no figure's mark is the beginning of another's.
    static func mark(_ figure: ProfileFigure) -> String { "# measured \(figure.name):" }
}
