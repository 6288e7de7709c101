import Foundation
import Testing

/// A simulated raw sensor with what its receiver and its driver do to it: no row says what is not true, or better than
/// it is known.
@Suite struct SimulatedRawSensorTests {
    private static func recipe(_ profile: String) -> String {
        """
        framelock: 1
        name: raw
        camera: {use: simulated, profile: \(profile), format: {pixels: Y12, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 2 ms, gain: 2.0x}}
        sequence:
          - repeat: 15
            do:
              - for: {exposure: [1 ms, 2 ms, 4 ms, 8 ms]}
                do: [{capture: 2}]
        """
    }

    private static func simulate(
        _ profile: String, _ faults: String, seed: Int = 7
    ) throws -> SimulatedRun {
        try SimulatedRun(recipe(profile), faults, "--seed", "\(seed)")
    }

    @Test func `without faults the registers add nothing but certainty`() throws {
        let record = try Self.simulate("simulated-raw", "")
        #expect(record.status == 0)
        #expect(try record.wrong() == (0, 0))
        #expect(record.frames.count == 120)
        let widest = record.frames.compactMap { $0["session_half_width_ns"].flatMap(Int64.init) }
        #expect((widest.max() ?? .max) < 500_000)
    }

    @Test func `interrupts that come late leave no time outside its bounds`() throws {
        let record = try Self.simulate("simulated-raw", "late-interrupt=10%")
        #expect(record.status == 0)
        #expect(try record.wrong() == (0, 0))
        #expect(record.event("timestamp-invalid").contains { $0["why"] as? String == "late" })
        let widest = record.frames.compactMap { $0["session_half_width_ns"].flatMap(Int64.init) }
        #expect((widest.max() ?? .max) < 1_000_000)
    }

    @Test func `a frame whose end was missed has the next one's timestamp, and its bounds say so`()
        throws
    {
        let record = try Self.simulate("simulated-raw", "lost-frame-end=4%,late-interrupt=5%")
        #expect(record.truth.contains { $0["fault"] as? String == "lost-frame-end" })
        #expect(try record.wrong() == (0, 0))
        #expect(record.status == 80)
    }

    @Test func `a driver that understates its pixel rate makes no exposure known`() throws {
        let record = try Self.simulate("simulated-raw", "understated-pixel-rate")
        #expect(record.status == 81)
        let told = try #require(record.event("period-mismatch").first)
        #expect(abs(try #require(told["expected_ns"] as? NSNumber).int64Value - 33_333_000) < 1_000)
        #expect(abs(try #require(told["found_ns"] as? NSNumber).int64Value - 16_666_500) < 2_000)
        #expect(try record.wrong(scale: 0.5) == (0, 0))
        #expect(record.frames.allSatisfy { ["", "none"].contains($0["exposure_known_by"] ?? "") })
    }

    /// With seed 1 the last of them are never followed by one that shows.
    @Test(arguments: ["lost-write=3%", "lost-write=4%,lost-write-run=3"], [1, 5, 7])
    func `writes that are lost are found in the brightness, and no row has what its frame had not`(
        _ faults: String, seed: Int
    ) throws {
        let record = try Self.simulate("simulated-raw", faults, seed: seed)
        #expect(record.truth.contains { $0["fault"] as? String == "lost-write" })
        #expect(try record.wrong() == (0, 0))
        #expect(record.status == 81)
        // Rows that rest on the camera's word alone are doubted when the run ends.
        let doubted = Set(
            try record.event("setting-doubted").filter { $0["setting"] as? String == "exposure" }
                .map { "\(try SimulatedRun.number($0["sequence"]))" })
        #expect(record.frames.allSatisfy { $0["exposure_known_by"] != "read-back" })
        let refuted = record.frames.filter {
            $0["applied_exposure_ns"] != $0["requested_exposure_ns"]
                && !doubted.contains($0["device_sequence"] ?? "")
        }
        #expect(!refuted.isEmpty)
        #expect(record.event("setting-contradicted").count == refuted.count)
        #expect(refuted.allSatisfy { ["pixels", "none"].contains($0["exposure_known_by"]) })
    }

    @Test func `metadata that are another frame's are not believed`() throws {
        let record = try Self.simulate(
            "simulated-raw-metadata", "metadata-wrong=5%,metadata-loss=3%,late-interrupt=5%")
        #expect(record.event("metadata-mismatch").count > 2)
        #expect(record.event("setting-contradicted").isEmpty)
        #expect(try record.wrong() == (0, 0))
        #expect(record.status == 0)
    }

    @Test func `metadata that are always those of the frame before are never a row's`() throws {
        let record = try Self.simulate("simulated-raw-metadata", "metadata-wrong=100%")
        #expect(!record.event("setting-contradicted").isEmpty)
        #expect(try record.wrong() == (0, 0))
        #expect(record.status == 81)
    }

    /// One setting in frames of 320x240.
    private static func still(_ rate: String, frames: Int) -> String {
        """
        framelock: 1
        name: raw
        camera: {use: simulated, profile: simulated-raw, format: {pixels: GREY, size: 320x240, rate: \(rate)}}
        lock: {exposure: {duration: 4 ms, gain: 2.0x}}
        sequence: [{capture: \(frames)}]
        """
    }

