/// What a second clock surely shows at one time of the first.
public struct ClockKnot<From: ClockDomain, To: ClockDomain>: BitwiseCopyable, Hashable, Sendable {
    /// The time on the first clock.
    public var time: Instant<From>
    /// The second clock shows this or more.
    public var earliest: Instant<To>
    /// The second clock shows this or less; not before ``earliest``.
    public var latest: Instant<To>

    /// Creates a knot.
    public init(at time: Instant<From>, earliest: Instant<To>, latest: Instant<To>) {
        precondition(earliest <= latest, "what is known lies between its bounds")
        self.time = time
        self.earliest = earliest
        self.latest = latest
    }

    /// Creates the knot between two others that lies on the straight lines between their bounds, rounded outwards.
    ///
    /// - Precondition: `time` lies between the times of `a` and `b`, which are not the same.
    init(at time: Instant<From>, between a: ClockKnot, _ b: ClockKnot) {
        precondition(a.time <= time && time <= b.time && a.time < b.time, "between two knots")
        let part = Int128(time.nanoseconds) - Int128(a.time.nanoseconds)
        let whole = Int128(b.time.nanoseconds) - Int128(a.time.nanoseconds)
        func between(_ a: Instant<To>, _ b: Instant<To>, rounding: Int128) -> Instant<To> {
            // Towards later by adding all but one part, towards earlier by floored division.
            let rise = Int128(b.nanoseconds) - Int128(a.nanoseconds)
            let (quotient, remainder) = (rise * part + rounding * (whole - 1))
                .quotientAndRemainder(dividingBy: whole)
            let share = quotient - (remainder < 0 ? 1 : 0)
            return Instant(nanoseconds: Int64(clamping: Int128(a.nanoseconds) + share))
        }
        self.init(
            at: time, earliest: between(a.earliest, b.earliest, rounding: 0),
            latest: between(a.latest, b.latest, rounding: 1))
    }

    /// The middle and its half-width.
    public var bounded: BoundedInstant<To> { BoundedInstant(earliest: earliest, latest: latest) }

    /// The knot that holds what either of two of one time holds.
    func union(_ other: ClockKnot) -> ClockKnot {
        ClockKnot(
            at: time, earliest: min(earliest, other.earliest), latest: max(latest, other.latest))
    }

    /// The knot with bounds further apart; as far as numbers go.
    func widened(by nanoseconds: Int64) -> ClockKnot {
        ClockKnot(
            at: time, earliest: earliest.adding(.nanoseconds(-nanoseconds)) ?? earliest,
            latest: latest.adding(.nanoseconds(nanoseconds)) ?? latest)
    }
}

extension BoundedInstant {
    /// The instant in the middle of two, with the bound that reaches both.
    ///
    /// - Precondition: `earliest` is not after `latest`.
    public init(earliest: Instant<Domain>, latest: Instant<Domain>) {
        let width = Int128(latest.nanoseconds) - Int128(earliest.nanoseconds)
        let middle = Int128(earliest.nanoseconds) + width / 2
        self.init(
            Instant(nanoseconds: Int64(middle)),
            halfWidth: Interval(nanoseconds: Int64(clamping: (width + 1) / 2)))
    }

    /// The standard uncertainty of a truth that may be anywhere within the bound: half-width / √3, rounded up.
    ///
    /// A uniform distribution's (GUM 4.3.7): width / √12.
    public var standardUncertainty: Interval {
        // 1/√3 = 0.577350269189626…
        let scaled = Int128(halfWidth.nanoseconds) * 577_350_269_189_626
        let unit = Int128(ClockRate.unit)
        return Interval(nanoseconds: Int64((scaled + unit - 1) / unit))
    }
}
