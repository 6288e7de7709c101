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

    /// Adds lanes.
    ///
    /// - Parameter vectors: how many they hold, at most as many as lanes take.
    @inline(__always)
    mutating func add(_ other: Lanes, vectors count: Int) {
        vectors += count
        if vectors > Lanes.limit {
            lanes.carry(to: &carried)
            vectors = count
        }
        lanes.add(other)
    }
}
