internal import Devices
internal import Imaging
public import Notation
internal import Recipes
internal import Records
internal import Stills
internal import Timebase

/// Frames of a run, written as files that other programs open, with a table of what each of them is.
///
/// What an export is made of is the record: samples are read by slot and held against the row's CRC. A folder with
/// `export.json` is whole; without it the export was cut.
public struct RunExport {
    /// What a run is exported as, and where.
    public struct Options: Sendable {
        /// The kind of files.
        public var format: ExportFormat
        /// The folder that is made; nothing may be there.
        public var folder: String
        /// Which rows.
        public var selection = ExportSelection()
        /// Whether frames are compressed, without a loss.
        public var isCompressed = false
        /// Whether OME-Zarr gets smaller levels beside the whole one.
        public var hasPyramid = false
        /// Whether raw colour frames stay a mosaic where they would be four channels.
        public var isMosaic = false

        /// Creates options: all rows, not compressed.
        public init(_ format: ExportFormat, to folder: String) {
            (self.format, self.folder) = (format, folder)
        }
    }

    private let run: RecordedRun
    private let options: Options
    private let axes: FrameAxes
    /// Selected rows without a frame, and frames that were exported.
    private var holes: Int64 = 0
    private var exported: Int64 = 0
    /// Slots whose frame is not the one that the row has.
    private var damaged: [Int64] = []
    /// Lines of the ledger that are no rows.
    private var faults: Int64 = 0

    /// Exports a run; one that still goes on, or was cut, as far as it is there.
    ///
    /// - Parameter path: the run's folder.
    /// - Throws: ``ExportError``, `UnreadableRun` or `StorageError`.
    public init(_ path: String, _ options: Options) throws {
        run = try RecordedRun(path: path)
        var options = options
        options.folder = RunFolder(path: options.folder).path
        self.options = options
        let frames = RecordedFrames(run)
        try Self.check(options, run, hasPixels: frames != nil)
        if let file = try run.alteredFile() {
            throw ExportError(
                description:
                    "\(file) is not the one that the run wrote: `framelock verify` says what is wrong with it",
                exitCode: 65)
        }
        axes = try Self.survey(run, options.selection)
        guard axes.rowCount > 0 else {
            throw ExportError.usage("no row of the ledger is selected: \(options.selection.missed)")
        }
        try Folder.create(options.folder)
        do {
            try write(frames)
            try WholeFile.create(
                "\(options.folder)/export.json", json.utf8(.pretty) + [UInt8(ascii: "\n")],
                isDurable: false)
        } catch {
            // Half an export helps nobody, and is in the way of the next.
            Folder.remove(options.folder)
            throw error
        }
    }

    private static func check(
        _ options: Options, _ run: RecordedRun, hasPixels: Bool
    ) throws(ExportError) {
        let pixels = run.frames.pixelFormat
        if options.format != .csv, !hasPixels {
            throw .usage("the run was recorded without pixels: only csv can be exported")
        }
        if let still = options.format.still, !still.takes(pixels) {
            throw .usage(
                "a DNG holds raw samples, and \(pixels.name) is none: choose tiff, png, jpeg, ome_tiff or raw"
            )
        }
        if Folder.isInside(options.folder, run.folder.path) {
            throw .usage("\(options.folder) lies in the run's own folder, which stays as it is")
        }
        for (isAsked, holds, what) in [
            (options.isCompressed, \ExportFormat.canCompress, "are compressed on request"),
            (options.hasPyramid, \.hasLevels, "can have a pyramid"),
            (options.isMosaic, \.isOME, "would have channels instead of a mosaic"),
        ] where isAsked && !options.format[keyPath: holds] {
            throw .usage("only \(ExportFormat.words { $0[keyPath: holds] }) \(what)")
        }
    }

    private static func survey(
        _ run: RecordedRun, _ selection: ExportSelection
    ) throws -> FrameAxes {
        var axes = FrameAxes(run)
        let ledger = try RecordedLedger(run)
        while let entry = try ledger.next() {
            if selection.takes(entry, { ledger.texts(entry) }) { axes.add(entry) }
        }
        return axes
    }

    private mutating func write(_ recorded: RecordedFrames?) throws {
        let table = try ExportTable(in: options.folder)
        let files = try recorded.flatMap { try FrameFiles(run, options, $0) }
        var (frames, lists) = ([ExportedFrame](), LedgerLists())
        var placer = axes.placer()
        let ledger = try RecordedLedger(run)
        var row: Int64 = 0
        // A run that goes on may have more rows by now.
        while row < axes.rowCount, let entry = try ledger.next() {
            guard options.selection.takes(entry, { ledger.texts(entry) }) else { continue }
            let (place, texts) = (placer.place(of: entry), ledger.texts(entry))
            let name = try write(entry, texts, recorded, files)
            if name != nil, name == options.format.wholeName {
                frames.append(ExportedFrame(entry: entry, place: place, row: row))
            }
            if options.format == .nexus { lists.add(texts, place) }
            try table.add(name ?? "", place, texts)
            row += 1
        }
        try table.finish()
        faults = ledger.faults
        if let recorded, !frames.isEmpty { try writeWhole(frames, lists, recorded) }
    }

    /// Writes what a row has of its own, and counts it.
    ///
    /// - Returns: the file that has, or will have, the row's frame; nil for none.
    private mutating func write(
        _ entry: LedgerEntry, _ texts: LedgerFields, _ recorded: RecordedFrames?,
        _ files: FrameFiles?
    ) throws -> String? {
        guard entry.row.reason == nil else {
            holes += 1
            return nil
        }
        var name: String?
        if let files {
            name = try files.write(entry, texts)
        } else if options.format == .csv
            || recorded?.withFrame(of: entry, { _ in true }) == true
        {
            name = options.format.wholeName ?? ""
        }
        if name == nil { damaged.append(entry.row.slot) } else { exported += 1 }
        return name
    }

