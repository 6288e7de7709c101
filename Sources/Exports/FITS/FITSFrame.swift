internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

/// A frame as a FITS file: its samples as recorded, and keys that astronomy's programs know.
///
/// By the FITS standard 4.0. Red, green and blue are planes of one image; luma and chroma of 4:2:2 are images of their
/// own. Rows come from the top on, as `ROWORDER` says.
struct FITSFrame {
    private let run: RecordedRun
    private let images: [FrameImage]

    init(_ run: RecordedRun) {
        self.run = run
        images = FrameImage.all(
            of: run.frames.pixelFormat, run.frames.size, isMosaic: true, isPlanar: true)
    }

    /// The file of a frame.
    func bytes(
        _ entry: LedgerEntry, _ texts: LedgerFields, _ frame: UnsafeRawBufferPointer
    ) throws(ExportError) -> [UInt8] {
        let (format, whole) = (run.frames.pixelFormat, run.frames.size)
        let file = try FITSFile()
        for image in images {
            let size = image.size(of: whole)
            let samples = image.planes.flatMap { image.samples($0, of: frame, format, whole) }
            try file.addImage(
                bytesPerSample: format.bytesPerSample, width: size.width, height: size.height,
                planes: image.planes.count, samples)
            if !image.name.isEmpty { try file.set("EXTNAME", image.name, "what the image has") }
            let planes = image.planes.map(\.name).filter { !$0.isEmpty }
            if !planes.isEmpty { try file.set("PLANES", planes.joined(separator: " "), "in order") }
            try file.set("ROWORDER", "TOP-DOWN", "the first row is the top one")
            guard image == images[0] else { continue }
            try describe(entry, texts, file)
        }
        return try file.finish()
    }

    private func describe(
        _ entry: LedgerEntry, _ texts: LedgerFields, _ file: borrowing FITSFile
    ) throws(ExportError) {
        try describeTimes(entry.row, file)
        try describeSettings(entry.row.applied, file)
        if case .bayer(let pattern) = run.frames.pixelFormat.samples {
            try file.set("BAYERPAT", pattern.rawValue, "colours of the first two rows")
            try file.set("XBAYROFF", 0, "where the pattern begins")
            try file.set("YBAYROFF", 0, "where the pattern begins")
        }
        let (manifest, format) = (run.manifest, run.frames.pixelFormat)
        try file.set("SIGBITS", Int64(format.bitsPerSample), "bits of a sample")
        if let levels = run.frames.levels {
            try file.set("BLACKLEV", levels.black, "sample of no light")
            try file.set("WHITELEV", levels.white, "sample of full light")
        }
        try file.set("INSTRUME", manifest.camera.name, "camera")
        let metadata = manifest.metadata
        for (key, text, comment) in [
            ("OBJECT", metadata?.sample, "sample"), ("OBSERVER", metadata?.operator, "operator"),
            ("OBJECTIV", metadata?.objective, "objective"),
        ] {
            if let text { try file.set(key, text, comment) }
        }
        if let size = metadata?.pixelSize {
            try file.set(
                "PIXSIZE", Double(size.picometres) / 1e6, decimals: 6,
                "[um] a pixel at the sample")
        }
        try file.set("SLOT", entry.row.slot, "place in the run")
        for (key, column) in [
            ("STEP", LedgerColumn.step), ("LABEL", .label), ("LIGHTS", .lights),
            ("ROUNDS", .rounds),
            ("TRIGGER", .triggerID), ("EXPKNOWN", .exposureKnownBy), ("GAINKNWN", .gainKnownBy),
        ] where !texts[column].isEmpty {
            try file.set(key, texts[column], "ledger.csv: \(column.name)")
        }
        try file.set("RECIPE", manifest.recipeName, "")
        try file.set("VERDICT", run.verdictWord, "of the run")
        try file.set("CREATOR", "framelock \(manifest.version)", "")
    }

    /// As UTC was known when the run began.
    private func describeTimes(
        _ row: LedgerRow, _ file: borrowing FITSFile
    ) throws(ExportError) {
        try file.set("TIMESYS", "UTC", "")
        if let time = row.exposureTime {
            for (key, instant, comment) in [
                ("DATE-OBS", time.start, "start of the exposure"),
                ("DATE-AVG", time.mid, "middle of the exposure"),
                ("DATE-END", time.end, "end of the exposure"),
            ] {
                let utc = Instant<Realtime>(
                    nanoseconds: run.manifest.started.instant.nanoseconds + instant.nanoseconds)
                try file.set(key, String(UTCTime(utc).text.dropLast()), comment)
            }
            try file.set(
                "TIMERDER", Double(time.halfWidth.nanoseconds) / 1e9, decimals: 9,
                "[s] half-width in session time")
            try file.set("SESSMID", time.mid.nanoseconds, "[ns] session time of the middle")
        }
        if let exposure = row.applied.exposure {
            try file.set(
                "EXPTIME", Double(exposure.nanoseconds) / 1e9, decimals: 9, "[s] as it was")
        }
    }

    private func describeSettings(
        _ applied: AppliedSettings, _ file: borrowing FITSFile
    ) throws(ExportError) {
        for (key, component, comment) in [
            ("GAIN", SettingComponent.gain, "linear gain"),
            ("LENSPOS", .lens, "lens position, 0 nearest, 1 farthest"),
            ("WBRED", .redGain, "gain of red"), ("WBBLUE", .blueGain, "gain of blue"),
        ] {
            if let value = applied[component] {
                try file.set(key, Double(value) / 1e6, decimals: 6, comment)
            }
        }
        if let kelvin = applied[.temperature] {
            try file.set("WBTEMP", kelvin, "[K] white balance")
        }
    }
}
