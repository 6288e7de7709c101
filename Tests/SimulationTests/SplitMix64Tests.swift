import Simulation
import Testing

struct SplitMix64Tests {
    /// The first numbers of seed 1234567, as Vigna's reference program prints them.
    @Test func `numbers are those of the published generator`() {
        var random = SplitMix64(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
        #expect(random.next() == 3_203_168_211_198_807_973)
    }
}