    /// Writes the one file or folder that has all frames.
    private func writeWhole(
        _ frames: [ExportedFrame], _ lists: LedgerLists, _ recorded: RecordedFrames
    ) throws {
        guard let name = options.format.wholeName else { return }
        let path = "\(options.folder)/\(name)"
        // A note of the recipe may have any name.
        let notes = (run.manifest.metadata?.entries ?? []).map { ("metadata.\($0.name)", $0.text) }
        let images = FrameImage.all(
            of: run.frames.pixelFormat, run.frames.size, isMosaic: options.isMosaic,
            isPlanar: options.format == .omeZarr)
        let ordered = frames.sorted {
            ($0.place.t, $0.place.z, $0.place.c) < ($1.place.t, $1.place.z, $1.place.c)
        }
        switch options.format {
        case .omeTIFF:
            let description = OMEDescription(
                run: run, axes: axes, planes: ordered, images: images, facts: facts + notes)
            try OMETIFF(description: description, isDeflated: options.isCompressed)
                .write(to: path, recorded)
        case .omeZarr:
            let zarr = OMEZarr(
                run: run, axes: axes, frames: ordered, facts: facts,
                isCompressed: options.isCompressed, hasPyramid: options.hasPyramid, images: images)
            try zarr.write(to: path, recorded)
        case .nexus:
            let file = NexusFile(
                run: run, frames: frames, rows: lists, facts: facts + notes,
                isDeflated: options.isCompressed)
            try file.write(to: path, recorded)
        case .fits, .tiff, .png, .jpeg, .dng, .raw, .csv: break
        }
    }
}

// What came of it.
extension RunExport {
    /// 65 where a frame is not the one that its row has, or a line of the ledger is no row, else 0.
    public var exitCode: Int32 { damaged.isEmpty && faults == 0 ? 0 : 65 }

    /// What was written, and what could not be.
    public var text: String {
        let frames = exported.of("frame")
        var text = "\(options.folder)  \(frames) as \(options.format.rawValue)"
        if holes > 0 { text += ", \(holes.of("hole"))" }
        if axes.isGrid, axes.shape.z * axes.shape.c > 1 {
            text += "; t \(axes.shape.t), z \(axes.shape.z), c \(axes.shape.c)"
        }
        if let why = axes.whyNoGrid, options.format.isOME {
            text +=
                "\nt counts slots, since this is no full grid: \(why); --slots and --where leave frames out"
        }
        if !run.isFinalised {
            text += "\nthe run still goes on, or was cut: this is what was there"
        }
        if faults > 0 {
            text +=
                "\n\(faults.of("line")) of the ledger can't be read: `framelock verify` says more"
        }
        guard !damaged.isEmpty else { return text }
        let slots = damaged.prefix(5).map(String.init).joined(separator: ", ")
        return text
            + "\n\(Int64(damaged.count).of("frame")) can't be read, or is another than was recorded (slot \(slots)"
            + (damaged.count > 5 ? ", …" : "") + "): `framelock verify` says more"
    }

    /// What `export.json` has.
    public var json: JSONValue {
        let (shape, frames) = (axes.shape, run.frames)
        let names = axes.channelNames
        return [
            "framelock_export": 1, "format": .string(options.format.rawValue),
            "source": .object(JSONObject(facts.map { ($0.name, JSONValue.string($0.text)) })),
            "metadata": run.manifest.metadata.map(JSONForm.metadata.write) ?? .null,
            "selection": options.selection.json,
            "options": [
                "compress": .bool(options.isCompressed), "pyramid": .bool(options.hasPyramid),
                "mosaic": .bool(options.isMosaic),
            ],
            "slots": .integer(axes.rowCount), "frames": .integer(exported),
            "holes": .integer(holes), "damaged_slots": .array(damaged.map { .integer($0) }),
            "unreadable_lines": .integer(faults),
            "pixels": .string(frames.pixelFormat.name), "width": .integer(Int64(frames.size.width)),
            "height": .integer(Int64(frames.size.height)),
            "bits_per_sample": .integer(Int64(frames.pixelFormat.bitsPerSample)),
            "sample_type": .string(frames.pixelFormat.bytesPerSample == 2 ? "uint16" : "uint8"),
            "byte_order": "little",
            "samples_per_pixel": .integer(Int64(frames.pixelFormat.channels)),
            "grid": [
                "t": .integer(shape.t), "z": .integer(Int64(shape.z)),
                "c": .integer(Int64(shape.c)),
                "why_not": axes.whyNoGrid.map { .string($0) } ?? .null,
                "lens_positions": .array(
                    axes.isGrid
                        ? axes.positions.compactMap { $0 }.map { position in
                            .string(FixedPoint.shortText(position, places: 6))
                        } : []),
                "channels": .array(names.filter { !$0.isEmpty }.map { .string($0) }),
            ],
        ]
    }

    /// Which run it is of, and what that was judged to be.
    private var facts: [(name: String, text: String)] {
        let manifest = run.manifest
        return [
            ("run", run.name), ("recipe", manifest.recipeName),
            ("recipe_sha256", manifest.recipeDigest.description),
            ("plan_sha256", manifest.planDigest.description),
            ("framelock_version", manifest.version), ("camera", manifest.camera.name),
            ("camera_id", manifest.camera.id), ("profile", manifest.profileName),
            ("verdict", run.verdictWord),
            ("started", UTCTime(manifest.started.instant).text),
        ]
    }
}
