internal import ArgumentParser
internal import Exports
internal import Instrument
internal import Notation

/// `framelock export`: frames of a run as files that other programs open.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes frames of a run as files for other programs.",
        discussion: """
            ome_tiff is one BigTIFF with OME-XML, ome_zarr one OME-Zarr 0.5: t, z and c where the frames are a full \
            grid of rounds, lens positions and channels (lights, labels, settings). nexus is one HDF5 file with the \
            ledger in it, fits a file a frame, dng raw samples for raw converters, raw the bytes: all with the \
            samples as recorded. tiff, png and jpeg are developed pictures with EXIF, one a frame, csv the table \
            alone. Each export has frames.csv: the file of each slot, and its row of the ledger; holes are rows \
            without a file. export.json comes last, and says which run it is of. Frames are held against the CRC of \
            their rows: the exit code is 65 where one is damaged.
            """)

    @Argument(help: "The run folder.", completion: .directory)
    var folder: String
    @Option(
        help: ArgumentHelp(
            "One of \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "word"))
    var format: String
    @Option(
        help: ArgumentHelp("The folder that is made; nothing may be there.", valueName: "folder"),
        completion: .directory)
    var output: String
    @Option(
        help: ArgumentHelp(
            "Only these slots, for example 0-99,120,200-.", valueName: "numbers"))
    var slots: String?
    @Option(
        help: ArgumentHelp(
            "Only rows with this text in this column of ledger.csv, for example lights=red; may be repeated.",
            valueName: "column=text"))
    var `where`: [String] = []
    @Flag(help: "Compress \(ExportFormat.compressed), without a loss.")
    var compress = false
    @Flag(help: "ome_zarr: smaller levels too, each half as large as the one before.")
    var pyramid = false
    @Flag(help: "ome_tiff and ome_zarr: raw colour frames as a mosaic, and not as four channels.")
    var mosaic = false
    @Flag(help: "Print as JSON.")
    var json = false

    func validate() throws {
        guard ExportFormat(rawValue: format) != nil else {
            let words = ExportFormat.allCases.map(\.rawValue)
            let near = nearestWord(to: format, in: words).map { "did you mean `\($0)`?" }
            throw ValidationError(
                "--format can't be \(Diagnostic.quote(format)): "
                    + (near ?? "choose from \(words.joined(separator: ", "))"))
        }
    }

    func run() throws {
        try Console.run(asJSON: json) {
            do {
                var options = RunExport.Options(
                    ExportFormat(rawValue: format) ?? .csv, to: output)
                options.selection = try ExportSelection(slots: slots, conditions: `where`)
                options.isCompressed = compress
                options.hasPyramid = pyramid
                options.isMosaic = mosaic
                let export = try RunExport(folder, options)
                try Console.output(json ? export.json.text(.pretty) : export.text)
                throw ExitCode(export.exitCode)
            } catch let error as ExportError {
                throw Failure(exitCode: error.exitCode, message: error.description)
            }
        }
    }
}
