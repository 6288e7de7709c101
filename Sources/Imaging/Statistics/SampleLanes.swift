/// Sums in vector lanes.
///
/// Written with the standard library's SIMD types, so that it allocates nothing and every machine sums the same.
protocol SampleLanes: BitwiseCopyable {
    /// Where lanes are carried over to before they can overflow.
    associatedtype Sums: EmptySums

    /// How many vectors the lanes have room for, at least 16.
    static var limit: Int { get }

    init()

    /// Adds one vector.
    ///
    /// - Parameters:
    ///   - bytes: 16 bytes; those that do not count are 0.
    ///   - other: 16 bytes that these are compared with: with the largest code, or with their neighbours.
    mutating func add(_ bytes: SIMD16<UInt8>, _ other: SIMD16<UInt8>)

    /// Has to be called after up to 8 vectors: lanes may keep them apart from what they hold until then.
    mutating func settle()

    /// Adds other lanes.
    mutating func add(_ other: Self)

    /// Carries everything over, and begins again at 0.
    mutating func carry(to sums: inout Sums)
}

extension SampleLanes {
    @inline(__always)
    func settle() {}
}

/// Sums that begin with nothing.
protocol EmptySums: BitwiseCopyable {
    init()
}

/// Samples of 8 bits, and how many are saturated.
struct ByteLanes: SampleLanes {
    typealias Vector = SIMD8<UInt16>

    /// 255 codes × 255 vectors < 2^16, and 255 hits fit into a byte.
    static let limit = 255

    /// Sums of words modulo 2^16, of which ``odd`` tells the even bytes.
    private var all = Vector.zero
    private var odd = Vector.zero
    private var hits = SIMD16<UInt8>.zero

    @inline(__always)
    mutating func add(_ bytes: SIMD16<UInt8>, _ full: SIMD16<UInt8>) {
        let words = unsafeBitCast(bytes, to: Vector.self)
        all &+= words
        odd &+= words &>> 8
        // A lane that equals is −1.
        hits &-= unsafeBitCast(bytes .== full, to: SIMD16<UInt8>.self)
    }

    @inline(__always)
    mutating func add(_ other: ByteLanes) {
        all &+= other.all
        odd &+= other.odd
        hits &+= other.hits
    }

    @inline(__always)
    mutating func carry(to sums: inout SampleSums) {
        let low = SIMD4<UInt32>(repeating: 0xFFFF)
        let evens = unsafeBitCast(all &- (odd &<< 8), to: SIMD4<UInt32>.self)
        let odds = unsafeBitCast(odd, to: SIMD4<UInt32>.self)
        sums.quarters.0 &+= evens & low
        sums.quarters.1 &+= odds & low
        sums.quarters.2 &+= evens &>> 16
        sums.quarters.3 &+= odds &>> 16
        let words = unsafeBitCast(hits, to: Vector.self)
        let evenHits = unsafeBitCast(words & Vector(repeating: 0xFF), to: SIMD4<UInt32>.self)
        let oddHits = unsafeBitCast(words &>> 8, to: SIMD4<UInt32>.self)
        sums.evenHits &+= (evenHits & low) &+ (evenHits &>> 16)
        sums.oddHits &+= (oddHits & low) &+ (oddHits &>> 16)
        self = ByteLanes()
    }
}

/// Samples of 9 to 16 bits, and how many are saturated.
struct WordLanes: SampleLanes {
    typealias Vector = SIMD8<UInt16>

    /// (2^16 − 1) × 2^14 < 2^32, and 2^14 hits fit into a word.
    static let limit = 1 << 14

    /// Sums of pairs modulo 2^32, of which ``odd`` tells the even words.
    private var all = SIMD4<UInt32>.zero
    private var odd = SIMD4<UInt32>.zero
    private var hits = Vector.zero

    @inline(__always)
    mutating func add(_ bytes: SIMD16<UInt8>, _ full: SIMD16<UInt8>) {
        add(unsafeBitCast(bytes, to: Vector.self))
        count(bytes, full)
    }

