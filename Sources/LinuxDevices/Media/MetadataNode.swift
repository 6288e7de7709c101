internal import CVideo
internal import Devices
internal import Glibc

/// A metadata node that the graph brings embedded data to, and what its buffers hold.
struct MetadataNode: Hashable, Sendable {
    /// The device file.
    var path: String
    /// The format's four-character code.
    var code: UInt32
    /// Samples in a line, and lines; 0 where the driver counts bytes alone.
    var width: UInt32
    var height: UInt32
    /// Bytes of a buffer.
    var byteCount: UInt32

    /// What a node has to be set to for what comes out of the last pad before it.
    ///
    /// - Parameter named: the receiver's own four-character code; nil: by the bus code.
    init(path: String, _ format: BusFormat, named: String?) {
        self.path = path
        (width, height) = (format.width, format.height)
        byteCount = format.width &* format.height
        code = named.map { Self.code($0) } ?? Self.code(ofBus: format.code)
    }

    private static func code(_ text: String) -> UInt32 {
        text.utf8.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << ($1.offset * 8) }
    }

    /// The format of mainline's nodes by the bus code; `SENS` of the Raspberry Pi's own kernels for all others.
    private static func code(ofBus code: UInt32) -> UInt32 {
        switch code {
        case fl_bus_meta_8: fl_meta_sensor_8
        case fl_bus_meta_10: fl_meta_sensor_10
        case fl_bus_meta_12: fl_meta_sensor_12
        case fl_bus_meta_14: fl_meta_sensor_14
        default: fl_meta_sensor
        }
    }

    /// Sets the node, and takes what its driver made of it.
    ///
    /// The node is opened for this alone and must not have buffers yet.
    ///
    /// - Throws: ``DeviceError`` if it can't be opened, or keeps something else.
    mutating func set() throws(DeviceError) {
        let descriptor = fl_device_open(path)
        if descriptor == -EACCES || descriptor == -EPERM {
            throw DeviceError(.permission, MissingRight.message(path: path, group: "video"))
        }
        if let error = KernelError(result: descriptor) { throw failure("be opened", error) }
        defer { _ = close(descriptor) }
        var request = v4l2_format()
        request.type = V4L2_BUF_TYPE_META_CAPTURE.rawValue
        request.fmt.meta.dataformat = code
        request.fmt.meta.buffersize = byteCount
        // Only line formats have them; `SENS` is a run of bytes.
        if code != fl_meta_sensor { fl_meta_set_lines(&request, width, height) }
        if let error = KernelError(result: fl_s_fmt(descriptor, &request)) {
            throw failure("be set to \(fourCCText(code))", error)
        }
        guard request.fmt.meta.dataformat == code else {
            throw DeviceError(
                .unsupported,
                "the metadata node \(path) can't keep \(fourCCText(code)), but"
                    + " \(fourCCText(request.fmt.meta.dataformat))")
        }
        byteCount = request.fmt.meta.buffersize
    }

    private func failure(_ what: String, _ error: KernelError) -> DeviceError {
        DeviceError(
            error.code == EBUSY ? .busy : .failed,
            "the metadata node \(path) could not \(what): \(error)")
    }
}
