import Devices
import Records
import Simulation
import Testing
import Timebase

@Suite("Lens positions in recorded runs")
struct ApproachRowsTests {
    /// Position 0.5 from the near end and from the far one, on a lens that stops short of where it is sent.
    private static func run(_ approach: FocusModel.Approach?) throws -> BracketRun {
        var profile = CameraProfile.simulated
        profile.focus?.approach = approach
        profile.focus?.settle = .milliseconds(60)
        var options = SimulationOptions(hasNoise: false)
        options.lens.hysteresisCodes = 15
        options.scene.bestFocus = try #require(LensPosition(millionths: 550_000))
        return try BracketRun(
            "  - bracket: {lens: [0, 0.5, 1, 0.5]}", profile: profile, options: options)
    }

    @Test("F6 a recorded run comes to a position from its declared side: the same pixels each time")
    func repeatable() throws {
        let straight = try Self.run(nil).column("crc32c")
        #expect(straight[1] != straight[3], "the play shows when nothing is done about it")
        let run = try Self.run(FocusModel.Approach(side: .far, overTravelCodes: 50))
        let pixels = run.column("crc32c")
        #expect(pixels[1] == pixels[3])
        #expect(Set(pixels).count == 3)
        #expect(run.column("applied_lens_position") == ["0", "0.5", "1", "0.5"])
        #expect(run.judgement.verdict == .trustworthy)
    }

    @Test("F6 the approach is on record, and frames wait for both rests")
    func record() throws {
        let run = try Self.run(FocusModel.Approach(side: .far, overTravelCodes: 50))
        let approaches = run.events("lens-approach")
        // The lens counts from 1000 (near) to 0 (far), where it can go no further.
        #expect(approaches.compactMap { $0["asked"] as? Int } == [950, 450, 450])
        #expect(approaches.compactMap { $0["found"] as? Int } == [950, 450, 450])
        let timestamps = run.column("raw_timestamp_ns").compactMap { Int($0) }
        let writes = run.events("settings-written").compactMap { $0["begun_ns"] as? Int }
        var counts: [Int] = []
        for (before, after) in zip(timestamps, timestamps.dropFirst()) {
            let between = writes.filter { (before..<after).contains($0) }
            counts.append(between.count)
            let last = try #require(between.last)
            #expect(after - last >= 60_000_000)
            if between.count == 2 { #expect(last - between[0] >= 60_000_000) }
        }
        #expect(counts == [2, 1, 2])
        // The first position is taken before the stream starts; at the end the lens is put back, straight.
        #expect(writes.filter { $0 < timestamps[0] }.isEmpty)
        #expect(writes.filter { $0 > timestamps[3] }.count == 1)
    }
}
