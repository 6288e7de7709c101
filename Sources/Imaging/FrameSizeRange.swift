/// Sizes that a driver offers as a range instead of a list.
public struct FrameSizeRange: Hashable, Sendable, CustomStringConvertible {
    /// Pixels in a row.
    public let width: ClosedRange<Int>
    /// From one width to the next, from the smallest; at least 1.
    public let widthStep: Int
    /// Rows.
    public let height: ClosedRange<Int>
    /// From one height to the next, from the smallest; at least 1.
    public let heightStep: Int

    /// Sizes that people ask for most, listed where a range has them.
    private static let common: [(width: Int, height: Int)] = [
        (320, 240), (640, 480), (800, 600), (1280, 720), (1280, 960), (1920, 1080), (2592, 1944),
        (3840, 2160),
    ]

    /// Creates a range.
    public init(
        width: ClosedRange<Int>, widthStep: Int = 1, height: ClosedRange<Int>, heightStep: Int = 1
    ) {
        self.width = width
        self.widthStep = max(1, widthStep)
        self.height = height
        self.heightStep = max(1, heightStep)
    }

    /// Whether the range has a size.
    public func contains(_ size: FrameSize) -> Bool {
        contains(width: size.width, height: size.height)
    }

    /// The smallest size, the common ones that lie in the range, the largest.
    public var examples: [FrameSize] {
        let ends = [(width.lowerBound, height.lowerBound), (width.upperBound, height.upperBound)]
        let between = Self.common.filter { contains(width: $0.width, height: $0.height) }
        var sizes: [FrameSize] = []
        for side in [ends[0]] + between.map({ ($0.width, $0.height) }) + [ends[1]] {
            guard let size = FrameSize(width: side.0, height: side.1) else { continue }
            if !sizes.contains(size) { sizes.append(size) }
        }
        return sizes
    }

    /// For example `16x16 to 4096x2160`.
    public var description: String {
        "\(width.lowerBound)x\(height.lowerBound) to \(width.upperBound)x\(height.upperBound)"
    }

    private func contains(width: Int, height: Int) -> Bool {
        self.width.contains(width) && (width - self.width.lowerBound) % widthStep == 0
            && self.height.contains(height) && (height - self.height.lowerBound) % heightStep == 0
    }
}
