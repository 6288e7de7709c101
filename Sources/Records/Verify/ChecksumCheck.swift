internal import Imaging

/// Holds the files that rows of the ledger promise, of a finished run, against `checksums`: shards and stills.
///
/// Order of calls: ``note(_:isMissed:)`` for every row, then ``check(_:_:)`` once.
struct ChecksumCheck {
    /// What the ledger promises, in the order of slots.
    private(set) var expected: [String] = []
    /// The file of the last frame, so that a shard is expected once.
    private var lastFrames: String?
    private let stills: [Int32: StillFormat]
    /// The frames and where they are in the folder; nil for a run without them.
    private let frames: (reader: any FrameReader, path: String)?

    init(_ run: RecordedRun) {
        stills = run.names.stills
        frames = run.openFrames().flatMap { reader in run.container.map { (reader, $0.path) } }
    }

    /// Whether a line of `checksums` is about such a file.
    func isOfRows(_ line: Substring) -> Bool {
        let name = line.dropFirst(Self.nameColumn)
        return Self.isStill(name) || isOfFrames(name)
    }

    /// Where names begin in a line of `sha256sum`: 64 digits and two spaces.
    private static let nameColumn = 66
    private static func isStill(_ name: Substring) -> Bool { name.hasPrefix("stills/") }

    private func isOfFrames(_ name: Substring) -> Bool {
        guard let (reader, path) = frames, name.hasPrefix("\(path)/") else { return false }
        return reader.hasFrames(String(name.dropFirst(path.utf8.count + 1)))
    }

    /// Notes a row of the ledger.
    ///
    /// - Parameter isMissed: whether an event reports its still as missing.
    mutating func note(_ row: LedgerRow, isMissed: Bool) {
        guard row.reason == nil else { return }
        if let (reader, path) = frames {
            let file = "\(path)/\(reader.file(ofSlot: row.slot))"
            if file != lastFrames { expected.append(file) }
            lastFrames = file
        }
        if !isMissed, let format = stills[row.step] {
            expected.append("stills/\(StillFolder.name(slot: row.slot, format))")
        }
    }

    /// Compares the files with their hashes, and what is listed with what is expected.
    ///
    /// Every frame is read once more here.
    func check(_ run: RecordedRun, _ report: inout VerificationReport) {
        guard let bytes = try? WholeFile.read(run.folder.checksums) else {
            // That it can't be read has been reported.
            return
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .filter(isOfRows)
        var digests: [Substring: Substring] = [:]
        for line in lines { digests[line.dropFirst(Self.nameColumn)] = line.prefix(64) }
        // `sha256sum -c` passes over a line without two spaces, and ends with 0.
        for line in lines where line.dropFirst(64).prefix(2) != "  " {
            report.add("checksums", "`\(line.dropFirst(64))` has not two spaces before the name")
        }
        if digests.count < lines.count { report.add("checksums", "a file is listed twice") }
        for name in expected {
            guard let listed = digests.removeValue(forKey: name[...]) else {
                let excuse = Self.isStill(name[...]) ? ", and no event reports it as missing" : ""
                report.add("checksums", "\(name) is not listed\(excuse)")
                continue
            }
            compare(name, listed, run, &report)
        }
        for (name, listed) in digests.sorted(by: { $0.key < $1.key }) {
            if Self.isStill(name) {
                report.add("checksums", "\(name) is listed, and the ledger has no such still")
            } else {
                // One in which no frame could be written.
                compare(String(name), listed, run, &report)
            }
        }
    }

    private func compare(
        _ name: String, _ listed: Substring, _ run: RecordedRun, _ report: inout VerificationReport
    ) {
        do {
            let digest = try FileDigest.ofFile("\(run.folder.path)/\(name)")
            if digest.description != listed {
                report.add(name, "the SHA-256 is not the one in checksums")
            }
        } catch {
            report.add(unreadable: name, error)
        }
    }
}
