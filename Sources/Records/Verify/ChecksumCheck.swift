internal import Imaging

/// Holds the stills of a finished run against its ledger, its events and `checksums`.
struct StillCheck {
    /// What the ledger promises: the slots whose steps ask for a still and whose frames are there.
    private(set) var expected: [(slot: Int64, format: StillFormat)] = []
    private let formats: [Int32: StillFormat]

    init(_ names: RunNames) { formats = names.stills }

    /// Whether a line of `checksums` is about a still.
    static func isStill(_ line: Substring) -> Bool { line.contains("  stills/") }

    /// Notes a row of the ledger.
    mutating func note(_ row: LedgerRow, isMissed: Bool) {
        guard row.reason == nil, !isMissed, let format = formats[row.step] else { return }
        expected.append((row.slot, format))
    }

    /// Compares.
    func check(_ run: RecordedRun, _ report: inout VerificationReport) {
        guard !formats.isEmpty else { return }
        guard let bytes = try? WholeFile.read(run.folder.checksums) else {
            // That it can't be read has been reported.
            return
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter(Self.isStill)
        var digests: [Substring: Substring] = [:]
        for line in lines { digests[line.dropFirst(66)] = line.prefix(64) }
        if digests.count < lines.count { report.add("checksums", "a still is listed twice") }
        for (slot, format) in expected {
            let name = "stills/\(StillFolder.name(slot: slot, format))"
            guard let listed = digests.removeValue(forKey: name[...]) else {
                report.add(
                    "checksums", "\(name) is not listed, and no event says that it is missing")
                continue
            }
            do {
                let digest = try FileDigest.ofFile("\(run.folder.path)/\(name)")
                if digest.description != listed {
                    report.add(name, "the SHA-256 is not the one in checksums")
                }
            } catch {
                report.add(unreadable: name, error)
            }
        }
        for name in digests.keys.sorted() {
            report.add("checksums", "\(name) is listed, and the ledger has no such still")
        }
    }
}
