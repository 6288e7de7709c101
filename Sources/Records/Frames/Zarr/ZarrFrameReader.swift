internal import Imaging
internal import Notation
internal import Timebase

/// Reads the frames of a Zarr image, strictly as the store writes them: other Zarr arrays are not read.
///
/// The index of the shard that was read last is kept, so that slots in order cost one index for each shard.
final class ZarrFrameReader: FrameReader {
    private let path: String
    private let frames: FrameSeries
    private let layout: ZarrLayout
    /// The open shard; nil before the first slot, and after a shard that is missing or broken.
    private var shard: (number: Int64, file: OpenFile, index: ZarrShardIndex)?
    /// The frame that was read last, in the record's layout.
    private lazy var bytes = [UInt8](repeating: 0, count: layout.frameBytes)

    init(_ path: String, _ frames: FrameSeries) {
        self.path = path
        self.frames = frames
        layout = ZarrLayout(pixelFormat: frames.pixelFormat, size: frames.size)
    }

    func withFrame<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes(body)
    }

    /// A frame must lie in its fixed place with its full length: an index with anything else is broken, even where
    /// Zarr would allow it.
    func read(slot: Int64, isFresh: Bool) -> FoundFrame {
        let number = layout.shard(of: slot)
        let name = layout.fileName(ofShard: number)
        if isFresh || shard?.number != number {
            let found = open(number)
            if found != .frame { return found }
        }
        guard let shard else { return .missing }
        let position = layout.position(of: slot)
        let entry = shard.index.entries[position]
        guard !entry.isMissing else { return .missing }
        guard entry.offset == UInt64(layout.offset(ofPosition: position)),
            entry.byteCount == UInt64(layout.frameBytes)
        else {
            return broken("the index points to a wrong place for slot \(slot)", name)
        }
        do {
            let count = try shard.file.read(into: &bytes, at: Int64(entry.offset))
            guard count == bytes.count else {
                return broken("the file ends within the frame of slot \(slot)", name)
            }
            return .frame
        } catch {
            return broken("\(error)", name)
        }
    }

    /// Opens a shard and reads its index.
    ///
    /// - Returns: `frame` if there is an index now; no file is no frame of any of its slots.
    private func open(_ number: Int64) -> FoundFrame {
        shard = nil
        let name = layout.fileName(ofShard: number)
        let file = "\(path)/\(name)"
        guard WholeFile.exists(file) else { return .missing }
        do {
            let opened = try OpenFile.open(file)
            var block = [UInt8](repeating: 0, count: ZarrLayout.block)
            _ = try opened.read(into: &block, at: 0)
            let index = block.withUnsafeBytes {
                ZarrShardIndex($0, frames: layout.framesPerShard)
            }
            guard let index else { return broken("the shard's index is damaged", name) }
            shard = (number, opened, index)
            return .frame
        } catch {
            return broken("\(error)", name)
        }
    }

    private func broken(_ message: String, _ file: String) -> FoundFrame {
        .broken(FrameProblem(file: file, message: message))
    }

    func file(ofSlot slot: Int64) -> String { layout.fileName(ofShard: layout.shard(of: slot)) }

    /// Chunks have the prefix `0/c/` by the array's key encoding; everything else describes them.
    func hasFrames(_ file: String) -> Bool { file.hasPrefix("0/c/") }

    /// The metadata is that of such frames, and an array without a planned length is as long as the ledger.
    func problems(slots: Int64?) -> [FrameProblem] {
        let metadata = ZarrMetadata(layout: layout, frames: frames)
        let array = json("0/zarr.json")
        let length = array?["shape"]?[0]?.integerValue
        let expected = [
            ("zarr.json", metadata.group, json("zarr.json")),
            ("0/zarr.json", metadata.array(slots: frames.plannedSlots ?? length ?? 0), array),
        ]
        var problems = expected.filter { $0.1 != $0.2 }.map {
            FrameProblem(file: $0.0, message: "this is not the metadata of such frames")
        }
        if frames.plannedSlots == nil, let length, let slots, length != slots {
            problems.append(
                FrameProblem(
                    file: "0/zarr.json",
                    message: "the array has \(length) slots, the ledger \(slots)"))
        }
        return problems
    }

    /// A JSON file; nil if it can't be read or is none.
    private func json(_ name: String) -> JSONValue? {
        guard let bytes = try? WholeFile.read("\(path)/\(name)") else { return nil }
        return try? JSONReader.read(bytes, name: name)
    }
}
