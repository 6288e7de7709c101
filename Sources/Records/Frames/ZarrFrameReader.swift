internal import Imaging
internal import Notation
internal import Timebase

/// Reads frames back, one after the other, as `verify` needs them.
final class ZarrFrameReader {
    /// What is found at a slot.
    enum Chunk: Hashable {
        /// A frame; its bytes are in ``frame`` until the next call.
        case frame
        /// No frame.
        case missing
        /// Something that is no frame, in a file of the record.
        case broken(String, file: String)
    }

    let layout: ZarrLayout
    private let path: String
    private var shard: (number: Int64, file: OpenFile, index: ZarrShardIndex)?
    private var bytes: [UInt8]

    init(_ path: String, layout: ZarrLayout) {
        self.path = path
        self.layout = layout
        bytes = [UInt8](repeating: 0, count: layout.frameBytes)
    }

    /// Calls `body` with the frame that was read last.
    func withFrame<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes(body)
    }

    /// Reads what is at a slot.
    ///
    /// - Parameter isFresh: reads the shard's index again, since the run may have gone on.
    func read(slot: Int64, isFresh: Bool = false) -> Chunk {
        let number = layout.shard(of: slot)
        let name = "frames.zarr/\(layout.fileName(ofShard: number))"
        if isFresh || shard?.number != number {
            switch open(number) {
            case .missing: return .missing
            case .broken(let what, _): return .broken(what, file: name)
            case .frame: break
            }
        }
        guard let shard else { return .missing }
        let position = layout.position(of: slot)
        let entry = shard.index.entries[position]
        guard !entry.isMissing else { return .missing }
        guard entry.offset == UInt64(layout.offset(ofPosition: position)),
            entry.byteCount == UInt64(layout.frameBytes)
        else { return .broken("the index points to a wrong place for slot \(slot)", file: name) }
        do {
            let count = try shard.file.read(into: &bytes, at: Int64(entry.offset))
            guard count == bytes.count else {
                return .broken("the file ends within the frame of slot \(slot)", file: name)
            }
            return .frame
        } catch {
            return .broken("\(error)", file: name)
        }
    }

    private func open(_ number: Int64) -> Chunk {
        shard = nil
        let file = "\(path)/\(layout.fileName(ofShard: number))"
        guard WholeFile.exists(file) else { return .missing }
        do {
            let opened = try OpenFile.open(file)
            var block = [UInt8](repeating: 0, count: ZarrLayout.block)
            _ = try opened.read(into: &block, at: 0)
            let index = block.withUnsafeBytes {
                ZarrShardIndex($0, frames: layout.framesPerShard)
            }
            guard let index else { return .broken("the shard's index is damaged", file: file) }
            shard = (number, opened, index)
            return .frame
        } catch {
            return .broken("\(error)", file: file)
        }
    }
}
