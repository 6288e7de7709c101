internal import Devices
internal import Imaging
internal import Recipes
internal import Records
internal import Stills
internal import Timebase

/// Makes the bytes of stills from frames and their rows of the ledger.
///
/// Developments are prepared once for each set of settings; used by one thread.
final class StillRenderer {
    private let description: RunDescription
    private let formats: [Int32: StillFormat]
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

    private func rawDescription(_ settings: Int32) -> RawDescription {
        StillColour(profile: profile).raw(
            layout, description.plan.settings[Int(settings)], serial: description.camera.id)
    }

    /// What the ledger says of a frame, in the words of EXIF.
    func metadata(of row: LedgerRow) -> StillMetadata {
        let plan = description.plan
        let planned = plan.settings[Int(row.settings)]
        var metadata = StillMetadata()
        // EXIF says what a picture had, so what was only asked for is left out.
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
