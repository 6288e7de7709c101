internal import ArgumentParser
internal import Imaging
internal import Instrument
internal import LiveControl
internal import Recipes

/// What every command takes that writes pictures to look at: `run --preview` and `camera preview`.
struct PreviewFlags: ParsableArguments {
    @Flag(help: "Preview: paint over what is in focus.")
    var peaking = false
    @Option(
        help: ArgumentHelp(
            "Preview: also write zoom.jpg, a window around this place (0,0 left top to 1,1), for example 0.5,0.5.",
            valueName: "x,y"))
    /// Two numbers from 0 to 1 with a comma; nil for no `zoom.jpg`.
    var zoom: String?
    @Option(
        help: ArgumentHelp(
            "Preview: screen pixels for each pixel of the window, 1 to 32 (default: 4).",
            valueName: "factor"))
    /// How many pixels each pixel of the window becomes, either way; 1 to 32, which the library checks.
    var zoomFactor: Int?

    /// Whether none was given.
    var isEmpty: Bool { !peaking && zoom == nil && zoomFactor == nil }

    func validate() throws {
        guard zoomFactor == nil || zoom != nil else {
            throw ValidationError("--zoom-factor is for a window: give its place with --zoom too")
        }
    }

    /// The pictures for a folder.
    ///
    /// - Throws: ``Failure`` with exit code 64 for a place that is none.
    func options(folder: String) throws -> PreviewOptions {
        var options = PreviewOptions(folder: folder)
        options.marksFocus = peaking
        options.zoom = try zoom.map(Self.point)
        options.factor = zoomFactor ?? 4
        return options
    }

    /// A place of the picture in millionths of its width and height, from the top left corner.
    private static func point(_ text: String) throws -> FramePoint {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw Failure.usage("--zoom takes a place of the picture, for example 0.5,0.5")
        }
        let x = try Typed("--zoom", parts[0], Quantity.millionths).value
        let y = try Typed("--zoom", parts[1], Quantity.millionths).value
        guard let point = FramePoint(xMillionths: x, yMillionths: y) else {
            throw Failure.usage("--zoom \(text): both numbers are 0 to 1")
        }
        return point
    }
}

extension CameraCommand {
    /// `framelock camera preview`: the newest picture, for the eye.
    ///
    /// It is a look, not a record: frames that come while a picture is written are left out.
    struct Preview: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes the newest picture into a folder, again and again, until Ctrl-C.",
            discussion: """
                preview.jpg is replaced as a whole each time, so that any viewer or web server can show it. Raw \
                pictures are balanced so that the middle is grey; nothing is recorded.
                """)

        @OptionGroup var options: CameraOptions
        @OptionGroup var preview: PreviewFlags
        @Option(
            help: ArgumentHelp("The folder that gets the pictures.", valueName: "folder"),
            completion: .directory)
        /// The folder; made where it is missing.
        ///
        /// Any web server that serves it shows the picture.
        var output: String
        @OptionGroup var limit: FrameLimit

        /// Streams, and writes each newest picture until the limit; the folder is made before the stream begins.
        func run() throws {
            try Console.run(asJSON: options.json) {
                let frames = limit.frames
                let wanted = try preview.options(folder: output)
                let camera = try options.open(isRealTime: frames == nil, prefersColour: true)
                let pictures = try camera.pictures(wanted)
                let session = try camera.session()
                try Waiting.for {
                    // One that waits is enough: an older picture is no news.
                    let output = session.frames(capacity: 1)
                    try await FrameLimit.follow(output, of: session, frames: frames) { frame in
                        try frame.withBytes {
                            try pictures.write($0, summary: "frame \(frame.sequence)")
                        }
                    }
                }
            }
        }
    }
}
