package import Devices
package import Imaging
package import Recipes
package import Timebase

/// What the frames of a run are; the same for a store that writes them and a reader that checks them.
package struct FrameSeries: Sendable {
    /// What the images are called, usually the recipe's name.
    package var name: String
    /// What the samples are.
    package var pixelFormat: PixelFormat
    /// Pixels and rows of a frame.
    package var size: FrameSize
    /// Slots of the plan; nil for an endless one, whose container grows.
    package var plannedSlots: Int64?
    /// Time from slot to slot; nil if it is not known, or not the same for all.
    package var period: Interval?
    /// What the recipe says of sample, people and optics; the pixel size is the scale.
    package var metadata: RunMetadata?
    /// The samples of no light and of full light; nil if the profile has none.
    package var levels: PixelLevels?

    package init(
        name: String, pixelFormat: PixelFormat, size: FrameSize, plannedSlots: Int64?,
        period: Interval?, levels: PixelLevels? = nil
    ) {
        (self.name, self.pixelFormat, self.size) = (name, pixelFormat, size)
        (self.plannedSlots, self.period, self.levels) = (plannedSlots, period, levels)
    }
}

/// Writes the frames of a run, slot by slot.
///
/// One thread at a time. A slot that is left out is a hole; nothing is renumbered. Nothing here gets stuck on a full
/// disk: every method throws ``StorageError`` and may be called again.
package protocol FrameStore: AnyObject {
    /// Bytes of one frame in the record.
    var frameByteCount: Int { get }
    /// Bytes that ``write(slot:bytes:)`` takes: a frame and what fills its last block.
    var paddedFrameByteCount: Int { get }

    /// Writes the frame of a slot.
    ///
    /// - Parameters:
    ///   - slot: later than every slot written before.
    ///   - bytes: the frame in the record's layout at its start; ``paddedFrameByteCount`` bytes in all, at an address
    ///     that is a multiple of ``FrameContainer/alignment``. What lies behind the frame means nothing.
    /// - Throws: ``StorageError``; the slot stays without a frame then.
    func write(slot: Int64, bytes: UnsafeRawBufferPointer) throws(StorageError)

    /// Makes all frames so far readable to others who open the container now.
    func flush() throws(StorageError)

    /// Waits until all that was written is on the disk, names of files included.
    func sync() throws(StorageError)

    /// Ends the container: gives unused space back and writes how many slots there are.
    ///
    /// - Parameter slots: slots of the run, holes included; a planned container keeps its planned length.
    func finish(slots: Int64) throws(StorageError)

    /// The SHA-256 of every file with frames, by its path in the container, as ``finish(slots:)`` left it.
    var digests: [(name: String, digest: FileDigest)] { get }
}

/// Reads frames back, one after the other, as `verify` needs them.
protocol FrameReader: AnyObject {
    /// Reads what is at a slot.
    ///
    /// - Parameter isFresh: looks again for what may have been written since, as a run goes on.
    func read(slot: Int64, isFresh: Bool) -> FoundFrame

    /// Calls `body` with the frame that was read last.
    func withFrame<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result

    /// The file that has a slot's frame, by its path in the container.
    func file(ofSlot slot: Int64) -> String

    /// Whether a file of that path in the container has frames.
    func hasFrames(_ file: String) -> Bool

    /// What is wrong with the files that describe the frames.
    ///
    /// - Parameter slots: slots of the ledger of a run that has ended; nil for one that goes on.
    func problems(slots: Int64?) -> [FrameProblem]
}

extension FrameReader {
    /// Reads what is at a slot.
    func read(slot: Int64) -> FoundFrame { read(slot: slot, isFresh: false) }
}

/// What is found at a slot.
enum FoundFrame: Hashable {
    /// A frame; its bytes are there until the next one is read.
    case frame
    /// No frame.
    case missing
    /// Something that is no frame.
    case broken(FrameProblem)
}

/// What is wrong with a file of a container.
struct FrameProblem: Hashable {
    /// Its path in the container.
    let file: String
    let message: String
}