    /// Adds words, samples or sums of some.
    @inline(__always)
    mutating func add(_ words: Vector) {
        let pairs = unsafeBitCast(words, to: SIMD4<UInt32>.self)
        all &+= pairs
        odd &+= pairs &>> 16
    }

    /// Counts saturated samples.
    @inline(__always)
    mutating func count(_ bytes: SIMD16<UInt8>, _ full: SIMD16<UInt8>) {
        hits &-= unsafeBitCast(
            unsafeBitCast(bytes, to: Vector.self) .== unsafeBitCast(full, to: Vector.self),
            to: Vector.self)
    }

    @inline(__always)
    mutating func add(_ other: WordLanes) {
        all &+= other.all
        odd &+= other.odd
        hits &+= other.hits
    }

    @inline(__always)
    mutating func carry(to sums: inout SampleSums) {
        let pairs = unsafeBitCast(hits, to: SIMD4<UInt32>.self)
        sums.evenWords += (all &- (odd &<< 16)).total
        sums.oddWords += odd.total
        sums.evenHits &+= pairs & SIMD4(repeating: 0xFFFF)
        sums.oddHits &+= pairs &>> 16
        self = WordLanes()
    }
}

/// Samples of 9 to 13 bits, and how many are saturated: of 8 vectors, the sums fit into the samples' own lanes.
struct ShortWordLanes: SampleLanes {
    static let limit = WordLanes.limit

    /// How many bits a sample may have: 8 × (2^13 − 1) < 2^16.
    static let bits = 13

    private var settled = WordLanes()
    private var recent = SIMD8<UInt16>.zero
    /// All bits that were seen.
    private var seen = SIMD8<UInt16>.zero

    @inline(__always)
    mutating func add(_ bytes: SIMD16<UInt8>, _ full: SIMD16<UInt8>) {
        let words = unsafeBitCast(bytes, to: SIMD8<UInt16>.self)
        recent &+= words
        seen |= words
        settled.count(bytes, full)
    }

    @inline(__always)
    mutating func settle() {
        settled.add(recent)
        recent = .zero
    }

    @inline(__always)
    mutating func add(_ other: ShortWordLanes) {
        settled.add(other.settled)
        seen |= other.seen
    }

    @inline(__always)
    mutating func carry(to sums: inout SampleSums) {
        settled.carry(to: &sums)
        if seen.max() >> Self.bits != 0 { sums.isExceeded = true }
        seen = .zero
    }
}

/// What samples add up to, by their place in the vector.
struct SampleSums: EmptySums {
    /// Sums of bytes 0, 4, 8, 12 of each vector; of 1, 5, 9, 13; and so on.
    var quarters: (SIMD4<UInt32>, SIMD4<UInt32>, SIMD4<UInt32>, SIMD4<UInt32>) =
        (.zero, .zero, .zero, .zero)
    /// Sums of words 0, 2, 4, 6.
    var evenWords: UInt64 = 0
    /// Sums of words 1, 3, 5, 7.
    var oddWords: UInt64 = 0
    /// How many even samples are saturated.
    var evenHits = SIMD4<UInt32>.zero
    /// How many odd ones are.
    var oddHits = SIMD4<UInt32>.zero
    /// Whether there was a sample that the lanes were not made for; the sums are wrong then.
    var isExceeded = false

    /// The sum of even samples.
    var even: UInt64 { quarters.0.total + quarters.2.total + evenWords }
    /// The sum of odd samples.
    var odd: UInt64 { quarters.1.total + quarters.3.total + oddWords }
    /// How many samples are saturated.
    var hits: UInt64 { evenHits.total + oddHits.total }

    /// The sum of one byte of all vectors.
    func sum(ofByte index: Int) -> UInt64 {
        let quarter =
            switch index % 4 {
            case 0: quarters.0
            case 1: quarters.1
            case 2: quarters.2
            default: quarters.3
            }
        return UInt64(quarter[index / 4])
    }
}

extension SIMD4<UInt32> {
    /// The sum of the lanes.
    @inline(__always)
    var total: UInt64 { UInt64(self[0]) + UInt64(self[1]) + UInt64(self[2]) + UInt64(self[3]) }
}
