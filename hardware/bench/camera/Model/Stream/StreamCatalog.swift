/// Everything the camera offers to stream: for each layout the sizes, for each size the rates the bus can carry.
package struct StreamCatalog: Sendable {
    package struct Frame: Sendable {
        package let size: PictureSize
        /// Shortest first, in 100 ns.
        package let intervals: [Int]
    }

    package struct Format: Sendable {
        package let layout: PixelLayout
        package let frames: [Frame]
    }

    package let formats: [Format]

    /// Offers every combination that the bus can carry.
    ///
    /// - Parameter rates: frames per second, each at least 1.
    /// - Throws: ``EmptyCatalog`` if the bus can carry none of them.
    package init(
        layouts: [PixelLayout], sizes: [PictureSize], rates: [Int], speed: BusSpeed
    ) throws(EmptyCatalog) {
        let intervals = rates.map { 10_000_000 / $0 }.sorted()
        formats = layouts.compactMap { layout in
            let frames = sizes.compactMap { size in
                let fitting = intervals.filter {
                    StreamMode(layout: layout, size: size, interval100ns: $0).payloadBytes
                        <= speed.maximumPayloadBytes
                }
                return fitting.isEmpty ? nil : Frame(size: size, intervals: fitting)
            }
            return frames.isEmpty ? nil : Format(layout: layout, frames: frames)
        }
        guard !formats.isEmpty else { throw EmptyCatalog(speed: speed) }
    }

    /// The mode with these one-based indices, at the offered interval nearest to the wanted one.
    func mode(format: Int, frame: Int, interval100ns: Int) -> StreamMode {
        let format = formats[min(max(format, 1), formats.count) - 1]
        let frame = format.frames[min(max(frame, 1), format.frames.count) - 1]
        let nearest = frame.intervals.min { abs($0 - interval100ns) < abs($1 - interval100ns) }
        return StreamMode(
            layout: format.layout, size: frame.size,
            interval100ns: nearest ?? interval100ns)
    }
}

/// No wanted mode fits the bus.
package struct EmptyCatalog: Error, CustomStringConvertible {
    let speed: BusSpeed

    package var description: String {
        "no wanted size and rate fits a \(speed.rawValue)-speed bus, which carries "
            + "\(speed.maximumPayloadBytes) bytes in 125 us; use a smaller size, a lower rate, or "
            + "--speed super"
    }
}
