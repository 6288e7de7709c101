internal import Devices
internal import Recipes
internal import Timebase

/// What faults of controls, disk and lines may do to a record, and what not.
extension RunOracle {
    /// A frame had what its slot asks for, but where others wrote, and where the device itself says what is not so.
    mutating func checkSettings(
        _ row: [String: String], _ index: Int, _ frame: TestCamera.Truth, code: Int64, lens: Int64
    ) {
        // Of a write that the device acknowledged and lost, the engine knows nothing while the stream runs.
        if frame.code != code, frame.claimed.code != code,
            run.world.testCamera.externalChanges == 0
        {
            complain("slot \(index): exposure \(frame.code), not \(code)")
        }
        if frame.lens != lens, frame.claimed.lens != lens {
            complain("slot \(index): lens \(frame.lens), not \(lens)")
        }
        // `applied` is never what was asked for, but what the frame had; `read-back` is the device's own word for it.
        let isByDevice = row["exposure_known_by"] == "read-back"
        let had = isByDevice ? frame.claimed.code : frame.code
        if let applied = number(row, "applied_exposure_ns"), applied != had * 1_000 {
            complain(
                "slot \(index): \(applied) ns applied by \(row["exposure_known_by"] ?? ""),"
                    + " the frame had \(had) us")
        }
    }

    /// What a frame was exposed with, as far as its row can know.
    func exposure(_ row: [String: String], _ frame: TestCamera.Truth) -> Interval {
        let isByDevice = row["exposure_known_by"] == "read-back"
        return run.world.testCamera.duration(
            ofCode: isByDevice ? frame.claimed.code : frame.code)
    }

    /// Pixels contradict the device only where it lost a write.
    mutating func checkContradictions() {
        let told = table.events("setting-contradicted")
        let camera = run.world.testCamera
        if !told.isEmpty, camera.lostWrites == 0, camera.lineRatio == 1 {
            complain("\(told.count) settings are contradicted, and no write was lost")
        }
    }

    /// Whether the disk may have ended the run.
    var hasDiskTrouble: Bool {
        let isRefused = run.world.testDisk?.writes.contains { $0.errno != 0 } ?? false
        let isFull = table.rows.contains { $0["reason"] == "buffers-full" }
        return isRefused || isFull && run.plan.output.whenFull == .stop
    }

    /// Frames are refused for want of a buffer only when all are taken, and what the disk took is recorded.
    mutating func checkDisk() {
        guard let disk = run.world.testDisk else { return }
        for write in disk.writes {
            let row = table.rows[Int(write.slot)]
            let expected = write.errno == 0 ? "" : "storage-failed"
            if row["reason"] != expected {
                complain("slot \(write.slot) is \(row["reason"] ?? ""), the disk says \(expected)")
            }
        }
        let told = table.events("storage-failed").count
        let refused = disk.writes.count { $0.errno != 0 }
        if told != refused { complain("\(told) of \(refused) refusals told") }
        // A group's frames wait elsewhere.
        guard run.plan.largestGroup == 0 else { return }
        for (index, row) in table.rows.enumerated() where row["reason"] == "buffers-full" {
            guard let place = place(index) else {
                complain("slot \(index) had no frame that could find the pool full")
                continue
            }
            let waiting = disk.writes.count {
                $0.slot < index && $0.done > truth[place].timestamp
            }
            if waiting < run.plan.output.bufferCount {
                complain("slot \(index) found \(waiting) buffers taken, and no room")
            }
        }
    }

    /// Each edge that the kernel lost before one that came is told.
    mutating func checkLostEdges() {
        let lines = run.world.testLines
        for (line, name) in [(Int32(0), "part"), (Int32(2), "door")] {
            let places = lines.edges.indices.prefix(lines.placesRead)
                .filter { lines.edges[$0].line == line }
            guard let last = places.last(where: { !lines.isLost($0) }) else { continue }
            let lost = places.count { $0 < last && lines.isLost($0) }
            let told = table.events("edges-lost").filter { $0["line"] as? String == name }
                .reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
            if lost != told { complain("\(told) of \(lost) lost edges told on \(name)") }
        }
    }

