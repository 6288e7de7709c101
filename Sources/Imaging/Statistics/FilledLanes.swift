/// Lanes, how full they are, and what was carried over from them.
struct FilledLanes<Lanes: SampleLanes>: BitwiseCopyable {
    private var lanes = Lanes()
    private var vectors = 0
    private var carried = Lanes.Sums()

    /// Gives away what was added and begins again.
    mutating func take() -> Lanes.Sums {
        lanes.carry(to: &carried)
        defer { self = FilledLanes() }
        return carried
    }

    /// Adds one vector, for which there is room; see ``SampleLanes``.
    @inline(__always)
    mutating func add(_ bytes: SIMD16<UInt8>, _ other: SIMD16<UInt8>) {
        lanes.add(bytes, other)
    }

    /// Adds vectors that were added up elsewhere, for which there is room.
    @inline(__always)
    mutating func add(_ other: Lanes) {
        lanes.add(other)
    }

    /// Makes room for so many vectors, at most as many as lanes take.
    @inline(__always)
    mutating func makeRoom(for count: Int) {
        vectors += count
        guard vectors > Lanes.limit else { return }
        lanes.carry(to: &carried)
        vectors = count
    }
}
