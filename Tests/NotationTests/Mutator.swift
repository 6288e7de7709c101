import TestSupport

/// Damages texts the way fuzzers do: bytes flipped, dropped, doubled, words of the grammar put in.
struct Mutator {
    private var random: SeededGenerator
    private let words: [[UInt8]]

    init(seed: UInt64, words: [String]) {
        random = SeededGenerator(seed: seed)
        self.words = words.map { Array($0.utf8) }
    }

    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(4) { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = random.below(bytes.count + 1)
        switch random.below(7) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << random.below(8)
        case 1 where place < bytes.count: bytes[place] = UInt8(random.below(256))
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + random.below(8)))
        case 3: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 20)], at: place)
        case 4: bytes.removeLast(bytes.count - place)
        default: bytes.insert(contentsOf: random.element(of: words), at: place)
        }
    }
}
