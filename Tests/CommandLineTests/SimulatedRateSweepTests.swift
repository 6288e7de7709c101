import Foundation
import Testing

/// A simulated raw sensor whose steps have frame rates of their own: no row says what is not true.
@Suite struct SimulatedRateSweepTests {
    private static func recipe(_ profile: String) -> String {
        """
        framelock: 1
        name: rates
        camera: {use: simulated, profile: \(profile), format: {pixels: Y12, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 2 ms, gain: 2.0x}}
        sequence:
          - repeat: 6
            do:
              - for: {rate: [30 fps, 60 fps, 16 fps], exposure: [1 ms, 8 ms]}
                do: [{capture: 4}]
        """
    }

    /// The rates, in the order of the sweep, in lines of a microsecond.
    private static let periods: [Int64] = [33_333, 16_667, 62_500]

    private static func simulate(
        _ profile: String, _ faults: String, seed: Int = 7
    ) throws -> SimulatedRun {
        try SimulatedRun(recipe(profile), faults, "--seed", "\(seed)")
    }

    /// Frames that follow each other in a capture are as far apart as their rate says.
    private static func expectRates(_ record: SimulatedRun) throws {
        var compared = 0
        for (one, next) in zip(record.rows, record.rows.dropFirst()) {
            guard one["status"] == "frame", next["status"] == "frame",
                let slot = one["slot"].flatMap(Int.init), slot % 4 != 3,
                let before = one["device_sequence"].flatMap(Int64.init),
                let after = next["device_sequence"].flatMap(Int64.init)
            else { continue }
            let start = try record.trueEnd(before), end = try record.trueEnd(after)
            let period = periods[slot / 8 % 3] * 1_000
            #expect(end - start == period * (after - before), "slot \(slot)")
            compared += 1
        }
        #expect(compared > 60)
    }

    @Test func `without faults every row has its rate, and times that are as sharp as at one rate`()
        throws
    {
        let record = try Self.simulate("simulated-raw", "")
        #expect(record.status == 0)
        #expect(try record.wrong() == (0, 0))
        #expect(record.frames.count == 144)
        let widest = record.frames.compactMap { $0["session_half_width_ns"].flatMap(Int64.init) }
        #expect((widest.max() ?? .max) < 500_000)
        try Self.expectRates(record)
    }

    @Test(arguments: [1, 2, 3])
    func `interrupts that come late leave no time outside its bounds`(seed: Int) throws {
        let record = try Self.simulate("simulated-raw", "late-interrupt=10%", seed: seed)
        #expect(record.status == 0)
        #expect(try record.wrong() == (0, 0))
        #expect(record.event("timestamp-invalid").contains { $0["why"] as? String == "late" })
        try Self.expectRates(record)
    }

    @Test(arguments: [1, 2, 3])
    func `lost frames and late interrupts make holes, and no wrong row`(seed: Int) throws {
        let record = try Self.simulate(
            "simulated-raw-metadata", "drop=3%,lost-frame-end=2%,late-interrupt=5%", seed: seed)
        #expect(record.status == 80)
        #expect(try record.wrong() == (0, 0))
    }

    @Test(arguments: [1, 5])
    func `writes that are lost make no wrong row`(seed: Int) throws {
        let record = try Self.simulate("simulated-raw", "lost-write=10%", seed: seed)
        #expect(record.truth.contains { $0["fault"] as? String == "lost-write" })
        #expect(try record.wrong() == (0, 0))
    }

    @Test func `metadata say the exposure at every rate`() throws {
        let record = try Self.simulate("simulated-raw-metadata", "late-interrupt=5%")
        #expect(record.status == 0)
        #expect(try record.wrong() == (0, 0))
        #expect(record.frames.allSatisfy { $0["exposure_known_by"] == "metadata" })
    }
}
