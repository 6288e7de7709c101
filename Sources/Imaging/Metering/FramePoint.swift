/// A point of a frame in millionths of its sides: (0, 0) is the top left corner, (1, 1) the bottom right.
public struct FramePoint: Hashable, Sendable {
    /// From the left side, in millionths of the width.
    public let xMillionths: Int64
    /// From the top, in millionths of the height.
    public let yMillionths: Int64

    /// The middle.
    public static let centre = FramePoint(inside: 500_000, 500_000)

    /// Creates a point; nil unless both are in 0…1,000,000.
    public init?(xMillionths x: Int64, yMillionths y: Int64) {
        guard (0...1_000_000).contains(x), (0...1_000_000).contains(y) else { return nil }
        self.init(inside: x, y)
    }

    init(inside x: Int64, _ y: Int64) {
        xMillionths = x
        yMillionths = y
    }

    /// A region around the point, moved inwards where it would stick out.
    ///
    /// - Parameters:
    ///   - size: the frame.
    ///   - horizontal: numerator and denominator of the region's share of the width; at least 2 pixels are taken.
    ///   - vertical: the same of the height.
    /// - Returns: a region whose corner and sides are even where the frame's are, so that it keeps Bayer quads whole.
    func region(
        in size: FrameSize, horizontal: (Int, Int), vertical: (Int, Int)
    ) -> FrameRegion {
        let (left, width) = Self.span(xMillionths, side: size.width, share: horizontal)
        let (top, height) = Self.span(yMillionths, side: size.height, share: vertical)
        guard let regionSize = FrameSize(width: width, height: height),
            let region = FrameRegion(left: left, top: top, size: regionSize)
        else { preconditionFailure("a part of a frame is a region") }
        return region
    }

    /// Start and length along one side, both even where the side has at least two pixels.
    ///
    /// - Parameter share: numerator and denominator of the side's part.
    private static func span(
        _ centreMillionths: Int64, side: Int, share: (Int, Int)
    ) -> (start: Int, count: Int) {
        let whole = max(side & ~1, min(side, 2))
        let count = min(max(side * share.0 / share.1 & ~1, 2), whole)
        let centre = Int(Int64(side) * centreMillionths / 1_000_000)
        let start = min(max(centre - count / 2, 0), whole - count) & ~1
        return (start, count)
    }
}
