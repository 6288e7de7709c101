/// The state of the video probe and commit controls (UVC 1.1, 34 bytes).
package struct StreamingControl: Sendable, Equatable {
    package static let byteCount = 34

    package var hint = 0
    package var formatIndex = 1
    package var frameIndex = 1
    package var interval100ns = 0

    package init() {}

    /// Reads what the host proposes; nil if it is too short.
    ///
    /// Sizes and clocks are not read: those are the camera's to say.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 26 else { return nil }
        hint = bytes[0...1].littleEndianUnsigned
        formatIndex = Int(bytes[2])
        frameIndex = Int(bytes[3])
        interval100ns = bytes[4...7].littleEndianUnsigned
    }

    /// The nearest proposal that the camera can keep.
    package func negotiated(_ catalog: StreamCatalog) -> StreamingControl {
        var result = self
        result.formatIndex = min(max(formatIndex, 1), catalog.formats.count)
        let frames = catalog.formats[result.formatIndex - 1].frames
        result.frameIndex = min(max(frameIndex, 1), frames.count)
        result.interval100ns = result.mode(catalog).interval100ns
        return result
    }

    package func mode(_ catalog: StreamCatalog) -> StreamMode {
        catalog.mode(format: formatIndex, frame: frameIndex, interval100ns: interval100ns)
    }

    /// The control as the host reads it.
    package func encoded(_ catalog: StreamCatalog) -> [UInt8] {
        let mode = mode(catalog)
        var builder = ByteBuilder()
        builder.littleEndian(hint, bytes: 2)
        builder.byte(UInt8(formatIndex))
        builder.byte(UInt8(frameIndex))
        builder.littleEndian(interval100ns, bytes: 4)
        builder.append([UInt8](repeating: 0, count: 10))
        builder.littleEndian(mode.frameBytes, bytes: 4)
        builder.littleEndian(mode.payloadBytes, bytes: 4)
        builder.littleEndian(Int(DeviceClock.ticksPerSecond), bytes: 4)
        // Frame identifier and end of frame are sent in every payload header.
        builder.byte(0x03)
        builder.append([0, 0, 0])
        return builder.bytes
    }
}
