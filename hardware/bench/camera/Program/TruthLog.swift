import BenchCameraModel
import Glibc

/// The truth about each frame as comma separated values, one line a frame, in the order of their counters.
struct TruthLog: ~Copyable {
    static let header =
        "stream,counter,readout_start_ns,exposure_ns,gain,focus,temperature,red,blue,brightness,"
        + "delivered,fault\n"

    private let file: Int32

    init(path: String) throws(SystemFailure) {
        file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw SystemFailure("cannot create the truth log \(path)") }
        try append(Self.header)
    }

    deinit { close(file) }

    func write(_ outcome: FrameOutcome) throws(SystemFailure) {
        let truth = outcome.truth
        let numbers: [Int64] = [
            Int64(truth.stream), Int64(truth.counter), truth.readoutStartNanoseconds,
            truth.exposureNanoseconds, Int64(truth.gain), Int64(truth.focus),
            Int64(truth.temperature), Int64(truth.red), Int64(truth.blue), Int64(truth.brightness),
            outcome.fault == nil ? 1 : 0,
        ]
        let fault = outcome.fault?.rawValue ?? ""
        try append(numbers.map(String.init).joined(separator: ",") + "," + fault + "\n")
    }

    private func append(_ text: String) throws(SystemFailure) {
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw SystemFailure("cannot write the truth log")
        }
    }
}
