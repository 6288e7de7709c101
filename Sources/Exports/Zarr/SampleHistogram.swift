/// How often each sample came in a channel, for the range that a viewer shows at first.
struct SampleHistogram {
    private var counts = [Int](repeating: 0, count: 1 << 16)
    private var total = 0

    /// Takes the samples of a plane, little-endian.
    mutating func add(_ samples: [UInt8], bytesPerSample: Int) {
        total += samples.count / bytesPerSample
        samples.withUnsafeBytes { bytes in
            counts.withUnsafeMutableBufferPointer { counts in
                if bytesPerSample == 1 {
                    for sample in bytes { counts[Int(sample)] += 1 }
                } else {
                    for sample in bytes.bindMemory(to: UInt16.self) {
                        counts[Int(UInt16(littleEndian: sample))] += 1
                    }
                }
            }
        }
    }

    /// The samples below which a thousandth lies, and above which a thousandth lies, at least one apart.
    var window: (start: Int64, end: Int64) {
        let start = sample(above: total / 1_000)
        return (start, max(start + 1, sample(above: total - 1 - total / 1_000)))
    }

    /// The sample at a place in order.
    private func sample(above place: Int) -> Int64 {
        var seen = 0
        for (sample, count) in counts.enumerated() {
            seen += count
            if seen > place { return Int64(sample) }
        }
        return 0
    }
}
