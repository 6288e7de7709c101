/// The tightest constraints of a run of any length: of each of so many stretches the one that bounds most from above
/// and the one that bounds most from below.
///
/// A fit of some constraints holds for all of them; up to ``stretches`` constraints none is left out.
struct Thinned<Element> {
    /// So many, whatever the length of a run: its memory.
    static var stretches: Int64 { 32_768 }

    private let total: Int64
    private var seen: Int64 = 0
    private var stretch: Int64 = -1
    /// The candidates of the stretch at hand, with their place.
    private var lowest: (place: Int64, ceiling: Int64, element: Element)?
    private var highest: (place: Int64, floor: Int64, element: Element)?
    private var kept: [Element] = []

    /// - Parameter total: how many will be added.
    init(of total: Int64) { self.total = max(1, total) }

    /// Adds the next one.
    ///
    /// - Parameters:
    ///   - ceiling: how far from a common line it bounds from above: the lowest of a stretch stays.
    ///   - floor: the same from below: the highest stays.
    mutating func add(_ element: Element, ceiling: Int64, floor: Int64) {
        let next =
            total <= Self.stretches
            ? seen : Int64(Int128(seen) * Int128(Self.stretches) / Int128(total))
        if next != stretch { closeStretch() }
        stretch = next
        if lowest.map({ ceiling < $0.ceiling }) ?? true { lowest = (seen, ceiling, element) }
        if highest.map({ floor > $0.floor }) ?? true { highest = (seen, floor, element) }
        seen += 1
    }

    private mutating func closeStretch() {
        if let lowest, let highest {
            let isOne = lowest.place == highest.place
            let isFirst = lowest.place <= highest.place
            kept.append(isFirst ? lowest.element : highest.element)
            if !isOne { kept.append(isFirst ? highest.element : lowest.element) }
        }
        (lowest, highest) = (nil, nil)
    }

    /// What is kept, in the order of adding; nothing is to be added any more.
    mutating func elements() -> [Element] {
        closeStretch()
        return kept
    }
}

/// Numbers that are evenly spaced among all, in room of fixed size: for a median that need not be exact.
///
/// Up to ``most`` numbers none is left out.
struct Sampled {
    private static let most = 65_536

    private var stride = 1
    private var seen = 0
    private var kept: [Int64] = []

    /// How many were added.
    var count: Int { seen }

    /// Adds a number.
    mutating func add(_ number: Int64) {
        if seen % stride == 0 {
            if kept.count == Self.most {
                kept = kept.indices.filter { $0 % 2 == 0 }.map { kept[$0] }
                stride *= 2
            }
            if seen % stride == 0 { kept.append(number) }
        }
        seen += 1
    }

    /// The middle one; nil if there are none.
    var median: Int64? { kept.isEmpty ? nil : kept.sorted()[kept.count / 2] }
}
