/// The files that a record writes when it ends, made when it begins, with room on the disk: whoever fills that
/// meanwhile, a run ends with its manifest, and with rows that say what its pixels showed in the end.
final class EndOfRecord {
    /// A manifest has some 10 KiB, and more with many clocks, quirks and findings.
    private static let manifestBytes: Int64 = 1 << 18

    private var ledger: Replacement?
    private var checksums: Replacement?
    private var manifest: Replacement?

    /// What can't be made now has no room kept, which is no reason to refuse a run.
    init(_ folder: RunFolder) {
        ledger = try? Replacement(of: folder.ledger)
        checksums = try? Replacement(of: folder.checksums)
        manifest = try? Replacement(of: folder.manifest)
        manifest?.reserve(Self.manifestBytes)
        reserve(0)
    }

    /// Keeps room for a ledger of a length to be written once more, and for the checksums of its frames and stills.
    ///
    /// A row has 200 bytes and more, whether it was put right or not; a line of checksums has less than half of that,
    /// and there is none without a row.
    func reserve(_ ledgerByteCount: Int64) {
        // With the rows that may come while others have filled the disk.
        let most = ledgerByteCount + AppendFile.headroom
        ledger?.reserve(most + most / 4)
        checksums?.reserve(most / 2)
    }

    /// The file for a ledger that is put right; once.
    func takeLedger() -> Replacement? { Self.take(&ledger) }
    /// The file for the checksums; once.
    func takeChecksums() -> Replacement? { Self.take(&checksums) }
    /// The file for the manifest; once.
    func takeManifest() -> Replacement? { Self.take(&manifest) }

    /// What was not needed goes.
    func discardRest() {
        for each in [takeLedger(), takeChecksums(), takeManifest()] { each?.discard() }
    }

    private static func take(_ place: inout Replacement?) -> Replacement? {
        defer { place = nil }
        return place
    }
}
