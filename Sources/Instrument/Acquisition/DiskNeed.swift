internal import Devices
internal import Imaging
internal import Notation
package import Recipes
internal import Records
package import Timebase

/// What a run takes on the disk, beside the room that is there.
package struct DiskNeed {
    /// A slot's row and events, and its part of checksums: 250 to 500 bytes as a rule.
    private static let evidenceBytes = 512
    /// Readings of clocks and temperature, in a second of the session.
    private static let readingBytes: Int128 = 700
    /// Manifest, plan and recipe, and the room that a run keeps for its end while it goes on.
    private static let baseBytes: Int128 = 6_000_000

    /// The run's folder, or that of all runs.
    package let place: String
    /// Bytes of the whole run; nil for one that has no end.
    package let bytes: Int64?
    /// Bytes in a second, as long as frames come at the recipe's rate; nil where that is not known, or steps have rates
    /// of their own.
    package let bytesPerSecond: Int64?
    /// What the disk has; nil where it does not tell.
    package let freeBytes: Int64?
    private let slots: Int64?
    /// What has to be free: the whole run, or a frame of one that has no end, and what a run keeps for its end.
    private let neededBytes: Int64

    /// - Parameters:
    ///   - keepsPixels: whether frames are recorded with their pixels.
    ///   - place: where the run is going to be, or a folder above that.
    package init(
        _ plan: Plan, keepsPixels: Bool = true, at place: String = RunDestination.defaultFolder
    ) {
        self.place = place
        let frameBytes = keepsPixels ? PlannedRecipe.bytesPerFrame(plan) : 0
        let slotBytes = FrameContainer.paddedByteCount(frameBytes) + Self.evidenceBytes
        let estimate = PlanEstimate(plan, bytesPerFrame: slotBytes)
        let stills = keepsPixels ? Self.stillBytes(plan) : (all: 0, largest: 0)
        slots = estimate.slots
        let seconds = (estimate.duration?.nanoseconds ?? 0) / 1_000_000_000
        let readings = Int128(seconds) * Self.readingBytes
        bytes = estimate.bytes.map { Int64(clamping: Int128($0) + stills.all + readings) }
        neededBytes = Int64(clamping: Int128(bytes ?? Int64(slotBytes)) + Self.baseBytes)
        freeBytes = Folder.freeBytes(at: place)
        let blanking = plan.camera.profile.timing?.blanking.control
        let hasOwnRates = plan.settings.contains { $0.codes.contains { $0.control == blanking } }
        if let rate = plan.camera.configuration.rate, plan.camera.trigger == nil, !hasOwnRates {
            let framesPerSecond = 1_000_000_000 / max(1, rate.duration(ofFrames: 1).nanoseconds)
            bytesPerSecond = (Int64(slotBytes) + stills.largest) * max(1, framesPerSecond)
        } else {
            bytesPerSecond = nil
        }
    }

    /// Bytes of all stills, and of the largest.
    private static func stillBytes(_ plan: Plan) -> (all: Int128, largest: Int64) {
        let configuration = plan.camera.configuration
        let (format, size) = (configuration.pixelFormat, configuration.size)
        let pixels = Int64(size.width) * Int64(size.height)
        let isMono = if case .mono = format.samples { true } else { false }
        var (all, largest) = (Int128(0), Int64(0))
        for still in plan.stills {
            let perPixel: Int64 =
                switch still.format {
                // A picture that is all noise.
                case .jpeg: 1
                case .tiff, .png: (isMono ? 1 : 3) * (format.bitsPerSample > 8 ? 2 : 1)
                case .dng: 2
                }
            let count = plan.program.numberedSlots { $0 == still.step }
            all += Int128(count) * Int128(pixels * perPixel)
            largest = max(largest, pixels * perPixel)
        }
        return (all, largest)
    }

    /// Whether the disk has less than the whole run takes.
    package var isTooMuch: Bool {
        guard let freeBytes else { return false }
        return neededBytes > freeBytes
    }

    /// How long the room lasts for a run that has no end; nil for others, and where that can't be said.
    package var lastsFor: Interval? {
        guard bytes == nil, let bytesPerSecond, let freeBytes else { return nil }
        return .seconds(freeBytes / bytesPerSecond)
    }

    /// What is missing and what to do about it.
    package var shortage: String {
        "the run"
            + (slots.map { " takes about \(neededBytes.byteText) (\($0.of("slot")))" }
                ?? " takes \(neededBytes.byteText) at the least")
            + ", and the disk of \(place) has \((freeBytes ?? 0).byteText) free: record on another disk, take fewer or"
            + " smaller frames, or record until the disk is full (--force)"
    }
}
