/// The constraints near a time, as half planes of the offset at that time and the rate.
struct NearbyConstraints {
    /// All of them, the two of the rate's limit first.
    private(set) var planes = HalfPlanes()
    /// The nearest ceiling, and the limit of the rate that bounds the offset from above together with it; nil if
    /// there is no ceiling.
    private(set) var upperPair: (Int, Int)?
    /// The nearest floor, and the limit of the rate that bounds the offset from below together with it.
    private(set) var lowerPair: (Int, Int)?
    private var nearest: (ceiling: UInt64, floor: UInt64) = (.max, .max)
    private let wander: Wander
    private let time: Int64

    init(around time: Int64, rateLimit: Int64, wander: Wander) {
        self.time = time
        self.wander = wander
        planes.add(HalfPlane(offset: 0, rate: ClockRate.unit, limit: rateLimit))
        planes.add(HalfPlane(offset: 0, rate: -ClockRate.unit, limit: rateLimit))
    }

    /// Adds a ceiling: `offset + rate·distance ≤ limit`.
    mutating func add(ceiling offset: Int64, at time: Int64) {
        let distance = time - self.time
        guard let index = add(limit: offset, sign: 1, distance) else { return }
        if distance.magnitude < nearest.ceiling {
            upperPair = (index, distance > 0 ? 1 : 0)
            nearest.ceiling = distance.magnitude
        }
    }

    /// Adds a floor, mirrored: `−offset − rate·distance ≤ limit`.
    mutating func add(mirroredFloor offset: Int64, at time: Int64) {
        let distance = time - self.time
        guard let index = add(limit: offset, sign: -1, distance) else { return }
        if distance.magnitude < nearest.floor {
            lowerPair = (index, distance < 0 ? 1 : 0)
            nearest.floor = distance.magnitude
        }
    }

    /// The index of the half plane; nil if its numbers are too great, and then it is left out.
    private mutating func add(limit: Int64, sign: Int64, _ distance: Int64) -> Int? {
        let index = planes.count
        let (widened, hasOverflowed) = limit.addingReportingOverflow(wander.widening(distance))
        guard !hasOverflowed else { return nil }
        planes.add(HalfPlane(offset: sign, rate: sign * distance, limit: widened))
        return planes.count > index ? index : nil
    }
}