    /// Of few frames in a second some agree by chance, and are late all the same.
    @Test(arguments: [
        ("10 fps", 20, 3, 2_026_112_798_064), ("5 fps", 20, 3, 2_026_112_798_005),
        ("15 fps", 30, 1, 2_026_112_798_241), ("5 fps", 8, 3, 2_026_112_798_486),
    ])
    func `timestamps half of which are late refute the profile`(
        rate: String, frames: Int, late: Int, seed: Int
    ) throws {
        let record = try SimulatedRun(
            Self.still(rate, frames: frames), "jitter=\(late)ms", "--seed", "\(seed)")
        #expect(record.status == 83)
    }

    @Test(arguments: [
        ("drop=20%,timestamp-stuck=0.3s@0.4s", 2_026_113_001_680),
        ("drop=50%,timestamp-zero=50%", 2_026_113_001_668),
        ("drop=50%,timestamp-zero=50%", 2_026_113_001_718),
        ("drop=50%,timestamp-zero=50%", 2_026_113_001_758),
    ])
    func `frames without a time of their own are distinguished where numbers are disputed`(
        faults: String, seed: Int
    ) throws {
        let record = try SimulatedRun(
            Self.still("30 fps", frames: 20), faults, "--seed", "\(seed)")
        #expect(record.status == 80)
        #expect(try record.wrong() == (0, 0))
    }

    @Test(arguments: [
        ("lost-frame-end=20%,device-drop=10%", 2_026_113_001_716),
        ("device-drop=50%", 2_026_113_001_714),
    ])
    func `frames that are lost while another rate settles contradict no count`(
        faults: String, seed: Int
    ) throws {
        let recipe = Self.still("30 fps", frames: 3).replacing(
            "[{capture: 3}]", with: "[{for: {rate: [30 fps, 15 fps]}, do: [{capture: 3}]}]")
        let record = try SimulatedRun(recipe, faults, "--seed", "\(seed)")
        #expect(record.status == 80)
        #expect(try record.wrong() == (0, 0))
    }

    /// What is believed of the frame before is earlier than its timestamp then.
    @Test(arguments: [
        (
            "320x240, rate: 60 fps", "1 ms", "[{capture: 80}]", "3s@1.04s,late-interrupt=80%",
            120_008
        ),
        (
            "320x240, rate: 60 fps", "1 ms", "[{capture: 80}]", "3s@1.04s,late-interrupt=30%",
            121_009
        ),
        (
            "1456x1088, rate: 90 fps", "4 ms",
            "[{capture: 2}, {for: {rate: [3 fps, 60 fps, 2 fps]}, do: [{capture: 1}]}, {capture: 3}]",
            "3s@0.47s", 1_060
        ),
    ])
    func `a timestamp that repeats one that was late is no time of its frame`(
        format: String, exposure: String, sequence: String, stuck: String, seed: Int
    ) throws {
        let recipe = Self.still("60 fps", frames: 80).replacing(
            "320x240, rate: 60 fps", with: format
        )
        .replacing("4 ms", with: exposure).replacing("[{capture: 80}]", with: sequence)
        let record = try SimulatedRun(
            recipe, "timestamp-stuck=\(stuck)", "--seed", "\(2_026_112_760_000_000 + seed)")
        #expect(record.frames.count > 4)
        #expect(try record.wrong() == (0, 0))
    }

    /// The frame that has this timestamp too was lost in the driver.
    @Test(arguments: 1_701...1_706)
    func `a timestamp that is too early for what the driver counts is no time of its frame`(
        seed: Int
    ) throws {
        let recipe = Self.still("90 fps", frames: 12).replacing("320x240", with: "640x480")
            .replacing("4 ms", with: "1.111 ms")
        let record = try SimulatedRun(
            recipe + "\non_lost: retake\nrequire: {dropped: any}",
            "starve=1s@0.06s,timestamp-stuck=200ms@0.87s", "--seed",
            "\(2_026_112_760_000_000 + seed)")
        #expect(record.frames.count == 12)
        #expect(try record.wrong() == (0, 0))
    }

    /// While nobody knows when frames begin, those after a late one seem early.
    @Test(arguments: [
        ("90 fps", 80, "late-interrupt=50%,jitter=10ms", 549),
        ("15 fps", 30, "late-interrupt=20%,jitter=20ms", 657),
    ])
    func `timestamps most of which are late refute the profile, and not one another`(
        rate: String, frames: Int, faults: String, seed: Int
    ) throws {
        let record = try SimulatedRun(
            Self.still(rate, frames: frames) + "\non_lost: retake\nrequire: {dropped: any}", faults,
            "--seed", "\(2_026_112_780_000_000 + seed)")
        #expect(record.status == 83)
        #expect(try record.wrong() == (0, 0))
    }

    @Test(arguments: [1_161, 140_002, 140_005])
    func `frames without a timestamp do not pass for a longer period`(seed: Int) throws {
        let record = try SimulatedRun(
            Self.still("50 fps", frames: 80), "timestamp-zero=50%", "--seed",
            "\(2_026_112_760_000_000 + seed)")
        #expect(record.event("period-mismatch").isEmpty)
        #expect(record.status == 0)
    }
}
