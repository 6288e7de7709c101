import Devices
import TestSupport
import Testing

@testable import Tracking

/// Whose metadata are, by the settings that they show.
struct MetadataDelayTests {
    private typealias Settings = MetadataDelay.Settings

    @Test func `a run starts with as many frames as it takes to know whose metadata are`() {
        #expect(
            EmbeddedDataFormat.framesToIdentify == MetadataCounter.fewest + MetadataDelay.longest)
    }

    private static func setting(_ value: Int64) -> Settings { Settings(exposure: value, gain: 1) }

    /// What metadata are worth, where each frame was to have `wanted` and shows what is `found` of its place.
    private static func worth(
        _ wanted: [Settings], gaps: Set<Int> = [], isCounted: Bool = true,
        found: (Int) -> Settings?
    ) -> [MetadataDelay.Worth] {
        var delay = MetadataDelay()
        return wanted.indices.filter { !gaps.contains($0) }.map {
            delay.observe(
                found($0), isCounted: isCounted, expected: wanted[$0], at: Int64($0))
        }
    }

    /// Frames whose metadata refute nothing.
    private static func unclear(
        _ wanted: [Settings], gaps: Set<Int> = [], found: (Int) -> Settings?
    ) -> [Bool] {
        worth(wanted, gaps: gaps, found: found).map { !$0.refutes }
    }

    private static func values(_ count: Int, of period: Int) -> [Settings] {
        (0..<count).map { setting(Int64($0 % period)) }
    }

    @Test(arguments: 2...9)
    func `metadata that follow each change are their frame's own`(period: Int) {
        let wanted = Self.values(60, of: period)
        #expect(Self.unclear(wanted) { wanted[$0] }.allSatisfy { !$0 })
    }

    @Test(arguments: 1...4)
    func `metadata that are always some frames old are unclear from the first that differ`(age: Int)
    {
        let still = Array(repeating: Self.setting(100), count: 10)
        let wanted = still + Self.values(90, of: 11)
        let unclear = Self.unclear(wanted) { $0 < age ? nil : wanted[$0 - age] }
        #expect(unclear[10...].allSatisfy { $0 })
    }

    /// What the metadata of a frame show: the settings of its own, those of the frame before it, or of none.
    private enum Shown { case own, before, none }

    /// Whether metadata that show this, frame by frame from the second on, leave it unclear in the end whose they are.
    private static func isUnclear(after story: [Shown]) -> Bool {
        let wanted = (0...story.count).map { setting(Int64($0)) }
        return unclear(wanted) { place in
            guard place > 0 else { return nil }
            return switch story[place - 1] {
            case .own: wanted[place]
            case .before: wanted[place - 1]
            case .none: setting(99)
            }
        }.last ?? false
    }

    @Test func `a suspicion ends with three frames in a row that contradict it`() {
        #expect(Self.isUnclear(after: [.before, .none, .none]))
        #expect(!Self.isUnclear(after: [.before, .none, .none, .none]))
        // One that goes along with it begins the count anew.
        #expect(Self.isUnclear(after: [.before, .none, .none, .before, .none]))
        // So does a frame that contradicts nothing.
        let still = Array(repeating: Self.setting(1), count: 7)
        let found: [Int64?] = [nil, 0, 99, 1, 99, 1, 99, 1]
        let unclear = Self.unclear([Self.setting(0)] + still) { found[$0].map(Self.setting) }
        #expect(unclear == [false, true, true, true, true, true, true, true])
    }

    @Test func `a suspicion ends with three frames that are their own, if none goes along with it`()
    {
        #expect(Self.isUnclear(after: [.before, .own, .own]))
        #expect(!Self.isUnclear(after: [.before, .own, .own, .own]))
        #expect(Self.isUnclear(after: [.before, .own, .own, .before, .own]))
    }

    @Test func `a suspicion that three frames in a row confirmed stays`() {
        let confirmed: [Shown] = [.before, .before, .before]
        #expect(Self.isUnclear(after: confirmed + [.none, .none, .none, .none]))
        // Frames that contradict it between make them no row.
        #expect(
            !Self.isUnclear(
                after: [.before, .none, .before, .none, .before, .none, .none, .none]))
    }

    @Test
    func `where settings stand still for longer than metadata are late, changes alone are unclear`()
    {
        let wanted = (0..<100).map { Self.setting(Int64($0 / 20)) }
        let unclear = Self.unclear(wanted) { $0 < 2 ? nil : wanted[$0 - 2] }
        #expect((2..<100).allSatisfy { unclear[$0] || wanted[$0] == wanted[$0 - 2] })
    }

    @Test(arguments: 1...3)
    func `once a change was followed, a write that was lost is what metadata say`(lost: Int) {
        let wanted = Self.values(60, of: 5)
        let places = 30..<(30 + lost)
        let unclear = Self.unclear(wanted) { places.contains($0) ? wanted[29] : wanted[$0] }
        #expect(unclear.allSatisfy { !$0 })
    }

    @Test func `a write that is lost before any change was followed is unclear until some are`() {
        let wanted = Array(repeating: Self.setting(7), count: 10) + Self.values(10, of: 5)
        let unclear = Self.unclear(wanted) { $0 == 10 ? wanted[9] : wanted[$0] }
        #expect(unclear.indices.filter { unclear[$0] } == [10, 11, 12])
    }

    @Test
    func `the last write lost for good is known once nothing was to have the old value any more`() {
        let wanted =
            Array(repeating: Self.setting(7), count: 10)
            + Array(repeating: Self.setting(8), count: 30)
        let unclear = Self.unclear(wanted) { _ in Self.setting(7) }
        #expect(unclear[10] && unclear[..<10].allSatisfy { !$0 })
        #expect(unclear[17...].allSatisfy { !$0 })
    }

    @Test func `what none of the last frames was to have is believed at once`() {
        let wanted = Self.values(30, of: 5)
        #expect(Self.unclear(wanted) { _ in Self.setting(99) }.allSatisfy { !$0 })
    }

    @Test func `a gain that shows a frame later than foretold is real beside an exposure in time`()
    {
        let wanted = (0..<60).map { Settings(exposure: Int64($0 % 5), gain: Int64($0 % 7)) }
        let unclear = Self.unclear(wanted) {
            Settings(exposure: wanted[$0].exposure, gain: $0 == 0 ? 0 : wanted[$0 - 1].gain)
        }
        #expect(unclear.allSatisfy { !$0 })
    }

    @Test func `settings that stand still are proven by metadata of any age`() {
        let wanted = Array(repeating: Self.setting(5), count: 20)
        for worth in Self.worth(wanted, found: { _ in Self.setting(5) }) {
            #expect(worth.provesExposure && worth.provesGain)
        }
    }

    /// Two frames old, in a bracket of two: all but the first agree, also one whose write was lost.
    @Test func `old metadata that agree by chance prove nothing`() {
        let wanted = Array(repeating: Self.setting(0), count: 10) + Self.values(40, of: 2)
        let worth = Self.worth(wanted) { $0 < 2 ? nil : wanted[$0 - 2] }
        #expect(worth[12...].allSatisfy { !$0.provesExposure && $0.provesGain })
        // Without metadata before the first change nothing shows a difference at all.
        let late = Self.worth(wanted) { $0 < 14 ? nil : wanted[$0 - 2] }
        #expect(late[14...].allSatisfy { !$0.provesExposure })
    }

    @Test func `one coincidence does not exclude a delay that was seen`() {
        let wanted = Array(repeating: Self.setting(0), count: 10) + Self.values(60, of: 7)
        let unclear = Self.unclear(wanted) {
            $0 < 2 ? nil : $0 == 40 ? wanted[40] : wanted[$0 - 2]
        }
        #expect(unclear[11...].allSatisfy { $0 })
    }

    @Test func `a delay that begins to show is seen by the third change`() {
        let wanted = Self.values(60, of: 7)
        let unclear = Self.unclear(wanted) { $0 < 30 ? wanted[$0] : wanted[$0 - 1] }
        #expect(unclear[..<32].allSatisfy { !$0 } && unclear[32...].allSatisfy { $0 })
    }

    @Test func `without the sensor's count each frame's metadata may be old`() {
        let wanted = Array(repeating: Self.setting(0), count: 10) + Self.values(40, of: 5)
        let worth = Self.worth(wanted, isCounted: false) { wanted[$0] }
        #expect(worth[..<10].allSatisfy { $0.provesExposure })
        #expect(worth[11...].allSatisfy { !$0.provesExposure && $0.provesGain })
    }

    @Test func `a setting that shows within some frames is proven once it is known to show`() {
        var wanted: [Settings] = []
        for step in 0..<8 as Range<Int64> {
            wanted += Array(repeating: Self.setting(step % 2), count: 6)
            wanted += Array(repeating: Settings(gain: 1), count: 2)
        }
        let worth = Self.worth(wanted) {
            // It shows with the second of the two.
            wanted[$0].exposure == nil
                ? Self.setting(Int64(($0 + 1) / 8 % 2)) : wanted[$0]
        }
        for place in wanted.indices where wanted[place].exposure != nil {
            #expect(worth[place].provesExposure && worth[place].provesGain, "\(place)")
        }
    }

    @Test func `what a missing frame was to have may be what shows`() {
        let wanted = Array(repeating: Self.setting(0), count: 10) + (0..<20).map(Self.setting)
        let unclear = Self.unclear(wanted, gaps: [14, 15]) { $0 < 2 ? nil : wanted[$0 - 2] }
        #expect(unclear[11...].allSatisfy { $0 })
    }

    @Test
    func `where it is known what missing frames were to have, nothing is unclear behind them`() {
        var delay = MetadataDelay()
        let wanted = Self.values(60, of: 4)
        for place in wanted.indices {
            // The frame behind two that are missing still has what was written for them.
            let found = place == 40 ? wanted[37] : wanted[place]
            if [38, 39].contains(place) {
                delay.observeMissing(expected: wanted[place])
            } else {
                let worth = delay.observe(
                    found, isCounted: true, expected: wanted[place], at: Int64(place))
                #expect(worth.refutes)
            }
        }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `no wrong setting is taken for sure, however settings go and however old metadata are`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let age = Int.random(in: 1...4, using: &random)
        let kinds = Int64.random(in: 1...6, using: &random)
        var wanted: [Settings] = []
        for _ in 0..<300 {
            let exposure = Int64.random(in: 0...kinds, using: &random)
            let again = Int.random(in: 1...4, using: &random)
            wanted += Array(repeating: Self.setting(exposure), count: again)
        }
        let unclear = Self.unclear(wanted) { $0 < age ? nil : wanted[$0 - age] }
        for place in age..<wanted.count where wanted[place - age] != wanted[place] {
            #expect(unclear[place], "\(age) at \(place)")
        }
    }
}
