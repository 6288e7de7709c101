internal import CVideo
internal import Devices

/// What a raw sensor reports of its frames, read from the metadata node beside them.
///
/// Where a media graph is set up, ``GraphPlanner`` has brought the data to the node; elsewhere the node is used as its
/// driver leaves it. Where it does not start, frames come without.
final class EmbeddedDataQueue {
    /// What a line begins with, and a few of its tags: without them nothing can be read of a buffer.
    private static let wiped = 64

    private let queue: MetadataQueue
    /// Which registers the sensor's figures are in.
    private let registers: EmbeddedDataFormat
    /// How bytes lie in a line; where the node does not state it, as in the first line that can be read.
    private var packing: EmbeddedData.Packing

    /// Opens the first of these nodes that keeps such data; nil if none does.
    ///
    /// - Parameters:
    ///   - paths: device files of metadata nodes.
    ///   - registers: which registers the sensor's figures are in.
    ///   - bufferCount: how many frame buffers the camera has.
    init?(_ paths: [String], _ registers: EmbeddedDataFormat = .smia, bufferCount: Int) {
        let formats = [
            fl_meta_sensor, fl_meta_sensor_8, fl_meta_sensor_10, fl_meta_sensor_12,
            fl_meta_sensor_14,
        ]
        var found: MetadataQueue?
        for path in paths where found == nil {
            // A frame's metadata waits as long as the frame.
            found = try? MetadataQueue(
                path: path, wanted: bufferCount + 2, formats: formats,
                remedy: "without it frames do not show what they were exposed with",
                wiped: Self.wiped)
        }
        guard let found else { return nil }
        queue = found
        self.registers = registers
        packing =
            switch found.format {
            case fl_meta_sensor_8: .bits8
            case fl_meta_sensor_12: .bits12
            case fl_meta_sensor_14: .bits14
            default: .bits10
            }
    }

    /// Starts before the frames' own stream: with the last of its nodes the receiver starts the sensor.
    func start() throws(DeviceError) {
        try queue.start()
    }
    /// Stops.
    func stop() { queue.stop() }

    /// What the sensor reports of a frame; nil if there is no buffer with its number and time, or one that was not
    /// filled.
    ///
    /// Whether the registers are the frame's own by the sensor's counter is for ``MetadataCounter`` to judge, which
    /// knows of missing frames. Frames are asked for in order. Allocates nothing.
    ///
    /// - Parameters:
    ///   - sequence: the frame's number.
    ///   - nanoseconds: the frame's timestamp; nil uses the number alone.
    func data(of sequence: UInt32, at nanoseconds: Int64? = nil) -> EmbeddedData? {
        guard let bytes = queue.take(sequence, at: nanoseconds), !bytes.isEmpty else { return nil }
        return read(bytes)
    }

    /// Reads a buffer as the last one was packed; of a node that does not state how, in every way, until one makes
    /// sense.
    private func read(_ bytes: UnsafeRawBufferPointer) -> EmbeddedData? {
        if let data = read(bytes, packing) { return data }
        guard queue.format == fl_meta_sensor else { return nil }
        // Each packing has its dummies elsewhere, so that only the right one can be read.
        var bits = EmbeddedData.Packing.bits8.rawValue
        while let other = EmbeddedData.Packing(rawValue: bits) {
            if let data = read(bytes, other) {
                packing = other
                return data
            }
            bits += 2
        }
        return nil
    }

    private func read(
        _ bytes: UnsafeRawBufferPointer, _ packing: EmbeddedData.Packing
    ) -> EmbeddedData? {
        // The first line has what is of use; how long lines are is the driver's affair.
        do throws(EmbeddedData.Problem) {
            return try EmbeddedData(
                bytes, lineByteCount: bytes.count, packing: packing, registers: registers)
        } catch { return nil }
    }
}
