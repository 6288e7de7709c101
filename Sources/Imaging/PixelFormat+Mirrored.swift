extension PixelFormat {
    /// The format of the same sensor when it reads its rows or columns backwards: the order of colours moves.
    public func mirrored(horizontally: Bool, vertically: Bool) -> PixelFormat {
        guard case .bayer(var pattern) = samples else { return self }
        if horizontally { pattern = pattern.mirroredHorizontally }
        if vertically { pattern = pattern.mirroredVertically }
        return PixelFormat.known.first {
            $0.samples == .bayer(pattern) && $0.bitsPerSample == bitsPerSample
                && $0.packing == packing
        } ?? self
    }
}

extension BayerPattern {
    fileprivate var mirroredHorizontally: BayerPattern {
        switch self {
        case .rggb: .grbg
        case .grbg: .rggb
        case .gbrg: .bggr
        case .bggr: .gbrg
        }
    }

    fileprivate var mirroredVertically: BayerPattern {
        switch self {
        case .rggb: .gbrg
        case .gbrg: .rggb
        case .grbg: .bggr
        case .bggr: .grbg
        }
    }
}
