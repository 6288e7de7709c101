internal import Devices
internal import Glibc
internal import Notation
internal import Records
internal import Simulation
internal import Timebase

/// `truth.jsonl`: what really happened in a simulation, a line for each frame of the sensor and each injected fault.
///
/// Belongs to the thread that runs the simulation until that has ended.
final class TruthFile: @unchecked Sendable {
    private static let name = "truth.jsonl"

    /// Lines that are not written yet, about a mebibyte at most; they wait here until there is a folder.
    private var text: [UInt8] = []
    /// The descriptor; −1 until ``open(in:)``.
    private var file: Int32 = -1
    private var path = ""
    /// The errno of the first write that failed, 0 for none; after it nothing more is written, and ``finish()`` throws
    /// it.
    private var failure: Int32 = 0
    /// How often each fault was injected, for the line at the end.
    private var faults: [SimulatedFault: Int] = [:]
    private var frames: [SimulatedFrame.Fate: Int] = [:]
    private var edges: [SimulatedEdge.Fate: Int] = [:]

    /// Creates the file in a run's folder, before the runner starts; what metering left in memory goes first.
    ///
    /// - Throws: `StorageError` if there is one already, or it can't be made.
    func open(in folder: RunFolder) throws {
        path = "\(folder.path)/\(Self.name)"
        file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw StorageError("create", path: path, errno: errno) }
    }

    /// Adds a line; called by the simulated world, so on the capture thread while the run lasts.
    ///
    /// Failures are kept for ``finish()``: a simulation must not go another way because its disk is full.
    func write(_ truth: SimulatedTruth) {
        switch truth {
        case .frame(let frame):
            frames[frame.fate, default: 0] += 1
            add(frame)
        case .edge(let edge):
            edges[edge.fate, default: 0] += 1
            add(edge)
        case .fault(let fault, let time, let value):
            faults[fault, default: 0] += 1
            add("{\"fault\":\"", fault.rawValue, "\",\"at_ns\":\(time.nanoseconds)")
            if let value {
                add(",\"control\":\"", value.control.name, "\",\"code\":\(value.code)")
            }
            add("}\n")
        }
        if text.count >= 1 << 20, file >= 0 { flush() }
    }

    /// Writes the rest and closes; called after the capture thread has been joined.
    ///
    /// - Returns: what was injected and what became of frames, in a line for people.
    /// - Throws: `StorageError` for the first write that failed.
    func finish() throws -> String {
        flush()
        if file >= 0, close(file) != 0, failure == 0 { failure = errno }
        guard failure == 0 else { throw StorageError("write", path: path, errno: failure) }
        let fates = SimulatedFrame.Fate.allCases.compactMap { fate in
            frames[fate].map { "\($0) \(fate.rawValue)" }
        }
        let injected = SimulatedFault.allCases.compactMap { fault in
            faults[fault].map { "\($0) \(fault.rawValue)" }
        }
        let pulses = SimulatedEdge.Fate.allCases.compactMap { fate in
            edges[fate].map { "\($0.of("edge")) \(fate.rawValue)" }
        }
        return (fates + pulses + injected).joined(separator: ", ")
    }

    private func add(_ frame: SimulatedFrame) {
        add("{\"frame\":\(frame.number),\"fate\":\"", frame.fate.rawValue, "\"")
        if let sequence = frame.sequence { add(",\"sequence\":\(sequence)") }
        add(",\"raw_timestamp_ns\":\(frame.timestamp.nanoseconds)")
        add(",\"exposure_end_ns\":\(frame.exposureEnd.nanoseconds)")
        for value in frame.codes { add(",\"", value.control.name, "\":\(value.code)") }
        if let light = frame.light { add(",\"light\":\(light)") }
        add("}\n")
    }

    private func add(_ edge: SimulatedEdge) {
        add("{\"edge\":", JSONValue.string(edge.line).text(.compact), ",\"fate\":\"")
        add(edge.fate.rawValue, "\",\"at_ns\":\(edge.time.nanoseconds)")
        if let sequence = edge.sequence { add(",\"number\":\(sequence)") }
        if let timestamp = edge.timestamp { add(",\"timestamp_ns\":\(timestamp.nanoseconds)") }
        add(edge.isBounce ? ",\"bounce\":true}\n" : "}\n")
    }

    private func add(_ parts: String...) {
        for part in parts { text.append(contentsOf: part.utf8) }
    }

    /// Writes all that waits, whatever `write` takes at a time; drops it after a failure.
    private func flush() {
        var rest = text[...]
        while !rest.isEmpty, failure == 0 {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                failure = errno
            }
        }
        text.removeAll(keepingCapacity: true)
    }
}
