/// Width and height in pixels.
package struct PictureSize: Sendable, Equatable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// One picture format at one rate.
package struct StreamMode: Sendable, Equatable {
    package let layout: PixelLayout
    package let size: PictureSize
    /// Frame period in the unit of UVC, 100 ns.
    package let interval100ns: Int

    package init(layout: PixelLayout, size: PictureSize, interval100ns: Int) {
        self.layout = layout
        self.size = size
        self.interval100ns = interval100ns
    }

    package var bytesPerRow: Int { size.width * layout.bytesPerPixel }
    package var frameBytes: Int { bytesPerRow * size.height }
    package var periodNanoseconds: Int64 { Int64(interval100ns) * 100 }

    /// The payload, header included, that each microframe has to carry so that a frame takes 0.9 of its period.
    package var payloadBytes: Int {
        let microframes = periodNanoseconds * 9 / 10 / BusSpeed.microframeNanoseconds
        guard microframes > 0 else { return .max }
        return (frameBytes + Int(microframes) - 1) / Int(microframes) + PayloadHeader.byteCount
    }
}
