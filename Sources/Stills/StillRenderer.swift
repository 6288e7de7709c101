package import Devices
package import Imaging
package import Recipes
package import Records
package import Timebase

/// Makes the bytes of stills from frames and their rows of the ledger.
///
/// Developments are prepared once for each set of settings; used by one thread.
///
/// Everything is taken from the row, as it is when the frame is recorded: what later frames show of it is in the ledger
/// and not in the still.
package final class StillRenderer {
    private let plan: Plan
    private let layout: FrameLayout
    private let camera: CameraIdentity
    private let version: String
    /// Realtime at session time 0.
    private let started: Instant<Realtime>
    /// Whether TIFFs are compressed.
    private let isDeflated: Bool
    private var developments: [DevelopmentKey: Development] = [:]

    private struct DevelopmentKey: Hashable {
        let settings: Int32
        let bitsPerSample: Int
    }

    /// - Parameters:
    ///   - layout: of the recorded frames.
    ///   - version: of the framelock that recorded them.
    ///   - started: realtime at session time 0.
    ///   - isDeflated: whether TIFFs are compressed, without a loss.
    package init(
        _ plan: Plan, layout: FrameLayout, camera: CameraIdentity, version: String,
        started: Instant<Realtime>, isDeflated: Bool = false
    ) {
        self.isDeflated = isDeflated
        (self.plan, self.layout, self.camera) = (plan, layout, camera)
        (self.version, self.started) = (version, started)
    }

    /// Makes the file of a frame.
    ///
    /// - Parameters:
    ///   - row: of the ledger.
    ///   - frame: exactly the frame's samples, in the record's layout.
    /// - Throws: ``StillError`` if the format can't hold such a frame.
    package func render(
        _ row: LedgerRow, _ frame: UnsafeRawBufferPointer, as format: StillFormat
    ) throws(StillError) -> [UInt8] {
        let metadata = metadata(of: row)
        let bits = format.isDeep && layout.pixelFormat.bitsPerSample > 8 ? 16 : 8
        switch format {
        case .dng:
            return try StillFile.dng(frame, rawDescription(row.settings), metadata)
        case .tiff:
            return try StillFile.tiff(
                development(row.settings, bits).image(of: frame), metadata,
                isDeflated: isDeflated)
        case .png:
            return try StillFile.png(
                development(row.settings, bits).image(of: frame), metadata)
        case .jpeg:
            return try StillFile.jpeg(
                development(row.settings, bits).image(of: frame), metadata)
        }
    }

    private var profile: CameraProfile { plan.camera.profile }

    /// The development of some settings, made on first use.
    ///
    /// - Throws: ``StillError`` if pixels of this format can't be developed with the profile's levels.
    private func development(
        _ settings: Int32, _ bitsPerSample: Int
    ) throws(StillError) -> Development {
        let key = DevelopmentKey(settings: settings, bitsPerSample: bitsPerSample)
        if let known = developments[key] { return known }
        let raw = rawDescription(settings)
        let settings = DevelopmentSettings(
            black: raw.black, white: raw.white, gains: raw.gains,
            matrix: raw.matrixMillionths.flatMap { DevelopmentMatrix(millionths: $0) })
        guard
            let made = Development(
                layout.pixelFormat, size: layout.size, settings: settings,
                bitsPerSample: bitsPerSample)
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
            layout, plan.settings[Int(settings)], serial: camera.id)
    }

    /// How a group was set: manually where the recipe asks for a value, or the camera has no automatic for it; nobody
    /// knows what a camera does with an automatic that the recipe leaves alone.
    private func mode(_ group: ControlGroup, _ planned: PlannedSettings) -> StillMetadata.Mode? {
        guard planned.requested.kind(of: group) == .free else { return .manual }
        let hasAutomatic = profile.automaticsOff.contains {
            ControlGroups(drivenBy: $0.control).contains(ControlGroups(group))
        }
        return hasAutomatic || profile.isUnknown ? nil : .manual
    }

    /// What the ledger has of a frame, as EXIF tags.
    ///
    /// Time is realtime by the relation at the start of the run, of the start of the exposure; the applied values are
    /// left out where they are unknown.
    package func metadata(of row: LedgerRow) -> StillMetadata {
        let planned = plan.settings[Int(row.settings)]
        var metadata = StillMetadata()
        // EXIF states what a picture had, so what was only asked for is left out.
        metadata.exposure = row.applied.exposure
        if let gain = row.applied.gainMillionths, let model = profile.gain {
            metadata.iso = (gain * model.isoAtUnity + 500_000) / 1_000_000
        }
        metadata.apertureThousandths = profile.aperture?.thousandths
        metadata.exposureMode = mode(.exposure, planned)
        metadata.whiteBalance = mode(.whiteBalance, planned)
        if let start = row.exposureTime?.start {
            metadata.time = started + Interval(nanoseconds: start.nanoseconds)
        }
        metadata.make = camera.driver
        metadata.model = camera.name
        metadata.software = "framelock \(version)"
        metadata.summary =
            "\(plan.name), slot \(row.slot), \(plan.steps[Int(row.step)])"
        return metadata
    }
}
