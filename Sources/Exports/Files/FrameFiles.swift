internal import Devices
internal import Imaging
internal import Records
internal import Stills
internal import Timebase

/// A file for each frame of an export.
struct FrameFiles {
    private enum Kind {
        case still(StillFormat)
        case fits(FITSFrame)
        case raw
    }

    private let kind: Kind
    private let folder: String
    private let frames: RecordedFrames
    private let names: FrameFileName
    private let renderer: StillRenderer

    /// Nil for a format that has not a file for each frame.
    init?(_ run: RecordedRun, _ options: RunExport.Options, _ frames: RecordedFrames) throws {
        switch (options.format, options.format.still) {
        case (_, let still?): kind = .still(still)
        case (.raw, nil): kind = .raw
        case (.fits, nil): kind = .fits(FITSFrame(run))
        default: return nil
        }
        let manifest = run.manifest
        (folder, self.frames) = (options.folder, frames)
        names = FrameFileName(run)
        renderer = StillRenderer(
            run.plan, layout: manifest.configuration.layout, camera: manifest.camera,
            version: manifest.version, started: manifest.started.instant,
            isDeflated: options.isCompressed)
    }

    /// Writes the file of a frame.
    ///
    /// - Returns: its name; nil where the frame can't be read, or is another one than its row has.
    /// - Throws: ``ExportError``, or `StorageError` where the file can't be written.
    func write(_ entry: LedgerEntry, _ texts: LedgerFields) throws -> String? {
        let made = frames.withFrame(of: entry) { frame in
            Result<[UInt8], any Error> {
                switch kind {
                case .raw: [UInt8](frame)
                case .fits(let file): try file.bytes(entry, texts, frame)
                case .still(let format): try renderer.render(entry.row, frame, as: format)
                }
            }
        }
        guard let made else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try made.get()
        } catch let error as StillError {
            throw ExportError.usage("slot \(entry.row.slot): \(error)")
        }
        let name = "\(names.stem(of: entry)).\(fileExtension)"
        try WholeFile.create("\(folder)/\(name)", bytes, isDurable: false)
        return name
    }

    private var fileExtension: String {
        switch kind {
        case .still(let format): format.fileExtension
        case .raw: "raw"
        case .fits: "fits"
        }
    }
}
