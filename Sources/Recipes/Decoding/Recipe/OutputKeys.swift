import Timebase

/// `output`: how the run is recorded; what is left out has the defaults of ``OutputOptions``.
enum OutputKeys {
    static let format = Key(
        "format", Form<OutputOptions.Format>.word,
        "Container of the frames; `ome_zarr` if left out.")
    /// 2…4096; each holds a frame of the record.
    ///
    /// `framelock calibrate storage` shows how many a disk needs.
    static let buffers = Key(
        "buffers", Form<Int>.count(2...4_096), "Frames that can wait for the disk; 32 if left out.")
    /// A hole if left out: a run goes on, and the verdict counts what is missing.
    static let whenFull = Key(
        "when_full", Form<OutputOptions.WhenFull>.word,
        "What happens when every buffer waits for the disk: `hole` (the frame is missing), or `stop` (the run ends);"
            + " `hole` if left out."
    )

    static let form = Form<OutputOptions>.mapping(
        MappingShape(
            "`output`", "How the run is recorded.",
            keys: [format.shape, buffers.shape, whenFull.shape])
    ) { read in
        var options = OutputOptions()
        if let value = read(format) { options.format = value }
        if let value = read(buffers) { options.bufferCount = value }
        if let value = read(whenFull) { options.whenFull = value }
        return options
    }
}
