/// A board of the CSI bench, what its sensors are like and what goes wrong; `hardware/bench/csi/README.md` tells the
/// words.
struct CSIBoard {
    /// The name of a device tree in `hardware/bench/csi/boards`.
    var name: String
    /// Whether media streams, and with them embedded lines, can be used.
    var streams = false
    /// What the sensors are like, as `NAME=VALUE,…`.
    var options = ""
    /// What goes wrong, as `KIND@FRAMES,…`.
    var faults = ""

    init(_ name: String, streams: Bool = false, options: String = "", faults: String = "") {
        self.name = name
        self.streams = streams
        self.options = options
        self.faults = faults
    }

    /// The same, as `hardware/bench/run` takes them.
    var words: [String] {
        var words = ["--csi", name]
        if streams { words.append("--csi-streams") }
        if !options.isEmpty { words += ["--kernel-arg", "csi.options=\(options)"] }
        if !faults.isEmpty { words += ["--kernel-arg", "csi.faults=\(faults)"] }
        return words
    }
}
