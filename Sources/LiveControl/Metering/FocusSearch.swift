/// Where autofocus searches, and how.
public struct FocusSearch: Hashable, Sendable {
    /// A part of the lens's way.
    public enum Range: String, Hashable, Sendable, CaseIterable {
        /// All of it.
        case all = "none"
        /// The nearer half.
        case near
        /// The farther half.
        case far
    }

    /// From where the lens comes when it stops at its place, since its play makes a difference.
    public enum Approach: String, Hashable, Sendable, CaseIterable {
        /// From far to near.
        case fromFar = "from_far"
        /// From near to far.
        case fromNear = "from_near"
    }

    /// The part that is searched.
    public var range: Range
    /// The side from which every place is approached.
    public var approach: Approach
    /// Whether steps are half as large, so that the picture changes smoothly.
    public var isSmooth: Bool
    /// Frames that are averaged at each place.
    public var framesPerPlace: Int

    /// Creates a search.
    public init(
        range: Range = .all, approach: Approach = .fromFar, isSmooth: Bool = false,
        framesPerPlace: Int = 2
    ) {
        precondition(framesPerPlace >= 1, "a place is measured")
        self.range = range
        self.approach = approach
        self.isSmooth = isSmooth
        self.framesPerPlace = framesPerPlace
    }

    /// Coarse steps over the whole way of the lens.
    var steps: Int64 { isSmooth ? 24 : 12 }
    /// A coarse step in millionths.
    var coarseStep: Int64 { 1_000_000 / steps }
    /// The fine step, a quarter of the coarse one: what the result is good for at least.
    public var fineStepMillionths: Int64 { coarseStep / 4 }
    /// How far beyond the first place the lens moves before an approach: a twentieth of its way.
    public static let overTravelMillionths: Int64 = 50_000

    /// The searched positions in millionths.
    var limits: ClosedRange<Int64> {
        switch range {
        case .all: 0...1_000_000
        case .near: 0...500_000
        case .far: 500_000...1_000_000
        }
    }

    /// The places from one end of a stretch to the other, in the order of the approach.
    ///
    /// - Parameters:
    ///   - stretch: positions in millionths.
    ///   - step: the wanted distance, adapted so that the last place is the other end.
    func places(over stretch: ClosedRange<Int64>, step: Int64) -> [Int64] {
        let length = stretch.upperBound - stretch.lowerBound
        let count = max((length + step / 2) / step, 1)
        let ascending = (0...count).map { stretch.lowerBound + length * $0 / count }
        return approach == .fromNear ? ascending : ascending.reversed()
    }

    /// A place that much before another in the order of the approach, as far as the lens goes.
    func before(_ place: Int64, by distance: Int64) -> Int64 {
        let moved = approach == .fromNear ? place - distance : place + distance
        return min(max(moved, 0), 1_000_000)
    }
}
