import Foundation
import Testing

/// Faults of drivers and lines that `framelock simulate` injects: what the record says of each is what truly happened.
@Suite struct SimulatedFaultTests {
    private static let frames = """
        framelock: 1
        name: simulated
        camera: {use: simulated, format: {pixels: GREY, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 8 ms, gain: 2.0x}}
        sequence: [{capture: 90}]
        """
    private static let edges = """
        framelock: 1
        name: edges
        camera: {use: simulated, format: {pixels: GREY, size: 320x240, rate: 30 fps}}
        lock: {exposure: {duration: 8 ms, gain: 2.0x}}
        lines: {part: {chip: simulated, line: IN0, direction: in, edge: rising}}
        sequence:
          - repeat: 30
            do: [{wait: {edge: part, within: 10 s}}, {capture: 1}]
        """

    private func simulate(_ recipe: String, _ faults: String) throws -> SimulatedRun {
        let run = try SimulatedRun(recipe, faults, "--no-pixels")
        #expect([0, 80, 82].contains(run.status))
        return run
    }

    private func number(_ value: Any?) throws -> Int64 { try SimulatedRun.number(value) }

    @Test(arguments: [7, 2_987_195_093] as [Int64])
    func `what nobody locks is not known, whatever another program writes`(seed: Int64) throws {
        let recipe = Self.frames.replacing(
            "lock: {exposure: {duration: 8 ms, gain: 2.0x}}\n", with: "")
        let run = try SimulatedRun(recipe, "external-write=5%", "--no-pixels", "--seed", "\(seed)")
        #expect(!run.event("control-changed").isEmpty)
        for column in ["exposure_known_by", "gain_known_by", "lens_known_by"] {
            #expect(run.frames.allSatisfy { $0[column] == "none" }, "\(column)")
        }
    }

    /// Every row's stretch of time holds the true end of its frame's exposure.
    private func checkTimes(_ record: SimulatedRun) throws {
        let ends = try record.delivered.map { try number($0["exposure_end_ns"]) - record.epoch }
        #expect(record.rows.count == 90)
        for row in record.rows where row["status"] == "frame" {
            let end = try #require(row["session_end_ns"].flatMap(Int64.init))
            let room = try #require(row["session_half_width_ns"].flatMap(Int64.init))
            #expect(ends.contains { abs($0 - end) <= room }, "slot \(row["slot"] ?? "")")
        }
    }

    @Test(arguments: [7, 12, 23, 36, 49])
    func `the timestamp of a frame that was lost in the camera is no time of the next`(seed: Int)
        throws
    {
        let record = try SimulatedRun(
            Self.frames, "timestamp-stuck=300ms@1s,device-drop=10%", "--no-pixels", "--seed",
            "\(seed)")
        for row in record.rows where row["status"] == "frame" {
            let end = try #require(row["session_end_ns"].flatMap(Int64.init))
            let room = try #require(row["session_half_width_ns"].flatMap(Int64.init))
            let number = try #require(row["device_sequence"].flatMap(Int64.init))
            let truth = try record.trueEnd(number) - record.epoch
            #expect(abs(truth - end) <= room, "slot \(row["slot"] ?? "")")
        }
    }

    @Test(arguments: 1...6)
    func `timestamps that are late by up to half a period are no missing frames`(seed: Int) throws {
        let record = try SimulatedRun(
            Self.frames, "jitter=16ms", "--no-pixels", "--seed", "\(seed)")
        // The simulated camera's profile promises timestamps without delay, and times rest on that.
        #expect(record.status == 83)
        #expect(!record.event("earlier-timestamps-late").isEmpty)
        #expect(record.event("frames-missing").isEmpty)
        #expect(record.event("sequence-timestamp-mismatch").isEmpty)
    }

    @Test(arguments: [1, 2, 3, 5, 8, 13])
    func `another program's change in the time of a late read-back is never taken for undone`(
        seed: Int
    ) throws {
        let recipe = Self.frames.replacing(
            "sequence: [{capture: 90}]",
            with: "sequence: [{repeat: 30, do: [{bracket: {exposure: [2 ms, 8 ms, 16 ms]}}]}]")
        let record = try SimulatedRun(
            recipe, "external-write=3%,late-write=25%", "--no-pixels", "--seed", "\(seed)")
        let had = Dictionary(
            uniqueKeysWithValues: try record.delivered.map {
                (try number($0["sequence"]), try number($0["exposure_time_absolute"]) * 1_000)
            })
        for row in record.frames {
            let sequence = try #require(row["device_sequence"].flatMap(Int64.init))
            guard let applied = row["applied_exposure_ns"].flatMap(Int64.init) else { continue }
            #expect(applied == had[sequence], "slot \(row["slot"] ?? "")")
        }
    }

