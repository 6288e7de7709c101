extension PixelFormat {
    /// The format that a sensor's image has when it is flipped: reading begins with another column or row, and with it
    /// the order of colour filters is another.
    ///
    /// Flipping twice gives the first format back.
    ///
    /// Formats without a colour filter stay as they are. Used where a format is planned for other flips than those that
    /// the driver has at the moment, since V4L2 names only the present order.
    public func flipped(horizontally: Bool, vertically: Bool) -> PixelFormat {
        guard case .bayer(let pattern) = samples, horizontally || vertically else { return self }
        let turned = pattern.flipped(horizontally: horizontally, vertically: vertically)
        return PixelFormat.known.first {
            $0.samples == .bayer(turned) && $0.bitsPerSample == bitsPerSample
                && $0.packing == packing
        } ?? self
    }
}

extension BayerPattern {
    /// The pattern of a flipped image with an even number of rows and columns.
    func flipped(horizontally: Bool, vertically: Bool) -> BayerPattern {
        let columns: BayerPattern =
            switch self {
            case .rggb: horizontally ? .grbg : .rggb
            case .grbg: horizontally ? .rggb : .grbg
            case .gbrg: horizontally ? .bggr : .gbrg
            case .bggr: horizontally ? .gbrg : .bggr
            }
        guard vertically else { return columns }
        return switch columns {
        case .rggb: .gbrg
        case .gbrg: .rggb
        case .grbg: .bggr
        case .bggr: .grbg
        }
    }
}
