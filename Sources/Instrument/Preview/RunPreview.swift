internal import Devices
internal import Engine
internal import Imaging
internal import LinuxDevices
internal import Logging
internal import Records
internal import Timebase

/// The newest recorded frame of a run as a picture, once a second; the run never waits for it.
///
/// Belongs to the thread that waits for the run.
final class RunPreview {
    private static let interval = Interval.seconds(1)

    let tap: PreviewTap
    private let pictures: PreviewPictures
    /// When the next picture may be written at the earliest.
    private var due = KernelClock.now()
    /// Whether a picture could not be written; then none is tried any more, and the run goes on.
    private var hasFailed = false

    init(_ pictures: PreviewPictures, _ accepted: AcceptedConfiguration) {
        self.pictures = pictures
        tap = PreviewTap(accepted)
    }

    /// Writes the picture of a new frame, if it is time or the run is over; one that can't be written is reported once.
    func update(isLast: Bool = false) {
        let now = KernelClock.now()
        guard now >= due || isLast, !hasFailed else { return }
        do {
            let written: Void? = try tap.take { row, bytes in
                try pictures.write(bytes, summary: "slot \(row.slot)")
            }
            if written != nil { due = now + Self.interval }
        } catch {
            hasFailed = true
            Log.framelock.warning("no more preview: \(Failure(error).message)")
        }
    }
}