    @Test(arguments: ["2s@10ms", "2s@1s", "400ms@2s", "70ms@2s", "1h@0s"])
    func
        `a camera that lowers its rate by itself keeps its times, and what did not come is missing`(
            _ span: String
        ) throws
    {
        let record = try SimulatedRun(Self.frames, "half-rate=\(span)", "--no-pixels")
        #expect(record.told("half-rate").count == 1)
        // The promised rate was not kept: nobody else can tell whether a frame was lost before it got a number.
        #expect(record.status == 80)
        try checkTimes(record)
        let ends = try record.delivered.map { try number($0["exposure_end_ns"]) }
        let longest = zip(ends.dropFirst(), ends).map { $0 - $1 }.max() ?? 0
        #expect((66_600_000...66_700_000).contains(longest))
    }

    @Test(arguments: ["drop=5%", "device-drop=5%", "damage=5%"])
    func `a bracket loses its frames or takes them again, wherever they are lost`(_ faults: String)
        throws
    {
        let recipe = Self.frames.replacing(
            "sequence: [{capture: 90}]",
            with: "sequence: [{repeat: 30, do: [{bracket: {exposure: [2 ms, 8 ms, 16 ms]}}]}]")
        let lost = try SimulatedRun(recipe, faults, "--no-pixels")
        #expect(lost.status == 80 && lost.rows.count == 90)
        #expect(lost.rows.contains { $0["status"] == "hole" })
        let again = try SimulatedRun(recipe + "\non_lost: retake", faults, "--no-pixels")
        #expect(again.status == 0)
        #expect(again.rows.count == 90 && again.rows.allSatisfy { $0["status"] == "frame" })
        #expect(!again.event("slot-retaken").isEmpty)
    }

