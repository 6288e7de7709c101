internal import Glibc

/// Resident memory over many small frames: it must not grow with the length of a run.
struct MemoryBenchmark {
    let folder: String
    let frames: Int64

    func figures() throws -> [Figure] {
        let run = try ReadyRun(pixels: "GREY", width: 64, height: 48, frames: frames)
        let samples = Samples()
        let step = frames / 10
        let world = ReadyWorld { number in
            if number % step == 0 { samples.add() }
        }
        let elapsed = try run.record(in: "\(folder)/small", world: world)
        samples.add()
        // The first tenth fills every pool, buffer and cache; from there on nothing may be added.
        let settled = samples.kilobytes[1]
        let growth = samples.kilobytes[1...].map { $0 - settled }.max() ?? 0
        return [
            Figure(
                name: "small frames, 64x48 8 bit", value: Double(frames) / elapsed.seconds,
                unit: "frames/s", note: "\(frames) frames"),
            Figure(
                name: "memory growth after the first tenth", value: Double(growth), unit: "kB",
                wish: .atMost(1_024),
                note: "VmRSS in kB, start, each tenth, end: "
                    + samples.kilobytes.map { "\($0)" }.joined(separator: " ")),
        ]
    }

    private final class Samples {
        private(set) var kilobytes: [Int] = []

        func add() { kilobytes.append(Self.residentKilobytes()) }

        /// The second number of `/proc/self/statm` is the resident pages.
        private static func residentKilobytes() -> Int {
            let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return 0 }
            defer { close(file) }
            var text = [UInt8](repeating: 0, count: 128)
            let count = text.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            let words = String(decoding: text.prefix(max(0, count)), as: UTF8.self)
                .split(separator: " ")
            guard words.count > 1, let pages = Int(words[1]) else { return 0 }
            return pages * sysconf(Int32(_SC_PAGESIZE)) / 1_024
        }
    }
}
