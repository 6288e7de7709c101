internal import Simulation

/// What `--scene` of `run` and `simulate` names: what the scene is, how bright, and how it changes.
enum SceneList {
    private typealias Item = NamedList<SimulatedScene>.Item

    /// All names, in the order of `--help`.
    private static var list: NamedList<SimulatedScene> {
        NamedList(
            option: "--scene", noun: "scene",
            items: [
                Item(
                    "brightness", "how bright it is, of the usual",
                    .percent(100...10_000_000) { $0.luminanceMillionths = Int64($1) }),
                Item(
                    "chart", "it is a test chart: gray steps, colours, edges, bars",
                    .always { $0.subject = .chart }),
                Item(
                    "drift", "ambient light drifts by about this in a second",
                    .perSecond { $0.changes.driftMillionths = $1 }),
                Item(
                    "flicker", "ambient light goes up and down by this",
                    .wave {
                        $0.changes.flicker = SceneChanges.Flicker(
                            millihertz: $1, depthMillionths: Int64($2))
                    }),
                Item(
                    "jump", "frames before which ambient light jumps",
                    .chance { $0.changes.jumpsPerMillion = $1 }),
                Item(
                    "moving", "the share that something moving covers",
                    .percent(1...1_000_000) { $0.changes.movingMillionths = $1 }),
                Item(
                    "auto-exposure", "the camera has an iris that no control shows",
                    .always { $0.changes.hasHiddenIris = true }),
            ])
    }

    /// A line for each, in two columns.
    static var help: String { list.help }

    /// Reads a list; an empty text is the usual scene.
    ///
    /// - Throws: ``Failure`` with exit code 64 and the place of everything that is wrong.
    static func parse(_ text: String) throws -> SimulatedScene {
        try list.parse(text, into: .usual)
    }
}
