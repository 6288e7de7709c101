internal import Imaging
package import Recipes

/// A kind of container for the frames of a run: how it is written, read and checked.
///
/// A new kind is a case of `OutputOptions.Format`, a folder beside this file with its store and reader, and a row here.
///
/// Record, verifier and checksums know frames by this alone, so that none of them knows how a container is made.
package struct FrameContainer: Sendable {
    /// Bytes: memory that is written past the page cache begins at a multiple of it, and is a multiple of it long.
    ///
    /// Direct writes have to be whole logical blocks of the disk, which have 512 or 4096 bytes.
    package static let alignment = 4096

    /// Bytes that a frame takes in such memory.
    package static func paddedByteCount(_ frameByteCount: Int) -> Int {
        (frameByteCount + alignment - 1) / alignment * alignment
    }

    /// What people call it.
    package let title: String
    /// Its path in the run folder.
    package let path: String
    /// The files that describe the frames, by their paths in the container, in the order of `checksums`.
    let descriptions: [String]
    /// Makes an empty one at a path where nothing is.
    ///
    /// With `isDurable` every ``FrameStore/sync()`` waits for the disk.
    package let create:
        @Sendable (_ path: String, _ frames: FrameSeries, _ isDurable: Bool) throws(StorageError)
            -> any FrameStore
    /// Opens one for reading; what is missing or broken shows when it is read.
    let open: @Sendable (_ path: String, _ frames: FrameSeries) -> any FrameReader
    /// Ends one of a run that was cut: it has the frames of the slots that were recorded then, and no others.
    ///
    /// Gives the SHA-256 of every file with frames, by its path in the container.
    let recover:
        @Sendable (
            _ path: String, _ frames: FrameSeries, _ recorded: SlotSet, _ slots: Int64
        ) throws(StorageError) -> [(name: String, digest: FileDigest)]
    /// How many frames one of a run that was cut has that are not among those.
    let unrecorded:
        @Sendable (_ path: String, _ frames: FrameSeries, _ recorded: SlotSet)
            throws(StorageError) -> Int64

    /// The container of a format.
    package static func of(_ format: OutputOptions.Format) -> FrameContainer {
        switch format {
        case .omeZarr: .omeZarr
        }
    }
}
