internal import Records

/// `frames.csv` of an export: for each selected row of the ledger the file that has its frame, its place in the grid,
/// and the row itself.
///
/// The file is empty for holes, for frames that can't be read, and where no frames are exported.
struct ExportTable {
    static let name = "frames.csv"
    private let file: AppendFile

    init(in folder: String) throws(StorageError) {
        file = try AppendFile(creating: "\(folder)/\(Self.name)")
        let columns = ["file", "t", "z", "c"] + LedgerColumn.allCases.map(\.name)
        file.append { $0 += Array((columns.joined(separator: ",") + "\n").utf8) }
    }

    func add(_ name: String, _ place: FrameAxes.Place, _ row: LedgerFields) throws(StorageError) {
        file.append { bytes in
            LedgerFields.write(name, to: &bytes)
            bytes += Array(",\(place.t),\(place.z),\(place.c),".utf8)
            row.write(to: &bytes)
        }
        if file.isFull { try file.write() }
    }

    func finish() throws(StorageError) { try file.write() }
}