    /// Whether the log says that frames between two were left out because settings were written again.
    ///
    /// A forecast of when settings show may fail where a write takes time, the host is late, or the driver had lost its
    /// clock; that costs frames, and is told.
    func isSettling(from first: Int, to last: Int) -> Bool {
        let camera = run.world.testCamera
        guard
            camera.writesTakeTime || camera.lateTimestamps > 0 || run.world.starved > 0
                || !camera.faults.badTimestamps.isEmpty
        else { return false }
        return table.events("frames-skipped").contains { event in
            event["why"] as? String == "settling"
                && places(event, "from_sequence").contains { $0 > first && $0 < last }
        }
    }

    /// Whether the driver began to count anew, or had lost its clock, among these frames; or that can't be ruled out,
    /// since one that is late waited for the host too, and the log has that sequence and timestamps do not agree.
    func isConfused(_ frames: ClosedRange<Int>) -> Bool {
        run.world.testCamera.faults.resets.contains { frames.contains($0) }
            || truth[frames].contains { $0.said != nil }
            || run.world.starved > 0
                && table.events("timestamp-invalid").contains {
                    $0["why"] as? String == "disputed"
                        && places($0, "from_sequence").contains(where: frames.contains)
                }
            || run.world.starved > 0 && !run.world.testCamera.faults.badTimestamps.isEmpty
                && table.events("sequence-timestamp-mismatch").contains {
                    places($0, "before_sequence").contains(where: frames.contains)
                }
    }

    /// Whether the log says that timestamps up to a frame were late for so long that nothing showed it: `checkVerdict`
    /// sees that such a run is not trustworthy.
    func isRefuted(_ place: Int) -> Bool {
        table.events("earlier-timestamps-late").contains {
            places($0, "sequence").contains { $0 > place }
        }
    }

    /// Whether half of all frames from the first slot on, and four at least, have timestamps that the log has as late.
    var areMostlyLate: Bool {
        func frames(_ name: String, _ isCounted: (String) -> Bool) -> [(first: Int, count: Int)] {
            table.events(name).filter { isCounted($0["why"] as? String ?? "") }.map {
                ($0["from_sequence"] as? Int ?? 0, $0["count"] as? Int ?? 0)
            }
        }
        let start = frames("frames-skipped") { $0 == "startup" }.map { $0.first + $0.count }.last
        let late = frames("timestamp-invalid") { $0 == "late" }.map { late in
            // Numbers restart.
            let before = start.map { Int(Int32(truncatingIfNeeded: $0 - late.first)) } ?? 0
            return late.count - min(late.count, max(0, before))
        }.reduce(0, +)
        let skipped = frames("frames-skipped") { $0 != "startup" && $0 != "repeated" }.map(\.count)
        let all = table.rows.count { $0["status"] == "frame" } + skipped.reduce(0, +)
        return late >= 4 && late * 2 >= all
    }

    /// A driver that lost its clock, or count, is told of.
    mutating func checkDriver() {
        if run.world.testCamera.lineRatio != 1,
            table.rows.contains(where: { $0["status"] == "frame" })
        {
            if table.events("period-mismatch").isEmpty { complain("nobody doubts the lines") }
            let known = table.rows.count {
                !["", "none"].contains($0["exposure_known_by"] ?? "")
            }
            if known > 0 { complain("\(known) exposures are known, of a line that is not") }
        }
        let recorded = table.rows.indices.filter { table.rows[$0]["status"] == "frame" }
            .compactMap { place($0) }
        if recorded.contains(where: { truth[$0].said != nil }),
            table.events("timestamp-invalid").isEmpty
        {
            complain("nobody doubts the timestamps")
        }
    }
}
