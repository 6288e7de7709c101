/// Squared differences between samples of 8 bits.
struct ByteDifferenceLanes: SampleLanes {
    typealias Vector = SIMD8<UInt16>

    /// A half of 16 bits for each vector and lane: below 2^32.
    static let limit = 1 << 14

    private var even = HalfLanes()
    private var odd = HalfLanes()

    @inline(__always)
    mutating func add(_ bytes: SIMD16<UInt8>, _ neighbours: SIMD16<UInt8>) {
        let low = Vector(repeating: 0xFF)
        let here = unsafeBitCast(bytes, to: Vector.self)
        let there = unsafeBitCast(neighbours, to: Vector.self)
        // Below 2^16 once squared, whatever the sign.
        let evens = (here & low) &- (there & low)
        let odds = (here &>> 8) &- (there &>> 8)
        even.add(unsafeBitCast(evens &* evens, to: SIMD4<UInt32>.self))
        odd.add(unsafeBitCast(odds &* odds, to: SIMD4<UInt32>.self))
    }

    @inline(__always)
    mutating func add(_ other: ByteDifferenceLanes) {
        even.add(other.even)
        odd.add(other.odd)
    }

    @inline(__always)
    mutating func carry(to sums: inout DifferenceSums) {
        sums.even += even.low + even.high
        sums.odd += odd.low + odd.high
        self = ByteDifferenceLanes()
    }
}

/// Squared differences between samples of 9 to 16 bits.
struct WordDifferenceLanes: SampleLanes {
    /// A half of 16 bits for each vector and lane: below 2^32.
    static let limit = 1 << 14

    private var even = HalfLanes()
    private var odd = HalfLanes()

    @inline(__always)
    mutating func add(_ bytes: SIMD16<UInt8>, _ neighbours: SIMD16<UInt8>) {
        let low = SIMD4<UInt32>(repeating: 0xFFFF)
        let here = unsafeBitCast(bytes, to: SIMD4<UInt32>.self)
        let there = unsafeBitCast(neighbours, to: SIMD4<UInt32>.self)
        // Below 2^32 once squared, whatever the sign.
        let evens = (here & low) &- (there & low)
        let odds = (here &>> 16) &- (there &>> 16)
        even.add(evens &* evens)
        odd.add(odds &* odds)
    }

    @inline(__always)
    mutating func add(_ other: WordDifferenceLanes) {
        even.add(other.even)
        odd.add(other.odd)
    }

    @inline(__always)
    mutating func carry(to sums: inout DifferenceSums) {
        sums.even += even.low + even.high << 16
        sums.odd += odd.low + odd.high << 16
        self = WordDifferenceLanes()
    }
}

/// What squared differences of even and of odd samples add up to.
struct DifferenceSums: EmptySums {
    var even: UInt64 = 0
    var odd: UInt64 = 0
}

/// Sums of the low and of the high halves of 32 bits, apart.
private struct HalfLanes: BitwiseCopyable {
    /// Sums of whole values modulo 2^32, of which ``highs`` tells the low halves.
    private var all = SIMD4<UInt32>.zero
    private var highs = SIMD4<UInt32>.zero

    @inline(__always)
    mutating func add(_ values: SIMD4<UInt32>) {
        all &+= values
        highs &+= values &>> 16
    }

    @inline(__always)
    mutating func add(_ other: HalfLanes) {
        all &+= other.all
        highs &+= other.highs
    }

    var low: UInt64 { (all &- (highs &<< 16)).total }
    var high: UInt64 { highs.total }
}
