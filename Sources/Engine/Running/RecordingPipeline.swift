internal import Records
internal import Timebase

/// Makes the record out of what the capture thread hands over.
///
/// Called by the capture thread only.
///
/// Items keep their order; nothing that was handed over is lost unless ``finish()`` returns false.
protocol RecordingPipeline: AnyObject {
    /// The buffers that frames wait in.
    var pool: FramePool { get }
    /// The errno with which the disk refused a frame; 0 as long as it did not.
    var storageErrno: Int32 { get }
    /// Whether a frame that has come can have a buffer.
    var hasRoom: Bool { get }

    /// Makes it ready for the first item.
    func start()

    /// Hands something over.
    func hand(_ item: RecordItem)

    /// A free buffer; nil only where ``hasRoom`` was false, or the run is to stop at once.
    ///
    /// It belongs to the caller until it is handed over with a frame or as discarded.
    func buffer() -> Int32?

    /// Waits until everything is written.
    ///
    /// - Returns: false if the run was asked to stop at once and the disk hangs; it is left behind then.
    func finish() -> Bool
}

/// What the capture thread hands to the writers.
///
/// Plain bits, so that handing over neither allocates nor counts references.
enum RecordItem: BitwiseCopyable, Sendable {
    case frame(LedgerRow, buffer: Int32, at: Instant<Session>)
    /// A slot without its frame, or all that had no turn.
    case hole(LedgerRow)
    /// A frame that is not recorded: its buffer goes back.
    case discarded(buffer: Int32)
    case event(RunEvent, at: Instant<Session>)
    /// Nothing comes any more.
    case end
}
