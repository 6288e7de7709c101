internal import Records

/// A frame of an export: its row, and where it is.
struct ExportedFrame {
    let entry: LedgerEntry
    let place: FrameAxes.Place
    /// Which of the selected rows it is, from 0; holes count.
    let row: Int64
}
