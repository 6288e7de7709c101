internal import Devices
internal import Imaging
internal import Notation
internal import Recipes
internal import Records
internal import Timebase

/// The frames of an export as one NeXus file: HDF5 with an NXentry, whose NXdetector has the frames as recorded.
///
/// By the classes of https://manual.nexusformat.org (NXentry, NXinstrument, NXdetector, NXdata, NXsample, NXuser,
/// NXcollection). The first dimension counts selected rows, holes included.
struct NexusFile {
    private static let detector = "/entry/instrument/detector"
    private static let ledger = "/entry/ledger"

    let run: RecordedRun
    let frames: [ExportedFrame]
    let rows: LedgerLists
    let facts: [(name: String, text: String)]
    let isDeflated: Bool

    /// Writes the file.
    ///
    /// - Throws: ``ExportError`` where it can't be written.
    func write(to path: String, _ recorded: RecordedFrames) throws(ExportError) {
        let file = try HDF5File(path)
        try file.set("default", "entry", of: "/")
        try file.set("creator", "framelock \(run.manifest.version)", of: "/")
        try file.addGroup("/entry", "NXentry")
        try file.set("default", "data", of: "/entry")
        try describeEntry(file)
        try describeDetector(file)
        try write(recorded, file)
        try file.addGroup(Self.ledger, "NXcollection")
        try rows.write(
            to: file, Self.ledger, started: UTCTime(run.manifest.started.instant).text)
        try addData(file)
        try file.finish()
    }

    private func describeEntry(_ file: HDF5File) throws(ExportError) {
        let manifest = run.manifest
        try file.add("/entry/title", manifest.recipeName)
        try file.add("/entry/start_time", UTCTime(manifest.started.instant).text)
        if let ended = manifest.ended {
            try file.add("/entry/end_time", UTCTime(ended.instant).text)
        }
        try file.add("/entry/program_name", "framelock")
        try file.set("version", manifest.version, of: "/entry/program_name")
        if let name = manifest.metadata?.sample {
            try file.addGroup("/entry/sample", "NXsample")
            try file.add("/entry/sample/name", name)
        }
        if let name = manifest.metadata?.operator {
            try file.addGroup("/entry/user", "NXuser")
            try file.add("/entry/user/name", name)
        }
        try file.addGroup("/entry/framelock", "NXcollection")
        for fact in facts { try file.add("/entry/framelock/\(fact.name)", fact.text) }
    }

    private func describeDetector(_ file: HDF5File) throws(ExportError) {
        let (manifest, series) = (run.manifest, run.frames)
        try file.addGroup("/entry/instrument", "NXinstrument")
        try file.add("/entry/instrument/name", manifest.camera.name)
        if let objective = manifest.metadata?.objective {
            try file.addGroup("/entry/instrument/objective", "NXcollection")
            try file.add("/entry/instrument/objective/description", objective)
        }
        try file.addGroup(Self.detector, "NXdetector")
        try file.add("\(Self.detector)/description", manifest.camera.name)
        try file.add("\(Self.detector)/serial_number", manifest.camera.id)
        try file.add(
            "\(Self.detector)/bit_depth_readout", Int64(series.pixelFormat.bitsPerSample))
        if let levels = series.levels {
            try file.add("\(Self.detector)/saturation_value", levels.white)
            try file.add("\(Self.detector)/underload_value", levels.black)
        }
    }

    private func write(
        _ recorded: RecordedFrames, _ file: HDF5File
    ) throws(ExportError) {
        let (format, size) = (run.frames.pixelFormat, run.frames.size)
        let path = "\(Self.detector)/data"
        let samples = format.channels > 1 ? [Int64(format.channels)] : []
        try file.beginFrames(
            path, bytesPerSample: format.bytesPerSample,
            [rows.count, Int64(size.height), Int64(size.width)] + samples, isDeflated: isDeflated)
        try file.set("long_name", "samples as recorded (\(format.name))", of: path)
        switch format.samples {
        case .mono: try file.set("interpretation", "image", of: path)
        case .bayer(let pattern):
            try file.set("interpretation", "image", of: path)
            try file.set("bayer_pattern", pattern.rawValue, of: path)
        case .rgb: try file.set("interpretation", "rgb-image", of: path)
        case .yuv422(let lumaFirst):
            try file.set("sample_order", lumaFirst ? "luma, chroma" : "chroma, luma", of: path)
        }
        for frame in frames {
            let written = recorded.withFrame(of: frame.entry) { bytes in
                Result { () throws(ExportError) in try file.write(frame: frame.row, bytes) }
            }
            guard let written else { throw .changed(frame.entry.row.slot) }
            try written.get()
        }
    }

    /// What a viewer shows first: frames by slot.
    private func addData(_ file: HDF5File) throws(ExportError) {
        try file.link(
            "\(Self.ledger)/\(LedgerColumn.appliedExposure.name)", as: "\(Self.detector)/count_time"
        )
        try file.addGroup("/entry/data", "NXdata")
        try file.link("\(Self.detector)/data", as: "/entry/data/data")
        try file.link("\(Self.ledger)/\(LedgerColumn.slot.name)", as: "/entry/data/slot")
        try file.set("signal", "data", of: "/entry/data")
        try file.set("slot_indices", 0, of: "/entry/data")
        let pixels = try addPlaces(file)
        let samples = run.frames.pixelFormat.channels > 1 ? ["."] : []
        try file.set("axes", ["slot"] + pixels + samples, of: "/entry/data")
    }

    /// Where rows and columns lie at the sample, where the recipe says how large a pixel is.
    ///
    /// - Returns: the names of both axes.
    private func addPlaces(_ file: HDF5File) throws(ExportError) -> [String] {
        guard let size = run.manifest.metadata?.pixelSize else { return [".", "."] }
        for (axis, name, count) in [
            (1, "y", run.frames.size.height), (2, "x", run.frames.size.width),
        ] {
            let path = "/entry/data/\(name)"
            try file.add(
                path, list: (0..<count).map { Double(Int64($0) * size.picometres) / 1e6 })
            try file.set("units", "um", of: path)
            try file.set("\(name)_indices", Int64(axis), of: "/entry/data")
        }
        return ["y", "x"]
    }
}
