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
        /// Whether TIFFs are compressed, without a loss.
        public var isDeflated = false

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
            Folder.removeFiles(options.folder)
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
        if options.isDeflated, options.format != .tiff, options.format != .omeTIFF {
            throw .usage("only tiff and ome_tiff are compressed on request")
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

    private mutating func write(_ frames: RecordedFrames?) throws {
        let table = try ExportTable(in: options.folder)
        let files = try frames.flatMap { try FrameFiles(run, options, $0) }
        var planes: [OMEDescription.Plane] = []
        var placer = axes.placer()
        let ledger = try RecordedLedger(run)
        var left = axes.rowCount
        // A run that goes on may have more rows by now.
        while left > 0, let entry = try ledger.next() {
            guard options.selection.takes(entry, { ledger.texts(entry) }) else { continue }
            left -= 1
            let place = placer.place(of: entry)
            var name = ""
            if entry.row.reason != nil {
                holes += 1
            } else if options.format == .csv {
                exported += 1
            } else if let written = try files?.write(entry) {
                name = written
                exported += 1
            } else if options.format == .omeTIFF,
                frames?.withFrame(of: entry, { _ in true }) == true
            {
                name = OMETIFF.name
                planes.append(OMEDescription.Plane(entry: entry, place: place))
                exported += 1
            } else {
                damaged.append(entry.row.slot)
            }
            try table.add(name, place, ledger.texts(entry))
        }
        try table.finish()
        faults = ledger.faults
        if options.format == .omeTIFF, let frames, !planes.isEmpty { try write(planes, frames) }
    }

    private func write(_ planes: [OMEDescription.Plane], _ frames: RecordedFrames) throws {
        let each = FrameImage.all(of: run.frames.pixelFormat).reduce(0) { $0 + $1.planesPerFrame }
        guard planes.count <= TIFFSeries.most / each else {
            throw ExportError.usage(
                "an ome_tiff holds \(TIFFSeries.most / each) such frames at most, and \(planes.count) are selected:"
                    + " export them in parts, by --slots")
        }
        let ordered = planes.sorted {
            ($0.place.t, $0.place.z, $0.place.c) < ($1.place.t, $1.place.z, $1.place.c)
        }
        // A note of the recipe may have any name.
        let notes = (run.manifest.metadata?.entries ?? []).map { ("metadata.\($0.name)", $0.text) }
        let description = OMEDescription(
            run: run, axes: axes, planes: ordered, facts: facts + notes)
        try OMETIFF(description: description, isDeflated: options.isDeflated)
            .write(to: options.folder, frames)
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
        if let why = axes.whyNoGrid, options.format == .omeTIFF {
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
