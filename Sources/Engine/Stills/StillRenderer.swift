internal import Devices
internal import Imaging
internal import Recipes
internal import Records
internal import Stills
internal import Timebase

/// Makes the bytes of stills from frames and their rows of the ledger.
///
/// Developments are prepared once for each set of settings; used by one thread.
///
/// Everything is taken from the row, as it is when the frame is recorded: what later frames show of it is in the ledger
/// and not in the still.
final class StillRenderer {
    private let description: RunDescription
    /// By index of steps; a step without a still has none.
    private let formats: [Int32: StillFormat]
    /// By twice the index of settings, plus one for TIFF, which has more bits.
    private var developments: [Int32: Development] = [:]

    init(_ description: RunDescription) {
        self.description = description
        formats = Dictionary(
            description.plan.stills.map { ($0.step, $0.format) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The kind of still that the frames of a step become; nil for none.
    func format(ofStep step: Int32) -> StillFormat? { formats[step] }

    /// Makes the file of a frame.
    ///
    /// - Parameters:
    ///   - row: of the ledger.
    ///   - frame: exactly the frame's samples, in the record's layout.
    /// - Throws: ``StillError`` if the format can't hold such a frame.
    func render(
        _ row: LedgerRow, _ frame: UnsafeRawBufferPointer
    ) throws(StillError) -> [UInt8] {
        let metadata = metadata(of: row)
        switch formats[row.step] {
        case .dng:
            return try StillFile.dng(frame, rawDescription(row.settings), metadata)
        case .tiff:
            return try StillFile.tiff(development(row).image(of: frame), metadata)
        case .jpeg, nil:
            return try StillFile.jpeg(development(row).image(of: frame), metadata)
        }
    }

    private var layout: FrameLayout { description.accepted.layout }
    private var profile: CameraProfile { description.plan.camera.profile }

    /// The development of a row's settings, made on first use.
    ///
    /// - Throws: ``StillError`` if pixels of this format can't be developed with the profile's levels.
    private func development(_ row: LedgerRow) throws(StillError) -> Development {
        let isTIFF = formats[row.step] == .tiff
        // One step has one kind of still, but two steps may share settings.
        let key = row.settings * 2 + (isTIFF ? 1 : 0)
        if let known = developments[key] { return known }
        let raw = rawDescription(row.settings)
        let settings = DevelopmentSettings(
            black: raw.black, white: raw.white, gains: raw.gains,
            matrix: raw.matrixMillionths.flatMap { DevelopmentMatrix(millionths: $0) })
        let bits = isTIFF && layout.pixelFormat.bitsPerSample > 8 ? 16 : 8
        guard
            let made = Development(
                layout.pixelFormat, size: layout.size, settings: settings, bitsPerSample: bits)
        else {
            throw StillError(
                "frames of \(layout.pixelFormat.name) \(layout.size) can't be developed with the"
                    + " levels and gains of profile \(profile.name)")
        }
        developments[key] = made
        return made
    }

    /// By index of settings.
    private func rawDescription(_ settings: Int32) -> RawDescription {
        StillColour(profile: profile).raw(
            layout, description.plan.settings[Int(settings)], serial: description.camera.id)
    }

    /// What the ledger has of a frame, as EXIF tags.
    ///
    /// Time is realtime by the relation at the start of the run, of the start of the exposure; the applied values are
    /// left out where they are unknown.
    func metadata(of row: LedgerRow) -> StillMetadata {
        let plan = description.plan
        let planned = plan.settings[Int(row.settings)]
        var metadata = StillMetadata()
        // EXIF states what a picture had, so what was only asked for is left out.
        metadata.exposure = row.applied.exposure
        if let gain = row.applied.gainMillionths, let model = profile.gain {
            metadata.iso = (gain * model.isoAtUnity + 500_000) / 1_000_000
        }
        metadata.apertureThousandths = profile.aperture?.thousandths
        metadata.exposureMode = planned.requested.exposure == .free ? .automatic : .manual
        metadata.whiteBalance = planned.requested.whiteBalance == .free ? .automatic : .manual
        if let start = row.exposureTime?.start {
            let monotonic = description.epoch + Interval(nanoseconds: start.nanoseconds)
            metadata.time =
                description.realtime.convert(BoundedInstant(monotonic, halfWidth: .zero)).instant
        }
        metadata.make = description.camera.driver
        metadata.model = description.camera.name
        metadata.software = "framelock \(description.version)"
        metadata.summary =
            "\(plan.name), slot \(row.slot), \(plan.steps[Int(row.step)])"
        return metadata
    }
}
