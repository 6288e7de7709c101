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

    /// Bytes of the whole run; nil for one that has no end.
    package let bytes: Int64?
    /// Bytes in a second, as long as frames come at the recipe's rate; nil where that is not known.
    package let bytesPerSecond: Int64?
    /// What the disk has; nil where it does not tell.
    package let freeBytes: Int64?
    private let slots: Int64?

    /// - Parameters:
    ///   - keepsPixels: whether frames are recorded with their pixels.
    ///   - path: where the run is going to be, or a folder above that.
    package init(_ plan: Plan, keepsPixels: Bool = true, at path: String) {
        let frameBytes = keepsPixels ? PlannedRecipe.bytesPerFrame(plan) : 0
        let slotBytes = FrameContainer.paddedByteCount(frameBytes) + Self.evidenceBytes
        let estimate = PlanEstimate(plan, bytesPerFrame: slotBytes)
        slots = estimate.slots
        bytes = estimate.bytes
        if let rate = plan.camera.configuration.rate, plan.camera.trigger == nil {
            let framesPerSecond = 1_000_000_000 / max(1, rate.duration(ofFrames: 1).nanoseconds)
            bytesPerSecond = Int64(slotBytes) * max(1, framesPerSecond)
        } else {
            bytesPerSecond = nil
        }
        freeBytes = DiskRoom(at: path)?.freeBytes
    }

    /// Whether the disk has less than the whole run takes.
    package var isTooMuch: Bool {
        guard let bytes, let freeBytes else { return false }
        return bytes > freeBytes
    }

    /// How long the room lasts for a run that has no end; nil for others, and where that can't be said.
    package var lastsFor: Interval? {
        guard bytes == nil, let bytesPerSecond, let freeBytes else { return nil }
        return .seconds(freeBytes / bytesPerSecond)
    }

    /// What is missing and what to do about it.
    ///
    /// - Parameter place: the run's folder, or that of all runs.
    package func shortage(_ place: String) -> String {
        "the run records about \((bytes ?? 0).byteText) (\((slots ?? 0).of("slot"))), and the disk of"
            + " \(place) has \((freeBytes ?? 0).byteText) free: record on another disk, take fewer or"
            + " smaller frames, or record until the disk is full (--force)"
    }
}
