internal import Glibc

/// Recording 1920×1080 frames of 16 bits through the real path, against `dd` past the page cache on the same disk.
struct RecordingBenchmark {
    let folder: String
    let frames: Int64
    let rounds: Int

    private static let frameBytes: Int64 = 1920 * 1080 * 2

    func figures() throws -> [Figure] {
        let run = try ReadyRun(pixels: "Y16", width: 1920, height: 1080, frames: frames)
        var recorded: [Double] = []
        var copied: [Double] = []
        for round in 0..<rounds {
            let copy = DirectCopy(path: "\(folder)/dd", byteCount: frames * Self.frameBytes)
            // Alternately first and second, so that a disk that tires favours neither.
            if round % 2 == 0 { copied.append(try settled { try copy.bytesPerSecond() }) }
            recorded.append(try settled { try record(run) })
            if round % 2 == 1 { copied.append(try settled { try copy.bytesPerSecond() }) }
        }
        let ratio = Spread(zip(recorded, copied).map { $0 / $1 })
        let own = Spread(recorded.map { $0 / 1e6 })
        let disk = Spread(copied.map { $0 / 1e6 })
        return [
            Figure(
                name: "recording 1920x1080 16 bit", value: own.median, unit: "MB/s",
                note: "\(own.range), \(rounds) rounds of \(frames) frames"),
            Figure(
                name: "dd oflag=direct bs=4M, same bytes", value: disk.median, unit: "MB/s",
                note: disk.range),
            Figure(
                name: "recording / dd", value: ratio.median, unit: "", wish: .atLeast(0.8),
                note: ratio.range),
        ]
    }

    private func record(_ run: ReadyRun) throws -> Double {
        let path = "\(folder)/run"
        defer { ScratchFolder.remove(path) }
        let elapsed = try run.record(in: path)
        return Double(frames * Self.frameBytes) / elapsed.seconds
    }

    /// Measures on a disk that has nothing left to do from before.
    private func settled(_ measure: () throws -> Double) throws -> Double {
        sync()
        return try measure()
    }
}
