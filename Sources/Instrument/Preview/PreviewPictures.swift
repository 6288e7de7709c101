internal import Devices
internal import Imaging
internal import Recipes
internal import Records
internal import Stills

/// Pictures of frames for the eye: `preview.jpg`, and `zoom.jpg` where a window is asked for.
///
/// Each replaces the one before as a whole, so that a viewer never sees half of one. Raw pictures are balanced so that
/// the middle is grey: they are for looking, and nothing is measured on them.
package struct PreviewPictures {
    /// The largest window in pixels: enlarged fourfold it fits on a screen.
    private static let (windowWidth, windowHeight) = (320, 240)

    private let options: PreviewOptions
    private let meter: FrameMeter
    /// The code without light, in a sample of the format; 0 where the profile does not state it.
    private let black: Int
    /// The code at saturation; nil for all bits set.
    private let white: Int?
    private let zoom: PreviewZoom?
    private let peaking: FocusPeaking?

    /// Prepares the folder.
    ///
    /// - Throws: ``Failure`` if the factor is outside 1…32; `StorageError` if the folder can't be made.
    init(
        _ options: PreviewOptions, _ format: PixelFormat, _ size: FrameSize,
        _ profile: CameraProfile
    ) throws {
        guard (1...32).contains(options.factor) else {
            throw Failure.usage("a window is enlarged 1 to 32 times, not \(options.factor) times")
        }
        self.options = options
        let levels = profile.levels(bits: format.bitsPerSample)
        black = Int(levels?.black ?? 0)
        white = levels.map { Int($0.white) }
        meter = FrameMeter(format: format, size: size, blackLevel: black, subjects: .balance)
        peaking = options.marksFocus ? FocusPeaking() : nil
        zoom = options.zoom.flatMap { point in
            FrameSize(
                width: min(size.width, Self.windowWidth),
                height: min(size.height, Self.windowHeight)
            ).flatMap { PreviewZoom(at: point, in: size, window: $0, factor: options.factor) }
        }
        try Folder.createParents(of: "\(options.folder)/preview.jpg")
    }

    /// Those of a plan's camera.
    init(_ options: PreviewOptions, _ camera: PlannedCamera) throws {
        let configuration = camera.configuration
        try self.init(options, configuration.pixelFormat, configuration.size, camera.profile)
    }

    /// Writes the pictures of a frame.
    ///
    /// - Parameters:
    ///   - frame: exactly the frame's samples, rows without padding.
    ///   - summary: what the picture is of, for its EXIF.
    /// - Throws: ``Failure`` for a format that can't be developed, `StorageError` for a file that can't be written.
    package func write(_ frame: UnsafeRawBufferPointer, summary: String) throws {
        guard let development = development(frame) else {
            throw Failure.unavailable(
                "frames of \(meter.format.name) \(meter.size) can't be developed into a picture")
        }
        try write(development.image(of: frame), to: "preview.jpg", summary)
        if let image = zoom?.image(of: frame, by: development) {
            try write(image, to: "zoom.jpg", summary)
        }
    }

    /// How this frame becomes a picture: Bayer patterns with the gains that make its own middle grey, others as they
    /// are.
    ///
    /// - Returns: nil for a format that can't be developed.
    private func development(_ frame: UnsafeRawBufferPointer) -> Development? {
        var settings = DevelopmentSettings(black: [black], white: white)
        // A camera that demosaics has balanced its colours too.
        if case .bayer = meter.format.samples, let gains = meter.read(frame).balance?.gains {
            settings.gains = gains
        }
        return Development(
            meter.format, size: meter.size, settings: settings, bitsPerSample: 8)
    }

    private func write(_ image: DevelopedImage, to name: String, _ summary: String) throws {
        var metadata = StillMetadata()
        metadata.software = "framelock \(FramelockVersion.text)"
        metadata.summary = summary
        let picture = peaking.flatMap { $0.marked(image) } ?? image
        try WholeFile.replace(
            "\(options.folder)/\(name)", StillFile.jpeg(picture, metadata))
    }
}