    @Test func `a count that begins anew loses no frame`() throws {
        let record = try simulate(Self.frames, "sequence-reset@1s")
        #expect(record.told("sequence-reset").count == 1)
        let place = try #require(
            try record.delivered.dropFirst().firstIndex { try number($0["sequence"]) == 0 })
        let jumps = record.event("sequence-jumped")
        #expect(jumps.count == 1)
        let before = try number(record.delivered[place - 1]["sequence"])
        #expect(try number(jumps[0]["from_sequence"]) == before)
        #expect(try number(jumps[0]["to_sequence"]) == 0)
        #expect(record.rows.allSatisfy { $0["status"] == "frame" })
        try checkTimes(record)
    }

    @Test func `a number that stands still is noticed, and the timestamps count`() throws {
        let record = try simulate(Self.frames, "sequence-stuck=1s@1s,drop=3%")
        #expect(record.told("sequence-stuck").count == 1)
        let quirks = record.event("quirk-seen").compactMap { $0["quirk"] as? String }
        #expect(quirks.contains("sequence_is_stuck"))
        // What was lost meanwhile is missing all the same: nothing is renumbered, no slot has two frames.
        let timestamps = record.rows.compactMap { $0["raw_timestamp_ns"] }.filter { !$0.isEmpty }
        #expect(Set(timestamps).count == timestamps.count)
        let known = Set(try record.delivered.map { "\(try number($0["raw_timestamp_ns"]))" })
        #expect(known.isSuperset(of: timestamps))
        try checkTimes(record)
    }

    @Test(arguments: [("timestamp-stuck=1s@1s", "repeated"), ("timestamp-zero=10%", "zero")])
    func `timestamps that can't be times are doubted, each of them`(
        _ fault: String, _ why: String
    ) throws {
        let record = try simulate(Self.frames, fault)
        let doubts = record.event("timestamp-invalid").filter { $0["why"] as? String == why }
        let doubted = try doubts.reduce(0) { $0 + (try number($1["count"])) }
        var last: Int64?
        var wrong: Int64 = 0
        for frame in record.delivered {
            let timestamp = try number(frame["raw_timestamp_ns"])
            if timestamp == (why == "zero" ? 0 : last) { wrong += 1 }
            last = timestamp
        }
        #expect(wrong > 2)
        // Frames that came after the last slot was filled are in the truth alone.
        #expect(doubted <= wrong && doubted >= wrong - 2, "\(doubted) of \(wrong)")
        try checkTimes(record)
    }

    @Test(arguments: ["timestamp-zero=100%", "timestamp-stuck=1000s@0s"])
    func `a sensor whose timestamps show nothing is not waited for beyond some frames`(
        fault: String
    ) throws {
        let raw = Self.frames.replacing(
            "use: simulated, format: {pixels: GREY, size: 320x240",
            with:
                "use: simulated, profile: simulated-raw, format: {pixels: SRGGB12, size: 1456x1088")
        let record = try simulate(raw, fault)
        #expect(record.rows.allSatisfy { $0["status"] == "frame" })
        #expect(record.delivered.count < 90 + 80)
        try checkTimes(record)
    }

    @Test(arguments: [("1s", 1_000_000_000), ("-250ms", -250_000_000)] as [(String, Int64)])
    func `a step of realtime is in the readings, where the truth has it`(
        _ text: String, _ step: Int64
    ) throws {
        let record = try simulate(Self.frames, "clock-step=\(text)@1s")
        let told = record.told("clock-step")
        #expect(told.count == 1)
        let at = try number(told[0]["at_ns"])
        var offsets: (before: Int64?, after: Int64?)
        for sample in record.event("clock-sample")
        where sample["clock"] as? String == "CLOCK_REALTIME" {
            let read = try number(sample["before_ns"])
            let offset = try number(sample["reading_ns"]) - read
            if read < at { offsets.before = offset } else { offsets.after = offset }
        }
        let change = try #require(offsets.after) - (try #require(offsets.before))
        #expect(abs(change - step) < 10_000)
    }

    @Test func `each write that was refused is in the log, also where it was made again`() throws {
        let recipe = Self.frames.replacing(
            "[{capture: 90}]",
            with: "[{repeat: 40, do: [{bracket: {exposure: [4 ms, 8 ms], gain: [2.0x, 4.0x]}}]}]")
        let record = try SimulatedRun(recipe, "refused-write=15%", "--no-pixels")
        #expect(record.status == 81)
        let again = record.event("write-repeated")
        let refused = try record.event("settings-written").filter { try number($0["errno"]) != 0 }
        #expect(again.count > refused.count && !again.isEmpty)
        #expect(record.told("refused-write").count == again.count + refused.count)
        #expect(again.allSatisfy { $0["errno"] as? Int == 5 })
    }

    @Test(arguments: ["bounce=30%", "bounce=50%,edge-merge=300us", "edge-loss=20%"])
    func `each edge that the kernel saw is in the log, and no other`(_ faults: String) throws {
        let record = try simulate(Self.edges, faults)
        let pulses = record.truth.filter { $0["edge"] != nil }
        let edges = record.event("edge")
        #expect(edges.count >= 30)
        for edge in edges {
            let truth = pulses.filter { $0["number"] as? Int == edge["number"] as? Int }
            #expect(truth.count == 1)
            #expect(truth.first?["timestamp_ns"] as? Int == edge["raw_timestamp_ns"] as? Int)
        }
        let unseen = pulses.filter { $0["fate"] as? String != "seen" }
        #expect(unseen.allSatisfy { $0["number"] == nil })
        switch faults.prefix(6) {
        case "edge-l": #expect(!unseen.isEmpty)
        default: #expect(pulses.contains { $0["bounce"] as? Bool == true })
        }
        if faults.contains("merge") {
            #expect(unseen.contains { $0["fate"] as? String == "merged" })
        }
    }

    @Test func `a host that starves loses the frames that find no buffer`() throws {
        let record = try simulate(
            Self.frames.replacing("capture: 90", with: "capture: 300"), "starve=3s@3s")
        let lost = record.truth.filter { $0["fate"] as? String == "no-buffer" }
        // Three seconds of 30 fps, but for those that eight buffers take.
        #expect((78...90).contains(lost.count), "\(lost.count)")
        #expect(record.status == 80)
        let holes = record.rows.filter { $0["status"] != "frame" }
        #expect(holes.count == lost.count)
        #expect(holes.allSatisfy { $0["reason"] == "host-stalled" })
    }

    @Test func `a camera whose first writes were all lost shows no gain that it never had`() throws
    {
        let recipe = Self.frames.replacing("8 ms", with: "8974 us").replacing(
            "[{capture: 90}]",
            with: """

                  - capture: 4
                  - repeat: 7
                    do: [{for: {gain: [1.0x, 3.0x, 2.0x, 4.0x, 2.06x]}, do: [{capture: 2}]}]
                """)
        let record = try SimulatedRun(
            recipe, "lost-write=10%,lost-write-run=8", "--seed", "2026112795480")
        #expect(record.told("lost-write").count > 10)
        #expect(try record.wronglyShown().isEmpty)
    }

    @Test func `an exposure that looks like one before it is not shown by brightness`() throws {
        let recipe = Self.frames.replacing("8 ms", with: "4768 us").replacing(
            "[{capture: 90}]",
            with: """

                  - capture: 7
                  - repeat: 8
                    do:
                      - for: {exposure: [4807 us, 4781 us, 4728 us, 7152 us, 4767 us]}
                        do: [{capture: 3}]
                """)
        let record = try SimulatedRun(
            recipe, "lost-write=3%,lost-write-run=16", "--seed", "2026112795059")
        #expect(!record.told("lost-write").isEmpty)
        #expect(record.frames.contains { $0["applied_exposure_ns"] == "" })
        #expect(try record.wronglyShown().isEmpty)
    }

    @Test(arguments: [
        ("{duration: current, gain: 2.0x}", "{exposure: [1 ms, 4 ms, 16 ms]}"),
        ("{duration: 4 ms, gain: current}", "{gain: [2.0x, 4.0x]}"),
    ])
    func `a value from before the run that is written again and shown is in order`(
        locked: String, bracket: String
    ) throws {
        let recipe = Self.frames.replacing("{duration: 8 ms, gain: 2.0x}", with: locked).replacing(
            "[{capture: 90}]", with: "[{repeat: 4, do: [{bracket: \(bracket)}, {capture: 5}]}]")
        let record = try SimulatedRun(recipe, "")
        #expect(record.status == 0)
        let last = try #require(record.frames.last)
        #expect(last["exposure_known_by"] == "pixels" || last["gain_known_by"] == "pixels")
    }

    @Test(arguments: [
        ("starve=1s@0.1s,jitter=9ms,timestamp-zero=20%", 2_026_112_791_309),
        ("starve=0.3s@0.3s,timestamp-stuck=1s@0.1s,jitter=20ms", 2_026_112_797_192),
    ])
    func `timestamps that can't be true are told of the right frames while a sensor starts`(
        faults: String, seed: Int
    ) throws {
        let recipe = Self.frames.replacing(
            "use: simulated", with: "use: simulated, profile: simulated-raw"
        )
        .replacing("capture: 90", with: "capture: 10")
        // `verify` holds times against what the events say of timestamps.
        let record = try SimulatedRun(recipe, faults, "--no-pixels", "--seed", "\(seed)")
        #expect(!record.event("timestamp-invalid").isEmpty)
    }

    @Test(arguments: [
        ("jitter=20ms,late-interrupt=5%", 2_026_112_797_370),
        ("late-interrupt=20%,device-drop=1%,jitter=20ms", 2_026_112_790_202),
    ])
    func `events and rows agree where times are known to a period only`(faults: String, seed: Int)
        throws
    {
        let recipe = Self.frames.replacing(
            "use: simulated", with: "use: simulated, profile: simulated-raw"
        ).replacing(
            "[{capture: 90}]",
            with: """

                  - capture: 6
                  - for: {exposure: {from: 1260 us, to: 30305 us, steps: 4}}
                    do: [{capture: 2}]
                  - capture: 30
                """)
        _ = try SimulatedRun(recipe, faults, "--no-pixels", "--seed", "\(seed)")
    }

    @Test func `edges that a full queue throws away are counted as lost`() throws {
        let record = try simulate(Self.edges, "edge-queue=2,starve=3s@2s")
        let gone = record.truth.filter { $0["fate"] as? String == "overflowed" }
        let lost = try record.event("edges-lost").reduce(0) { $0 + (try number($1["count"])) }
        #expect(gone.count > 3)
        #expect(lost == Int64(gone.count))
    }

    @Test func `a fault that is misspelt says what was meant`() throws {
        let folder = try TemporaryFolder()
        let result = try FramelockProgram.run(
            "simulate", try folder.recipe(Self.frames), "--output", "\(folder.path)/run",
            "--faults",
            "sequence-rest@1s,clock-step=1s,edge-queue=0,edge-merge=1")
        #expect(result.status == 64)
        for words in [
            "did you mean `sequence-reset`?", "write it as `clock-step=-1s@30s`",
            "write it as `edge-queue=16`", "--faults:1:45: error",
        ] {
            #expect(result.stderr.contains(words), "\(result.stderr)")
        }
    }

    /// Which frames have which edge is not known then, but that the log has frames of one number twice is no damage.
    @Test(arguments: [
        "sequence-stuck=2s@1s", "sequence-stuck=70ms@1s", "sequence-stuck=9s@1s",
        "sequence-reset@1500ms", "sequence-stuck=200ms@500ms,sequence-reset@1500ms,bounce=20%",
    ])
    func `a triggered camera whose numbers stand still or begin anew leaves a record that fits`(
        faults: String
    ) throws {
        // Verifies it.
        let run = try SimulatedRun(
            """
            framelock: 1
            name: waits
            camera:
              use: simulated
              format: {pixels: Y12, size: 640x480, rate: 30 fps}
              trigger: part_present
            lock:
              exposure: {duration: 4 ms, gain: 1.0x}
            lines:
              part_present: {direction: in, edge: rising}
            sequence:
              - repeat: 20
                do:
                  - wait: {edge: part_present, within: 10 s}
                  - capture: 1
            """, faults, "--seed", "4091464166", "--no-pixels")
        #expect(run.rows.count == 20)
        #expect(!run.event("edge-classified").isEmpty)
    }
}
