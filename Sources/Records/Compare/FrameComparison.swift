internal import Glibc
internal import Imaging
internal import Notation

/// How the pixels of two runs differ, slot by slot; checksums are not asked.
struct FrameComparison {
    /// How one frame differs from the other.
    struct Difference: Hashable {
        let slot: Int64
        /// How many samples, by how much at the most, and where the first of them is.
        var samples: Int64 = 0
        var largest = 0
        var row = 0, column = 0
    }

    /// Differences that are kept; those behind them are counted.
    private static let most = 1_000

    private let readers: (any FrameReader, any FrameReader)
    private let format: PixelFormat
    private let width: Int
    /// Frames that were compared, and how many of them differ.
    private(set) var compared: Int64 = 0
    private(set) var differing: Int64 = 0
    private(set) var differences: [Difference] = []
    /// Slots that have a frame by their rows and none that can be read, in either run.
    private(set) var unreadable: Int64 = 0

    /// Nil where one run has no pixels, or frames of another kind than the other.
    init?(_ a: RecordedRun, _ b: RecordedRun) {
        guard let first = a.openFrames(), let second = b.openFrames(),
            a.frames.pixelFormat == b.frames.pixelFormat, a.frames.size == b.frames.size
        else { return nil }
        readers = (first, second)
        (format, width) = (a.frames.pixelFormat, a.frames.size.width)
    }

    /// Compares what both have at a slot.
    mutating func add(slot: Int64) {
        guard readers.0.read(slot: slot) == .frame, readers.1.read(slot: slot) == .frame else {
            unreadable += 1
            return
        }
        compared += 1
        let found = readers.0.withFrame { a in
            readers.1.withFrame { b in difference(slot, a, b) }
        }
        guard let found else { return }
        differing += 1
        if differences.count < Self.most { differences.append(found) }
    }

    private func difference(
        _ slot: Int64, _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
    ) -> Difference? {
        if a.count == b.count, let first = a.baseAddress, let second = b.baseAddress,
            memcmp(first, second, a.count) == 0
        {
            return nil
        }
        var difference = Difference(slot: slot)
        let step = format.bytesPerSample
        for offset in stride(from: 0, to: min(a.count, b.count), by: step) {
            let (first, second) = (sample(a, offset), sample(b, offset))
            guard first != second else { continue }
            if difference.samples == 0 {
                let pixel = offset / step / format.channels
                (difference.row, difference.column) = (pixel / width, pixel % width)
            }
            difference.samples += 1
            difference.largest = max(difference.largest, abs(first - second))
        }
        return difference
    }

    private func sample(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
        format.bytesPerSample == 1
            ? Int(bytes[offset]) : Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    var json: JSONValue {
        [
            "compared": .integer(compared), "differing": .integer(differing),
            "unreadable": .integer(unreadable),
            "slots": .array(
                differences.map { difference in
                    [
                        "slot": .integer(difference.slot),
                        "samples": .integer(difference.samples),
                        "largest": .integer(Int64(difference.largest)),
                        "row": .integer(Int64(difference.row)),
                        "column": .integer(Int64(difference.column)),
                    ]
                }),
        ]
    }

    /// A line for each frame that differs.
    var lines: [String] {
        let unreadable =
            unreadable > 0
            ? ["\(unreadable.of("frame")) can't be read in A or B: `framelock verify` says more"]
            : []
        return differences.map { difference in
            "slot \(difference.slot): \(difference.samples.of("sample")), by \(difference.largest) at the most, the"
                + " first in row \(difference.row), column \(difference.column)"
        } + unreadable
    }
}
