extension DevelopedImage {
    /// The picture with whole squares of pixels as one, so that it is no wider than it may be; itself where it is not.
    ///
    /// For eyes: code values are averaged, not light. What is left at the right and lower edges is left out.
    ///
    /// - Parameter width: the most pixels of a row, 1 and more.
    /// - Precondition: samples of 8 bits.
    public func reduced(toWidth width: Int) -> DevelopedImage {
        precondition(bitsPerSample == 8, "pictures for eyes have 8 bits")
        let side = (size.width + width - 1) / width
        guard side > 1,
            let size = FrameSize(
                width: self.size.width / side, height: max(1, self.size.height / side))
        else { return self }
        let rows = min(side, self.size.height)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.width * size.height * channels)
        var sums = [Int](repeating: 0, count: size.width * channels)
        for row in 0..<size.height {
            for sum in sums.indices { sums[sum] = 0 }
            for source in row * rows..<(row + 1) * rows {
                var place = source * bytesPerRow
                for pixel in 0..<size.width {
                    for _ in 0..<side {
                        for channel in 0..<channels {
                            sums[pixel * channels + channel] += Int(self.bytes[place])
                            place += 1
                        }
                    }
                }
            }
            let count = side * rows
            for sum in sums { bytes.append(UInt8((sum + count / 2) / count)) }
        }
        return DevelopedImage(size: size, channels: channels, bitsPerSample: 8, bytes: bytes)
            ?? self
    }
}
