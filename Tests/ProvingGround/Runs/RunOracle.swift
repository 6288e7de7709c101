internal import Devices
internal import Foundation
internal import Recipes
internal import Records
internal import Timebase

/// Judges the record of a seeded run by the truth that its rig kept.
///
/// Shares no code with engine and record.
package struct RunOracle {
    package let run: SeededRun
    package let table: RecordedTable
    let slots: [PlanTree.Slot]
    let epoch: Int64
    /// The frame of the sensor in each row; nil where none can be meant.
    private let places: [Int?]
    package private(set) var complaints: [String] = []
    /// Whether brightness is said not to fit, of a run whose writes all took effect.
    ///
    /// A row is doubted where it is wrong with a probability of 2 % and more, so that a few such runs are no mistake.
    package private(set) var isDoubted = false

    package init(_ run: SeededRun, _ table: RecordedTable) {
        self.run = run
        self.table = table
        slots = PlanTree.slots(of: run.tree)
        let session = table.manifest["session"] as? [String: Any]
        epoch = (session?["epoch_ns"] as? NSNumber)?.int64Value ?? 0
        places = Self.places(of: table.rows, in: run.world.testCamera.truth, epoch)
    }

    /// Finds the frame of each row by its number, and where numbers come twice by its timestamp, its picture, its time
    /// and the order of rows.
    private static func places(
        of rows: [[String: String]], in truth: [TestCamera.Truth], _ epoch: Int64
    ) -> [Int?] {
        var next = truth.count
        return rows.reversed().map { row in
            guard let sequence = row["device_sequence"].flatMap(UInt32.init) else { return nil }
            let timestamp = row["raw_timestamp_ns"].flatMap(Int64.init)
            let candidates = truth.indices.filter { truth[$0].sequence == sequence }
            let timestamped = candidates.filter { place in
                timestamp.map { $0 == (truth[place].said ?? truth[place].timestamp).nanoseconds }
                    ?? true
            }
            // A hole has no timestamp, but this reason.
            let damaged = timestamped.filter { truth[$0].fate == .damaged && $0 < next }
            if row["reason"] == "damaged", let place = damaged.last {
                next = place
                return place
            }
            // Nobody can have a frame that was never handed out, unless it is a row without one.
            let delivered = timestamped.filter { truth[$0].fate == .delivered && $0 < next }
            let handedOut =
                row["status"] == "frame"
                ? delivered.last {
                    isPicture(of: truth[$0], in: row) && isTime(of: truth[$0], in: row, epoch)
                } ?? delivered.last { isPicture(of: truth[$0], in: row) } ?? delivered.last : nil
            // If all come later, the row that goes back is for `checkOrder`.
            let place =
                handedOut ?? timestamped.last { $0 < next } ?? timestamped.first
                ?? candidates.first
            next = place ?? next
            return place
        }.reversed()
    }

    /// Whether the picture that was recorded is as bright as that of a frame.
    private static func isPicture(of frame: TestCamera.Truth, in row: [String: String]) -> Bool {
        let mean = TestPictures.mean(SeededRun.frameBytes, code: frame.code)
        return row["luma_mean"].flatMap(Double.init).map { abs($0 - mean) < 0.001 } ?? true
    }

    /// Whether a frame's exposure ended when a row says.
    private static func isTime(
        of frame: TestCamera.Truth, in row: [String: String], _ epoch: Int64
    ) -> Bool {
        guard let end = row["session_end_ns"].flatMap(Int64.init),
            let half = row["session_half_width_ns"].flatMap(Int64.init)
        else { return true }
        return abs(frame.readoutStart.nanoseconds - epoch - end) <= half
    }

    var truth: [TestCamera.Truth] { run.world.testCamera.truth }

    /// Finds everything that is wrong with the record.
    package mutating func judge() {
        checkRows()
        checkFrames()
        checkOrder()
        checkNeighbours()
        checkLostFrames()
        checkLights()
        checkGroups()
        checkLeft()
        checkDisk()
        checkLostEdges()
        checkDriver()
        checkContradictions()
        checkVerdict()
    }

    package mutating func complain(_ message: String) {
        complaints.append("seed \(run.seed): \(message)")
    }

    func place(_ row: Int) -> Int? { places[row] }

    func places(ofSequence sequence: Int) -> [Int] {
        truth.indices.filter { truth[$0].sequence == UInt32(truncatingIfNeeded: sequence) }
    }

    /// The frames whose number an event has in a member; none where it has no number.
    func places(_ event: [String: Any], _ member: String) -> [Int] {
        (event[member] as? Int).map { places(ofSequence: $0) } ?? []
    }

    func number(_ row: [String: String], _ column: String) -> Int64? {
        row[column].flatMap(Int64.init)
    }

    /// Rows of slots that had their turn.
    var reached: [[String: String]] { table.rows.filter { $0["status"] != "not-reached" } }

    /// Every slot of the plan ends once, in order, or is one of those that were not reached.
    private mutating func checkRows() {
        var ended = reached.count
        if let rest = table.rows.last, ended < table.rows.count {
            if table.rows.count != ended + 1 || number(rest, "slot") != Int64(ended) {
                complain("what was not reached is not what is left")
            }
            ended = Int(number(rest, "last_slot") ?? -1) + 1
        }
        if ended != slots.count { complain("rows up to slot \(ended) of \(slots.count)") }
        for (index, (row, slot)) in zip(table.rows, slots).enumerated() {
            if number(row, "slot") != Int64(index) {
                complain("row \(index) is \(row["slot"] ?? "")")
            }
            if number(row, "settings") != Int64(slot.settings) { complain("settings of \(index)") }
            if row["step"] != "sequence[\(slot.step)]" { complain("step of \(index)") }
            let isFrame = row["status"] == "frame"
            if isFrame != (row["reason"] == "") { complain("status and reason of \(index)") }
            if !slot.followsEdge, row["trigger_id"] != "" { complain("slot \(index) has an edge") }
            if row["reason"] == "trigger-timeout", row["trigger_class"] != "" {
                complain("class of \(index)")
            }
        }
    }

    /// What a row says of a frame is true of it.
    private mutating func checkFrames() {
        for (index, (row, slot)) in zip(table.rows, slots).enumerated()
        where row["status"] == "frame" {
            guard let place = place(index) else {
                complain("slot \(index) has a frame that never was")
                continue
            }
            let frame = truth[place]
            if frame.fate != .delivered {
                complain("slot \(index) has a frame that was \(frame.fate)")
            }
            let code = SeededRun.exposures[slot.settings % 4]
            let lens = SeededRun.lenses[slot.settings % 3]
            checkSettings(row, index, frame, code: code, lens: lens)
            if !frame.isSteady { complain("slot \(index): the lens moved") }
            if number(row, "raw_timestamp_ns") != (frame.said ?? frame.timestamp).nanoseconds {
                complain("timestamp \(index)")
            }
            let end = frame.readoutStart.nanoseconds - epoch
            let start = end - exposure(row, frame).nanoseconds
            let half = number(row, "session_half_width_ns") ?? -1
            for (column, true_) in [
                ("session_start_ns", start), ("session_mid_ns", (start + end) / 2),
                ("session_end_ns", end),
            ] {
                guard let said = number(row, column), abs(said - true_) <= half else {
                    if isRefuted(place) { continue }
                    complain("slot \(index): \(column) is off by more than \(half)")
                    continue
                }
            }
            checkEdge(row, index, frame)
        }
    }

    /// A frame with an edge began after it.
    private mutating func checkEdge(
        _ row: [String: String], _ index: Int, _ frame: TestCamera.Truth
    ) {
        guard let id = row["trigger_id"], id != "" else { return }
        let parts = id.split(separator: ":")
        let line: Int32 = parts.first == "part" ? 0 : 2
        let edge = run.world.testLines.edges.first {
            $0.line == line && "\($0.lineSequence)" == parts.last ?? ""
        }
        guard let edge else { return complain("slot \(index): edge \(id) never came") }
        // After a lost write the device's own word is all that there is.
        if frame.readoutStart - run.world.testCamera.duration(ofCode: frame.claimed.code)
            < edge.timestamp
        {
            complain("slot \(index) began before its edge \(id)")
        }
        if row["trigger_class"] != "matched" { complain("slot \(index) is not matched") }
    }

    /// Numbers of the device rise along the rows.
    private mutating func checkOrder() {
        var last = -1
        for (index, row) in table.rows.enumerated() {
            guard row["device_sequence"] != "" else { continue }
            guard let place = place(index) else {
                complain("row \(index) has a number that no frame had")
                continue
            }
            if place <= last { complain("row \(index) goes back to frame \(place)") }
            last = place
        }
    }

    /// Between two frames of one capture, each frame of the sensor has its row.
    ///
    /// Not where a refused write or a frame that nobody could count made a setting uncertain.
    private mutating func checkNeighbours() {
        let faults = run.world.testCamera.faults
        guard run.world.testCamera.refusals == 0, faults.lostInside == 0, faults.lostFrameEnds == 0
        else { return }
        // Late timestamps at a period that nobody knows.
        if faults.lateInterrupts > 0, run.world.testCamera.lineRatio != 1 { return }
        var before: (index: Int, place: Int)?
        for (index, (row, slot)) in zip(table.rows, slots).enumerated() {
            let reason = row["reason"] ?? ""
            if slot.place == 0 || slot.isLit { before = nil }
            // Where the driver lost count or clock nobody can be sure.
            if let first = before?.place, let place = place(index),
                isConfused(first...max(first, place))
            {
                before = nil
            }
            let isDelivered = reason == "" || reason == "damaged"
            if isDelivered, let place = place(index) {
                if reason == "damaged", truth[place].fate != .damaged {
                    complain("damage \(index)")
                }
                if let before, run.plan.onLost == .retake {
                    checkTakenAgain(after: before, at: (index, place))
                } else if let before, place - before.place != index - before.index,
                    !isSettling(from: before.place, to: place)
                {
                    complain(
                        "between slots \(before.index) and \(index) the sensor made"
                            + " \(place - before.place) frames")
                } else if let before, place - before.place == index - before.index {
                    checkLost(from: before, to: (index, place))
                }
                before = slot.isLit ? nil : (index, place)
            } else if !["dropped-by-driver", "dropped-by-device", "host-stalled", "uncertain"]
                .contains(reason)
            {
                before = nil
            }
        }
    }

    private mutating func checkLost(
        from: (index: Int, place: Int), to: (index: Int, place: Int)
    ) {
        let rows = table.rows[from.index + 1..<to.index]
        let frames = truth[from.place + 1..<to.place]
        for (reasons, fates): ([String], [TestCamera.Truth.Fate]) in [
            (["dropped-by-driver", "host-stalled"], [.lostByDriver, .noBuffer]),
            (["dropped-by-device", "uncertain"], [.lostInside]),
        ] {
            let told = rows.count { reasons.contains($0["reason"] ?? "") }
            let lost = frames.count { fates.contains($0.fate) }
            if told != lost { complain("\(told) rows \(reasons) for \(lost) after \(from.index)") }
        }
    }

    /// A lit frame was lit all the time, another one never.
    private mutating func checkLights() {
        var pulses: [(on: Instant<Monotonic>, off: Instant<Monotonic>)] = []
        for output in run.world.testLines.outputs where output.line == 1 {
            if output.active {
                pulses.append((output.at, .distantFuture))
            } else if !pulses.isEmpty {
                pulses[pulses.count - 1].off = output.at
            }
        }
        for (index, (row, slot)) in zip(table.rows, slots).enumerated()
        where row["status"] == "frame" {
            guard let place = place(index) else { continue }
            let end = truth[place].readoutStart
            // After a lost write the device's own word is all that there is.
            let start =
                end - run.world.testCamera.duration(ofCode: truth[place].claimed.code)
            guard slot.isLit else {
                if pulses.contains(where: { $0.on < end && $0.off > start }) {
                    complain("slot \(index) has another's light")
                }
                continue
            }
            let isLit = pulses.contains {
                $0.on <= start && $0.off >= end
            }
            if !isLit { complain("slot \(index) was dark") }
        }
        var isOn: [Int32: Bool] = [:]
        for output in run.world.testLines.outputs { isOn[output.line] = output.active }
        if isOn.values.contains(true) { complain("an output stayed on") }
    }

    /// Ending, verdict and exit code are what the rows and events amount to.
    private mutating func checkVerdict() {
        let reasons = table.rows.map { $0["reason"] ?? "" }
        let ending = table.manifest["ending"] as? String ?? ""
        var allowed: Set<String> = ["completed"]
        if run.stopped != nil { allowed.insert("interrupted") }
        if run.unplugged != nil { allowed.insert("device-lost") }
        if hasDiskTrouble { allowed.insert("storage-failed") }
        if reasons.contains("interrupted") { allowed = ["interrupted"] }
        if reasons.contains("device-lost") { allowed = ["device-lost"] }
        if !allowed.contains(ending) { complain("ending \(ending)") }
        let code = (table.manifest["exit_code"] as? NSNumber)?.int32Value
        let expected = expectedCode(ending, reasons)
        // What others changed after the last frame shows in the last reading only, and what a lost write left behind in
        // no row.
        let camera = run.world.testCamera
        let isOpen = camera.externalChanges > camera.reportedChanges || camera.lostWrites > 0
        isDoubted =
            !isOpen && code == 81 && [0, 82, 83].contains(expected)
            && !table.events("brightness-mismatch").isEmpty
        if code != expected, !(isOpen && code == 81), !isDoubted {
            let findings = table.manifest["findings"] as? [[String: Any]] ?? []
            let messages = findings.compactMap { $0["message"] as? String }
            complain(
                "exit code \(code ?? -1), not \(expected): \(messages.joined(separator: "; "))")
        }
    }

    private func expectedCode(_ ending: String, _ reasons: [String]) -> Int32 {
        if ending == "interrupted" { return 130 }
        if ending != "completed" { return 84 }
        let drops: Set = [
            "dropped-by-driver", "dropped-by-device", "host-stalled", "dropped", "uncertain",
            "damaged", "buffers-full", "storage-failed", "light-late",
        ]
        if reasons.contains(where: drops.contains) { return 80 }
        // What nobody is sure of is as bad.
        if !table.events("sequence-timestamp-mismatch").isEmpty { return 80 }
        if !table.events("gap-unverifiable").isEmpty { return 80 }
        let camera = run.world.testCamera
        // A camera that is gone after its last frame is not left with what the plan says.
        if camera.refusals + camera.reportedChanges + camera.lateRefusals > 0 { return 81 }
        if !table.events("period-mismatch").isEmpty { return 81 }
        if !table.events("setting-contradicted").isEmpty { return 81 }
        if run.plan.require.unmatchedTriggers != nil, hasUnmatched { return 82 }
        if !table.events("earlier-timestamps-late").isEmpty || areMostlyLate { return 83 }
        return 0
    }

    /// Whether an edge has no frame, or a wait no edge.
    private var hasUnmatched: Bool {
        func key(_ event: [String: Any]) -> String {
            "\(event["line"] ?? ""):\(event["number"] ?? "")"
        }
        let accepted = Set(table.events("edge-accepted").map(key))
        let awaited = Set(run.tree.awaitedLines.map { $0 == 0 ? "part" : "door" })
        func isAwaited(_ event: [String: Any]) -> Bool {
            awaited.contains(event["line"] as? String ?? "")
        }
        let unused = table.events("edge").contains { isAwaited($0) && !accepted.contains(key($0)) }
        let lost = table.events("edges-lost").contains(where: isAwaited)
        let withoutFrame = table.rows.contains {
            $0["status"] == "hole" && ["matched", "missed"].contains($0["trigger_class"] ?? "")
        }
        return unused || lost || withoutFrame || !table.events("trigger-timeout").isEmpty
    }
}

extension [PlanTree] {
    /// The lines that any step waits for.
    package var awaitedLines: Set<Int> {
        reduce(into: []) { lines, node in
            switch node {
            case .edge(let line, _): lines.insert(line)
            case .loop(_, _, let body), .group(_, let body): lines.formUnion(body.awaitedLines)
            case .capture, .wait, .pulse: break
            }
        }
    }
}
